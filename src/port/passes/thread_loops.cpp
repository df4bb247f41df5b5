#include "port/passes/thread_loops.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <utility>

namespace phpc::lanes {

namespace {

bool is_unreachable(const llvm::BasicBlock& block) {
  return llvm::isa<llvm::UnreachableInst>(block.getFirstNonPHIOrDbg());
}

/// Replaces the edge of a phi's block from `from` by those from `blocks`.
void replace_edges(llvm::BasicBlock& to, llvm::BasicBlock* from, llvm::ArrayRef<llvm::BasicBlock*> blocks) {
  for (llvm::PHINode& phi : to.phis()) {
    llvm::Value* const value = phi.getIncomingValueForBlock(from);
    while (phi.getBasicBlockIndex(from) >= 0) {
      phi.removeIncomingValue(from, false);
    }
    for (llvm::BasicBlock* const block : blocks) {
      phi.addIncoming(value, block);
    }
  }
}

/// Makes a switch a chain of branches, of which clang makes a switch again where they stay.
void lower_switch(llvm::SwitchInst& choice) {
  llvm::BasicBlock* const first = choice.getParent();
  llvm::Value* const value = choice.getCondition();
  llvm::SmallVector<std::pair<llvm::ConstantInt*, llvm::BasicBlock*>, 8> cases;
  for (const auto& one : choice.cases()) {
    cases.emplace_back(one.getCaseValue(), one.getCaseSuccessor());
  }
  llvm::BasicBlock* otherwise = choice.getDefaultDest();
  llvm::SmallVector<llvm::BasicBlock*, 8> targets;
  for (llvm::BasicBlock* const target : llvm::successors(first)) {
    if (!llvm::is_contained(targets, target)) {
      targets.push_back(target);
    }
  }
  if (is_unreachable(*otherwise) && !cases.empty()) {
    otherwise = cases.pop_back_val().second;
  }
  llvm::DenseMap<llvm::BasicBlock*, llvm::SmallVector<llvm::BasicBlock*, 4>> sources;
  llvm::IRBuilder<> builder(&choice);
  llvm::BasicBlock* here = first;
  for (const auto& [number, target] : cases) {
    const bool is_last = number == cases.back().first;
    llvm::BasicBlock* const next =
        is_last ? otherwise : llvm::BasicBlock::Create(first->getContext(), "case", first->getParent(), first->getNextNode());
    builder.CreateCondBr(builder.CreateICmpEQ(value, number), target, next);
    sources[target].push_back(here);
    if (is_last) {
      sources[otherwise].push_back(here);
    } else {
      builder.SetInsertPoint(next);
      here = next;
    }
  }
  if (cases.empty()) {
    builder.CreateBr(otherwise);
    sources[otherwise].push_back(here);
  }
  for (llvm::BasicBlock* const target : targets) {
    replace_edges(*target, first, sources.lookup(target));
  }
  choice.eraseFromParent();
}

/// Takes the branches of a loop that lead out of it into what cannot be reached.
bool drop_unreachable(const llvm::Loop& loop) {
  bool changed = false;
  for (llvm::BasicBlock* const block : loop.blocks()) {
    auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (branch == nullptr || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) {
      continue;
    }
    for (unsigned way = 0; way < 2; ++way) {
      if (is_unreachable(*branch->getSuccessor(way))) {
        branch->getSuccessor(way)->removePredecessor(block);
        llvm::BranchInst::Create(branch->getSuccessor(1 - way), branch->getIterator());
        branch->eraseFromParent();
        changed = true;
        break;
      }
    }
  }
  return changed;
}

/// Gives the fields of structures in registers without the structures, where these are put together in the same function.
class Fields {
 public:
  llvm::Value* of(llvm::Value* whole, unsigned number) {
    if (auto* const constant = llvm::dyn_cast<llvm::Constant>(whole)) {
      return constant->getAggregateElement(number);
    }
    if (const auto known = known_.find({whole, number}); known != known_.end()) {
      return known->second;
    }
    if (auto* const insert = llvm::dyn_cast<llvm::InsertValueInst>(whole); insert != nullptr && insert->getNumIndices() == 1) {
      return insert->getIndices().front() == number ? insert->getInsertedValueOperand()
                                                    : of(insert->getAggregateOperand(), number);
    }
    if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(whole)) {
      llvm::Type* const type = llvm::ExtractValueInst::getIndexedType(phi->getType(), number);
      auto* const field = llvm::PHINode::Create(type, phi->getNumIncomingValues(), "", phi->getIterator());
      known_[{whole, number}] = field;
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        field->addIncoming(of(phi->getIncomingValue(i), number), phi->getIncomingBlock(i));
      }
      return field;
    }
    auto* const instruction = llvm::dyn_cast<llvm::Instruction>(whole);
    if (instruction == nullptr || instruction->isTerminator()) {
      return nullptr;
    }
    auto* const field = llvm::ExtractValueInst::Create(whole, {number}, "", std::next(instruction->getIterator()));
    known_[{whole, number}] = field;
    return field;
  }

 private:
  llvm::DenseMap<std::pair<llvm::Value*, unsigned>, llvm::Value*> known_;
};

