#pragma once
#include <llvm/IR/PassManager.h>

namespace phpc::gpu {

/// Loads of 8 bytes whose halves are taken apart, as clang 19 makes them of a `float2` that is copied to an array first, become
/// loads of two words. Else they end as two loads of 4 bytes each, beside what uses them: attention-paged of HeCBench on an H100
/// takes 354 us so, 271 by nvcc.
struct PairLoads : llvm::PassInfoMixin<PairLoads> {
  static bool isRequired() { return true; }  // NOLINT(readability-identifier-naming): LLVM's name
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace phpc::gpu
