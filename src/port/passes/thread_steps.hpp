#pragma once
#include <llvm/IR/PassManager.h>

namespace phpc::lanes {

/// Makes the lanes of a warp go in step on the host in kernels that may rely on it (phpc::cuda::in_step): before each access by
/// which lanes may exchange values, the function of a thread (BlockKernel::run_in_step in phpc/cuda/kernel.hpp) calls
/// phpc_cuda_step, with the access's position in the kernel's text. All that the function calls is inlined first, so that the
/// order of blocks is the order of the text. Where that cannot be, the kernel is left as it is, with a remark.
class ThreadSteps : public llvm::PassInfoMixin<ThreadSteps> {
 public:
  static bool isRequired() { return true; }  // NOLINT(readability-identifier-naming): LLVM's name
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& manager);
};

}  // namespace phpc::lanes