/// Whether all that a structure in registers is made of can be taken apart.
bool can_take_apart(const llvm::Value* whole, llvm::SmallPtrSetImpl<const llvm::Value*>& seen) {
  if (!seen.insert(whole).second) {
    return true;
  }
  if (const auto* const phi = llvm::dyn_cast<llvm::PHINode>(whole)) {
    return llvm::all_of(phi->incoming_values(), [&](const llvm::Use& one) { return can_take_apart(one.get(), seen); });
  }
  if (const auto* const insert = llvm::dyn_cast<llvm::InsertValueInst>(whole)) {
    return insert->getNumIndices() == 1 && can_take_apart(insert->getAggregateOperand(), seen);
  }
  return llvm::isa<llvm::UndefValue, llvm::ConstantAggregate, llvm::ConstantAggregateZero>(whole);
}

bool take_structures_apart(const llvm::Loop& loop) {
  llvm::SmallVector<llvm::ExtractValueInst*, 8> extracts;
  for (llvm::BasicBlock* const block : loop.blocks()) {
    for (llvm::Instruction& instruction : *block) {
      auto* const extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction);
      llvm::SmallPtrSet<const llvm::Value*, 8> seen;
      if (extract != nullptr && extract->getNumIndices() == 1 && can_take_apart(extract->getAggregateOperand(), seen)) {
        extracts.push_back(extract);
      }
    }
  }
  Fields fields;
  for (llvm::ExtractValueInst* const extract : extracts) {
    extract->replaceAllUsesWith(fields.of(extract->getAggregateOperand(), extract->getIndices().front()));
  }
  return !extracts.empty();
}

/// Whether a phi brings into the first thread nothing, and into the next what a thread before left: a variable of a thread's own
/// that some of its ways do not set. (Memory that clang keeps in a register for the time of the loop comes from a load.)
bool is_unset(const llvm::PHINode& start, const llvm::Loop& loop) {
  llvm::SmallVector<const llvm::Value*, 8> left{&start};
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  bool first = true;
  while (!left.empty()) {
    const llvm::Value* const value = left.pop_back_val();
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
    const bool is_start = std::exchange(first, false);
    if (llvm::isa<llvm::UndefValue>(value) || !seen.insert(value).second ||
        (!is_start && instruction != nullptr && loop.contains(instruction))) {
      continue;
    }
    const auto* const phi = llvm::dyn_cast<llvm::PHINode>(value);
    if (phi == nullptr) {
      return false;
    }
    left.append(phi->value_op_begin(), phi->value_op_end());
  }
  return true;
}

bool forget_unset(const llvm::Loop& loop) {
  bool changed = false;
  for (llvm::PHINode& phi : loop.getHeader()->phis()) {
    if (!phi.use_empty() && is_unset(phi, loop)) {
      phi.replaceAllUsesWith(llvm::UndefValue::get(phi.getType()));
      changed = true;
    }
  }
  return changed;
}

/// Makes shifts by 32 bits to the left and back, as clang writes the low half of a sum of wide indices with its sign, that half
/// and its extension.
bool replace_shifts(const llvm::Loop& loop) {
  constexpr unsigned half = 32;
  bool changed = false;
  for (llvm::BasicBlock* const block : loop.blocks()) {
    for (llvm::Instruction& instruction : *block) {
      const llvm::Value* from = nullptr;
      if (!instruction.getType()->isIntegerTy(2 * half) || instruction.use_empty() ||
          !llvm::PatternMatch::match(
              &instruction, llvm::PatternMatch::m_AShr(llvm::PatternMatch::m_Shl(llvm::PatternMatch::m_Value(from),
                                                                                 llvm::PatternMatch::m_SpecificInt(half)),
                                                       llvm::PatternMatch::m_SpecificInt(half)))) {
        continue;
      }
      llvm::IRBuilder<> builder(&instruction);
      llvm::Value* const low = builder.CreateTrunc(const_cast<llvm::Value*>(from), builder.getInt32Ty());
      instruction.replaceAllUsesWith(builder.CreateSExt(low, instruction.getType()));
      changed = true;
    }
  }
  return changed;
}

}  // namespace

bool is_over_threads(const llvm::Loop& loop) {
  return llvm::getBooleanLoopAttribute(&loop, "llvm.loop.vectorize.enable") &&
         llvm::findOptionMDForLoop(&loop, "llvm.loop.parallel_accesses") != nullptr;
}

bool prepare_thread_loops(llvm::Function& function, const llvm::LoopInfo& loops) {
  constexpr unsigned most_cases = 32;
  bool changed = false;
  llvm::SmallVector<llvm::SwitchInst*, 4> choices;
  for (llvm::BasicBlock& block : function) {
    const llvm::Loop* loop = loops.getLoopFor(&block);
    while (loop != nullptr && !is_over_threads(*loop)) {
      loop = loop->getParentLoop();
    }
    auto* const choice = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator());
    if (loop != nullptr && choice != nullptr && choice->getNumCases() <= most_cases) {
      choices.push_back(choice);
    }
  }
  for (llvm::SwitchInst* const choice : choices) {
    lower_switch(*choice);
    changed = true;
  }
  for (const llvm::Loop* const loop : loops.getLoopsInPreorder()) {
    if (is_over_threads(*loop)) {
      changed = drop_unreachable(*loop) || changed;
      changed = take_structures_apart(*loop) || changed;
      changed = replace_shifts(*loop) || changed;
      changed = forget_unset(*loop) || changed;
    }
  }
  return changed;
}

}  // namespace phpc::lanes
