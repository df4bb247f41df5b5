#pragma once
#include <llvm/IR/PassManager.h>

namespace phpc::lanes {

/// Takes `noalias`, as clang makes of `__restrict__`, from parameters by which functions with barriers write, before clang
/// inlines any: a thread promises of its own accesses only, and other threads of the block write there between two barriers. A
/// barrier has no pointer for an argument, so that clang would take it to change nothing behind such a parameter.
class RestrictPromises : public llvm::PassInfoMixin<RestrictPromises> {
 public:
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& manager);
};

}  // namespace phpc::lanes
