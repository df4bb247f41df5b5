#include "port/passes/restrict_promises.hpp"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "port/passes/regions/block_flow.hpp"

namespace phpc::lanes {

namespace {

using Functions = llvm::SmallSetVector<llvm::Function*, 16>;

/// The functions in which a thread may wait for others of its block or warp: these call the library's functions for that, or
/// functions that do.
Functions waiting(llvm::Module& module) {
  Functions found;
  const auto add_callers = [&](const llvm::Function* called) {
    for (const llvm::User* const user : called->users()) {
      if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(user); call != nullptr && call->getCalledFunction() == called) {
        found.insert(const_cast<llvm::Function*>(call->getFunction()));
      }
    }
  };
  for (const llvm::StringRef name : {"phpc_cuda_barrier", "phpc_cuda_meet"}) {
    if (const llvm::Function* const function = module.getFunction(name)) {
      add_callers(function);
    }
  }
  unsigned next = 0;
  while (next < found.size()) {  // which grows
    add_callers(found[next++]);
  }
  return found;
}

/// Finds parameters by which a function and those that it calls do no more than read.
class ReadOnly {
 public:
  [[nodiscard]] bool is(const llvm::Argument& parameter) {
    if (!seen_.insert(&parameter).second) {
      return true;  // decided by what else is done with it
    }
    llvm::SmallSetVector<const llvm::Value*, 16> pointers;
    pointers.insert(&parameter);
    for (unsigned next = 0; next < pointers.size(); ++next) {  // grows as pointers are made of pointers
      for (const llvm::Use& use : pointers[next]->uses()) {
        if (!only_reads(use, pointers)) {
          return false;
        }
      }
    }
    return true;
  }

 private:
  /// Whether a use of a pointer writes nothing by it; adds what is made of the pointer to `pointers`.
  bool only_reads(const llvm::Use& use, llvm::SmallSetVector<const llvm::Value*, 16>& pointers) {
    const llvm::User* const user = use.getUser();
    if (llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::PHINode, llvm::SelectInst>(user)) {
      pointers.insert(user);
      return true;
    }
    if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
      return use.getOperandNo() == 0 && variable != nullptr && add_loads(*variable, pointers);
    }
    if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(user)) {
      const llvm::Function* const called = call->getCalledFunction();
      return called != nullptr && call->isArgOperand(&use) && !called->isDeclaration() && !called->isInterposable() &&
             call->getArgOperandNo(&use) < called->arg_size() && is(*called->getArg(call->getArgOperandNo(&use)));
    }
    return llvm::isa<llvm::LoadInst, llvm::ICmpInst>(user);
  }

  /// Adds what is loaded from a variable that has a pointer. Returns whether that is all that is done with the variable.
  static bool add_loads(const llvm::AllocaInst& variable, llvm::SmallSetVector<const llvm::Value*, 16>& pointers) {
    return llvm::all_of(variable.uses(), [&](const llvm::Use& use) {
      if (llvm::isa<llvm::LoadInst>(use.getUser())) {
        pointers.insert(use.getUser());
        return true;
      }
      return llvm::isa<llvm::IntrinsicInst>(use.getUser())
                 ? llvm::cast<llvm::IntrinsicInst>(use.getUser())->isAssumeLikeIntrinsic()
                 : llvm::isa<llvm::StoreInst>(use.getUser()) && use.getOperandNo() == 1;
    });
  }

  llvm::DenseSet<const llvm::Argument*> seen_;
};

}  // namespace

llvm::PreservedAnalyses RestrictPromises::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*manager*/) {
  bool changed = false;
  for (llvm::Function* const function : waiting(module)) {
    // A kernel's parameters in memory of the library's (BlockKernel::run_between_barriers) are written by none.
    const bool runs_block = llvm::any_of(llvm::instructions(*function),
                                         [](const llvm::Instruction& one) { return calls(one, "phpc_cuda_runs_block"); });
    for (llvm::Argument& parameter : function->args()) {
      if (!runs_block && parameter.hasNoAliasAttr() && !parameter.hasStructRetAttr() && !ReadOnly().is(parameter)) {
        parameter.removeAttr(llvm::Attribute::NoAlias);
        changed = true;
      }
    }
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace phpc::lanes
