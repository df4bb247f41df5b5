#pragma once
#include <llvm/IR/PassManager.h>

namespace phpc::gpu {

/// Loads through pointers that a kernel's text marks with PHPC_READ_ONLY (phpc/cuda/kernel.hpp) become ld.global.nc, as nvcc
/// makes them of `const T* __restrict__` parameters. ptxas may move those before stores and calls.
struct ReadOnlyLoads : llvm::PassInfoMixin<ReadOnlyLoads> {
  static bool isRequired() { return true; }  // NOLINT(readability-identifier-naming): LLVM's name
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace phpc::gpu
