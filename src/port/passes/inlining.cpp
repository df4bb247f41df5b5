#include "port/passes/inlining.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <cstddef>

namespace phpc::lanes {

namespace {

/// Instructions of a kernel with all that it calls, up to which it is inlined.
constexpr std::size_t most_of_kernel = 200000;

/// The function that a call names, by an alias too, as constructors may be; null where that is not known.
llvm::Function* function_of(const llvm::CallBase& call) {
  auto* const called = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
  return called != nullptr && called->getFunctionType() == call.getFunctionType() ? called : nullptr;
}

/// The same, where its text is here and may be no other; null otherwise.
llvm::Function* text_of(const llvm::CallBase& call) {
  llvm::Function* const called = function_of(call);
  return called == nullptr || called->isDeclaration() || called->isInterposable() ? nullptr : called;
}

/// Finds functions that call themselves, over others too.
class Recursion {
 public:
  [[nodiscard]] bool is_in(llvm::Function& function) {
    if (const auto known = state_.find(&function); known != state_.end()) {
      return known->second;  // true while the function is looked at
    }
    state_[&function] = true;
    const bool found = llvm::any_of(llvm::instructions(function), [&](llvm::Instruction& one) {
      const auto* const call = llvm::dyn_cast<llvm::CallBase>(&one);
      llvm::Function* const called = call == nullptr ? nullptr : text_of(*call);
      return called != nullptr && is_in(*called);
    });
    return state_[&function] = found;
  }

 private:
  llvm::DenseMap<llvm::Function*, bool> state_;
};

/// The name of metadata of the branches that keep_apart has made.
constexpr llvm::StringLiteral apart_mark = "phpc.apart";

/// Gives each block that is led to from one other alone, which stands elsewhere in the text, a second one that leads to it:
/// LLVM's inlining makes such blocks one with the other, and the text behind a loop would come before the loop's.
void keep_apart(llvm::Function& function) {
  llvm::LLVMContext& context = function.getContext();
  for (llvm::BasicBlock& block : llvm::make_early_inc_range(function)) {
    auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (branch == nullptr || branch->isConditional()) {
      continue;
    }
    llvm::BasicBlock* const next = branch->getSuccessor(0);
    if (next->getSinglePredecessor() != &block || next == block.getNextNode() || !next->phis().empty()) {
      continue;
    }
    auto* const other = llvm::BasicBlock::Create(context, "", &function, block.getNextNode());
    llvm::BranchInst::Create(next, other)->setDebugLoc(branch->getDebugLoc());
    // What LLVM does not take for a constant.
    auto* const which = new llvm::FreezeInst(llvm::PoisonValue::get(llvm::Type::getInt1Ty(context)), "", branch->getIterator());
    auto* const apart = llvm::BranchInst::Create(next, other, which, branch->getIterator());
    apart->setDebugLoc(branch->getDebugLoc());
    apart->setMetadata(apart_mark, llvm::MDNode::get(context, {}));
    branch->eraseFromParent();
  }
}

/// Takes away what keep_apart has made, in copies of the function too.
void end_apart(llvm::Function& function) {
  for (llvm::BasicBlock& block : function) {
    auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (branch == nullptr || !branch->hasMetadata(apart_mark)) {
      continue;
    }
    llvm::BasicBlock* const other = branch->getSuccessor(1);
    auto* const which = llvm::cast<llvm::Instruction>(branch->getCondition());
    llvm::BranchInst::Create(branch->getSuccessor(0), branch->getIterator())->setDebugLoc(branch->getDebugLoc());
    branch->eraseFromParent();
    which->eraseFromParent();
    llvm::DeleteDeadBlock(other);
  }
}

bool inline_call(llvm::CallBase& call, llvm::InlineFunctionInfo& made) {
  llvm::Function& called = *text_of(call);
  call.setCalledFunction(&called);
  keep_apart(called);
  const bool is_done = llvm::InlineFunction(call, made).isSuccess();
  end_apart(called);
  return is_done;
}

}  // namespace

std::string inline_all(llvm::Function& root) {
  if (Recursion().is_in(root)) {
    return "a function calls itself";
  }
  llvm::SmallVector<llvm::CallBase*, 32> left;
  for (llvm::Instruction& one : llvm::instructions(root)) {
    if (auto* const call = llvm::dyn_cast<llvm::CallBase>(&one)) {
      left.push_back(call);
    }
  }
  std::string why;
  constexpr unsigned calls_between_counts = 64;
  unsigned calls = 0;
  while (!left.empty() && why.empty()) {
    llvm::CallBase* const call = left.pop_back_val();
    if (call->isInlineAsm()) {
      continue;
    }
    if (function_of(*call) == nullptr) {
      why = "it is not known which function is called";
    } else if (text_of(*call) != nullptr) {
      llvm::InlineFunctionInfo made;
      if (!inline_call(*call, made) || (calls++ % calls_between_counts == 0 && root.getInstructionCount() > most_of_kernel)) {
        why = "not all functions that are called can be made part of the kernel";
      }
      left.append(made.InlinedCallSites.begin(), made.InlinedCallSites.end());
    }
  }
  end_apart(root);
  return why;
}

}  // namespace phpc::lanes
