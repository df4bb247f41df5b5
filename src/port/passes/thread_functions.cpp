#include "port/passes/thread_functions.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <cstddef>

#include "port/passes/regions/block_flow.hpp"

namespace phpc::lanes {

namespace {

/// Instructions of one function, and of all that one loop over threads calls, up to which they are inlined.
constexpr std::size_t most_of_function = 4000;
constexpr std::size_t most_of_loop = 20000;

/// Whether a function has a loop whose turns may run in lanes (PHPC_IN_LANES, PHPC_IN_OWN_LANES).
bool has_thread_loop(const llvm::Function& function) {
  for (const llvm::BasicBlock& block : function) {
    const llvm::Instruction* const end = block.getTerminator();
    const llvm::MDNode* const loop = end == nullptr ? nullptr : end->getMetadata(llvm::LLVMContext::MD_loop);
    for (unsigned i = 1; loop != nullptr && i < loop->getNumOperands(); ++i) {
      const auto* const property = llvm::dyn_cast<llvm::MDNode>(loop->getOperand(i));
      const auto* const name = property == nullptr || property->getNumOperands() == 0
                                   ? nullptr
                                   : llvm::dyn_cast<llvm::MDString>(property->getOperand(0));
      if (name != nullptr && name->getString() == "llvm.loop.parallel_accesses") {
        return true;
      }
    }
  }
  return false;
}

/// Whether a function has the text of a thread of a kernel with barriers (BlockKernel::run_between_barriers).
bool runs_block(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function),
                      [](const llvm::Instruction& instruction) { return calls(instruction, "phpc_cuda_runs_block"); });
}

/// Whether a call stands for its function's text: that is here, may be no other, and is not to stay a function.
bool may_inline(const llvm::Function& function) {
  return !function.isDeclaration() && !function.isInterposable() && !function.hasFnAttribute(llvm::Attribute::NoInline) &&
         !function.hasOptNone() && !function.isVarArg();
}

/// The functions that `root` calls, those that they call, and so on; `root` is among them if it calls itself.
llvm::SetVector<llvm::Function*> called_by(llvm::Function& root) {
  llvm::SetVector<llvm::Function*> found;
  for (std::size_t next = 0; next <= found.size(); ++next) {
    for (const llvm::BasicBlock& block : next == 0 ? root : *found[next - 1]) {
      for (const llvm::Instruction& instruction : block) {
        const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        llvm::Function* const function = call == nullptr ? nullptr : call->getCalledFunction();
        if (function != nullptr && may_inline(*function)) {
          found.insert(function);
        }
      }
    }
  }
  return found;
}

/// Replaces sincos(x, sine, cosine) by calls of both. Where threads run one after another, clang makes one call of the two again.
bool split_sincos(llvm::Function& function) {
  llvm::SmallVector<llvm::CallInst*, 4> calls;
  for (llvm::BasicBlock& block : function) {
    for (llvm::Instruction& instruction : block) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const llvm::Function* const called = call == nullptr ? nullptr : call->getCalledFunction();
      if (called == nullptr || !called->isDeclaration() || call->arg_size() != 3 || !call->getType()->isVoidTy()) {
        continue;
      }
      const llvm::Type* const type = call->getArgOperand(0)->getType();
      if ((called->getName() == "sincosf" && type->isFloatTy()) || (called->getName() == "sincos" && type->isDoubleTy())) {
        calls.push_back(call);
      }
    }
  }
  for (llvm::CallInst* const call : calls) {
    llvm::IRBuilder<> builder(call);
    llvm::Value* const x = call->getArgOperand(0);
    llvm::Value* const sine = builder.CreateUnaryIntrinsic(llvm::Intrinsic::sin, x);
    llvm::Value* const cosine = builder.CreateUnaryIntrinsic(llvm::Intrinsic::cos, x);
    builder.CreateStore(sine, call->getArgOperand(1));
    builder.CreateStore(cosine, call->getArgOperand(2));
    call->eraseFromParent();
  }
  return !calls.empty();
}

}  // namespace

llvm::PreservedAnalyses ThreadFunctions::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*manager*/) {
  bool changed = false;
  for (llvm::Function& root : module) {
    if (root.isDeclaration() || (!has_thread_loop(root) && !runs_block(root))) {
      continue;
    }
    std::size_t instructions = 0;
    for (llvm::Function* const function : called_by(root)) {
      changed = split_sincos(*function) || changed;
      const std::size_t size = function->getInstructionCount();
      instructions += size;
      if (!function->hasFnAttribute(llvm::Attribute::AlwaysInline) && size <= most_of_function && instructions <= most_of_loop &&
          !called_by(*function).contains(function)) {
        function->addFnAttr(llvm::Attribute::AlwaysInline);
        changed = true;
      }
    }
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace phpc::lanes
