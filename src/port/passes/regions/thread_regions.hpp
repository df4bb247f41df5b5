#pragma once
#include <llvm/IR/PassManager.h>

namespace phpc::lanes {

/// Makes the function of a thread of a kernel with barriers (BlockKernel::run_between_barriers in phpc/cuda/kernel.hpp) run all
/// threads of a block: it is cut at the barriers into parallel regions, each of which becomes a loop over the threads, as
/// work-item loops are made of OpenCL's kernels (Jaaskelainen et al., pocl, 2015). Where barriers stand in control flow in which
/// threads may part, or where threads may wait for one another otherwise, the function returns false at once, and threads run on
/// stacks of their own.
class ThreadRegions : public llvm::PassInfoMixin<ThreadRegions> {
 public:
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& manager);
};

}  // namespace phpc::lanes
