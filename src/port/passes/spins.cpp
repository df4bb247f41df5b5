#include "port/passes/spins.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>

#include <cstddef>

#include "port/passes/regions/block_flow.hpp"

namespace phpc::lanes {

namespace {

/// Whether an atomic operation may leave memory as it is.
bool may_keep_memory(const llvm::Instruction& one) {
  const auto* const change = llvm::dyn_cast<llvm::AtomicRMWInst>(&one);
  if (change == nullptr) {
    return llvm::isa<llvm::AtomicCmpXchgInst>(one);
  }
  const auto* const value = llvm::dyn_cast<llvm::ConstantInt>(change->getValOperand());
  switch (change->getOperation()) {
    case llvm::AtomicRMWInst::Xchg:
      return true;
    case llvm::AtomicRMWInst::Add:
    case llvm::AtomicRMWInst::Or:
      return value != nullptr && value->isZero();
    default:
      return false;
  }
}

/// Whether an instruction shows that a lane that comes to it does more than wait.
bool is_work(const llvm::Instruction& one) {
  const auto is_own = [](const llvm::Value* place) { return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(place, 0)); };
  if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&one)) {
    return !is_own(store->getPointerOperand());
  }
  if (const auto* const fill = llvm::dyn_cast<llvm::MemIntrinsic>(&one)) {
    return !is_own(fill->getRawDest());
  }
  if (llvm::isa<llvm::AtomicRMWInst>(one)) {
    return !may_keep_memory(one);
  }
  const auto* const call = llvm::dyn_cast<llvm::CallBase>(&one);
  return call != nullptr && !llvm::isa<llvm::IntrinsicInst>(call) && !call->isInlineAsm() && call->mayWriteToMemory() &&
         !calls(one, "phpc_cuda_step");
}

/// Whether a lane may come from an instruction back to it, around a loop, without work.
bool comes_back(const llvm::Instruction& to, const llvm::Loop& loop) {
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
  llvm::SmallVector<const llvm::BasicBlock*, 16> left;
  const auto leave = [&](const llvm::BasicBlock& block) {
    for (const llvm::BasicBlock* const next : llvm::successors(&block)) {
      if (loop.contains(next) && seen.insert(next).second) {
        left.push_back(next);
      }
    }
  };
  if (std::none_of(to.getIterator(), to.getParent()->end(), is_work)) {
    leave(*to.getParent());
  }
  while (!left.empty()) {
    const llvm::BasicBlock& block = *left.pop_back_val();
    const bool is_back = &block == to.getParent();
    if (std::any_of(block.begin(), is_back ? to.getIterator() : block.end(), is_work)) {
      continue;
    }
    if (is_back) {
      return true;
    }
    leave(block);
  }
  return false;
}

using Values = llvm::SmallSetVector<const llvm::Value*, 16>;

/// What a value is computed from, within a loop.
Values sources_of(const llvm::Value& value, const llvm::Loop& loop) {
  Values found;
  const auto add = [&](const llvm::Value* one) {
    const auto* const made = llvm::dyn_cast<llvm::Instruction>(one);
    if (made != nullptr && loop.contains(made)) {
      found.insert(made);
    }
  };
  const auto add_operands = [&](const llvm::Value* one) {
    for (const llvm::Value* const operand : llvm::cast<llvm::User>(one)->operands()) {
      add(operand);
    }
  };
  add_operands(&value);
  std::size_t next = 0;
  while (next < found.size()) {  // which grows
    add_operands(found[next++]);
  }
  return found;
}

/// Whether a branch depends on what a loop counts: a value that it computes from that of the turn before.
bool depends_on_count(const llvm::Instruction& branch, const llvm::Loop& loop) {
  return llvm::any_of(sources_of(branch, loop), [&](const llvm::Value* source) {
    const auto* const phi = llvm::dyn_cast<llvm::PHINode>(source);
    return phi != nullptr && phi->getParent() == loop.getHeader() && sources_of(*phi, loop).contains(phi);
  });
}

/// Whether a branch of a loop depends on a value, and on nothing that the loop counts.
bool decides(const llvm::Instruction& value, const llvm::Loop& loop) {
  Values results;
  results.insert(&value);
  for (std::size_t next = 0; next < results.size(); ++next) {
    for (const llvm::User* const user : results[next]->users()) {
      const auto* const one = llvm::dyn_cast<llvm::Instruction>(user);
      if (one == nullptr || !loop.contains(one)) {
        continue;
      }
      if (one->isTerminator() && !depends_on_count(*one, loop)) {
        return true;
      }
      results.insert(one);
    }
  }
  return false;
}

}  // namespace

llvm::Value* Spins::place_of(llvm::Instruction& read) const {
  if (may_keep_memory(read)) {
    return read.getOperand(0);
  }
  auto* const load = llvm::dyn_cast<llvm::LoadInst>(&read);
  const llvm::Loop* const loop = load == nullptr ? nullptr : loops_.getLoopFor(load->getParent());
  return loop != nullptr && comes_back(*load, *loop) && decides(*load, *loop) ? load->getPointerOperand() : nullptr;
}

}  // namespace phpc::lanes
