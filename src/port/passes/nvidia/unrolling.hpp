#pragma once
#include <llvm/Transforms/Scalar/LoopPassManager.h>

namespace phpc::gpu {

/// Two rules on the unrolling of loops. All others are left to clang's own rule, which is close to nvcc's: with a higher
/// threshold for all, dslash of HeCBench takes 76 ms on an H100 and not 54, as by nvcc.
/// - A loop of known length over an array of the thread's own is unrolled as a whole: where it stays, the array is memory and not
///   registers (fft: 1.0 ms without, 0.6 with).
/// - A loop of unknown length directly around another such loop is not unrolled: the copies of the inner loop take registers and
/// put
///   no more loads in flight (nvcc's time / ours without and with, one call: floydwarshall 0.86, 0.96; contract 0.70, 0.75;
///   heat 1.7, 2.2).
struct Unrolling : llvm::PassInfoMixin<Unrolling> {
  static bool isRequired() { return true; }  // NOLINT(readability-identifier-naming): LLVM's name
  static llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager& analyses,
                                     llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater& updater);
};

}  // namespace phpc::gpu
