#pragma once
#include <llvm/IR/PassManager.h>

namespace phpc::lanes {

/// Prepares the functions that independent threads call, before clang inlines any: they become part of the loop over the threads,
/// as nvcc makes them part of the kernel, and calls of `sincos`, which has no form in lanes, calls of `sin` and `cos`.
class ThreadFunctions : public llvm::PassInfoMixin<ThreadFunctions> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& manager);
};

}  // namespace phpc::lanes
