#pragma once
#include <llvm/IR/PassManager.h>

namespace phpc::gpu {

/// A thread's copies of parameters that lie in memory of the device, as those of more than 384 bytes do (BlockKernel in
/// phpc/cuda/kernel.hpp), are taken away where the thread only reads them: it reads the parameters. nvcc's code reads such in
/// place, too. clang 19 keeps the copies, since it does not know that nothing writes to what was copied; a kernel that picks an
/// element of 2 KB copies them all to each thread's stack first.
struct ParametersInPlace : llvm::PassInfoMixin<ParametersInPlace> {
  static bool isRequired() { return true; }  // NOLINT(readability-identifier-naming): LLVM's name
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace phpc::gpu
