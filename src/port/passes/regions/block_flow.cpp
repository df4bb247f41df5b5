#include "port/passes/regions/block_flow.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

namespace phpc::lanes {

bool calls(const llvm::Instruction& instruction, llvm::StringRef name) {
  const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function* const called = call == nullptr ? nullptr : call->getCalledFunction();
  return called != nullptr && called->getName() == name;
}

llvm::SmallVector<llvm::Instruction*, 8> barriers_of(llvm::Function& function) {
  llvm::SmallVector<llvm::Instruction*, 8> barriers;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (is_barrier(instruction)) {
      barriers.push_back(&instruction);
    }
  }
  return barriers;
}

bool BlockFlow::find() {
  find_varying();
  split_at_barriers();
  do {
    do {
      find_next_shared();
    } while (find_decision());
    if (!why_.empty()) {
      return false;
    }
  } while (find_join());
  if (!why_.empty()) {
    return false;
  }
  split_edges_to_phis();
  find_next_shared();
  collect_regions();
  find_ended_threads();
  return true;
}

ParallelRegion* BlockFlow::region_of(const llvm::BasicBlock* block) {
  const auto found = numbers_.find(block);
  return found == numbers_.end() ? nullptr : &regions_[found->second];
}

const ParallelRegion* BlockFlow::region_of(const llvm::BasicBlock* block) const {
  const auto found = numbers_.find(block);
  return found == numbers_.end() ? nullptr : &regions_[found->second];
}

void BlockFlow::add_block(ParallelRegion& region, llvm::BasicBlock* block) {
  region.blocks.push_back(block);
  numbers_[block] = static_cast<std::size_t>(&region - regions_.begin());
}

llvm::BasicBlock* BlockFlow::add_entry(ParallelRegion& region, llvm::StringRef name) {
  auto* const block = llvm::BasicBlock::Create(function_.getContext(), name, &function_, region.entry);
  llvm::BranchInst::Create(region.entry, block);
  region.front->getTerminator()->replaceSuccessorWith(region.entry, block);
  region.entry = block;
  region.blocks.insert(region.blocks.begin(), block);
  numbers_[block] = static_cast<std::size_t>(&region - regions_.begin());
  return block;
}

/// Finds the values that may differ between threads as far as they are made of their indices, variables and atomics. Of the
/// others, BlockValues tells which are the same.
void BlockFlow::find_varying() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::BasicBlock* const block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_)) {
      for (const llvm::Instruction& instruction : *block) {
        const bool is_source = llvm::isa<llvm::AllocaInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(instruction) ||
                               is_thread_index(instruction);
        if (!is_barrier(instruction) && (is_source || llvm::any_of(instruction.operands(), [&](const llvm::Use& one) {
                                           return varying_.contains(one.get());
                                         }))) {
          changed = varying_.insert(&instruction).second || changed;
        }
      }
    }
  }
}

void BlockFlow::split_at_barriers() {
  for (llvm::Instruction* const barrier : barriers_of(function_)) {
    llvm::BasicBlock* const block = llvm::SplitBlock(barrier->getParent(), barrier->getIterator());
    llvm::SplitBlock(block, std::next(barrier->getIterator()));
    shared_.insert(block);
  }
  shared_.insert(&function_.getEntryBlock());
  shared_.insert(end_);
}

BlockFlow::Blocks BlockFlow::next_over(llvm::BasicBlock* from, llvm::BasicBlock* to) const {
  Blocks next;
  if (is_shared(to)) {
    if (!(to == end_ && ends_threads(from))) {
      next.insert(to);
    }
  } else if (const auto found = next_.find(to); found != next_.end()) {
    next = found->second;
  }
  return next;
}

void BlockFlow::find_next_shared() {
  next_.clear();
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::BasicBlock* const block : llvm::post_order(&function_)) {
      if (is_shared(block)) {
        continue;
      }
      for (llvm::BasicBlock* const to : llvm::successors(block)) {
        const Blocks more = next_over(block, to);
        Blocks& all = next_[block];
        for (llvm::BasicBlock* const next : more) {
          changed = all.insert(next) || changed;
        }
      }
    }
  }
}

bool BlockFlow::find_decision() {
  // First where threads may part: of the ways that some take to the return, no part is yet shared with others then.
  for (const bool varying : {true, false}) {
    for (llvm::BasicBlock* const block : llvm::post_order(&function_)) {
      const llvm::Instruction* const end = block->getTerminator();
      if (is_shared(block) || end->getNumSuccessors() < 2 || varying_.contains(end->getOperand(0)) != varying) {
        continue;
      }
      Blocks all;
      if (!leads_to_same(block, all)) {
        return decide(block, all);
      }
    }
  }
  return false;
}

/// Whether all ways on from a block lead to the same shared blocks next; these are added to `all`.
bool BlockFlow::leads_to_same(llvm::BasicBlock* block, Blocks& all) const {
  bool all_same = true;
  for (llvm::BasicBlock* const to : llvm::successors(block)) {
    const Blocks one = next_over(block, to);
    if (!one.empty()) {
      const bool is_subset = llvm::all_of(one, [&](llvm::BasicBlock* next) { return all.contains(next); });
      all_same = all_same && (all.empty() || (all.size() == one.size() && is_subset));
      all.insert(one.begin(), one.end());
    }
  }
  return all_same;
}

bool BlockFlow::decide(llvm::BasicBlock* block, const Blocks& all) {
  llvm::Instruction* const end = block->getTerminator();
  if (!llvm::isa<llvm::BranchInst, llvm::SwitchInst>(end)) {
    why_ = "a barrier stands behind a branch of a kind that is not known";
    return false;
  }
  if (!varying_.contains(end->getOperand(0)) && !(return_apart_ && all.contains(end_))) {
    shared_.insert(llvm::SplitBlock(block, end->getIterator()));
    return true;
  }
  if (!all.contains(end_)) {
    llvm::raw_string_ostream(why_ = "a barrier stands where threads may part by: ") << *end->getOperand(0);
    return false;
  }
  llvm::SmallSetVector<llvm::BasicBlock*, 8> reached;
  reached.insert(block);
  for (unsigned i = 0; i < reached.size(); ++i) {
    for (llvm::BasicBlock* const to : llvm::successors(reached[i])) {
      if (to == end_) {
        ends_.insert(reached[i]);
      } else if (!is_shared(to)) {
        reached.insert(to);
      }
    }
  }
  return true;
}

bool BlockFlow::find_join() {
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
  entries_.clear();
  for (llvm::BasicBlock* const block : order) {
    if (is_shared(block)) {
      continue;
    }
    for (llvm::BasicBlock* const from : llvm::predecessors(block)) {
      if (is_shared(from) || entries_.contains(from)) {
        entries_[block] = is_shared(from) ? block : entries_.lookup(from);
        break;
      }
    }
  }
  for (llvm::BasicBlock* const block : order) {
    if (is_shared(block)) {
      continue;
    }
    const bool meets = llvm::any_of(llvm::predecessors(block), [&](llvm::BasicBlock* from) {
      return is_shared(from) ? block->getUniquePredecessor() == nullptr
                             : entries_.contains(from) && entries_.lookup(from) != entries_.lookup(block);
    });
    if (meets && next_[block].empty()) {
      return copy_ways_out(block);
    }
    if (meets) {
      llvm::BasicBlock* const rest = llvm::SplitBlock(block, block->getFirstNonPHIIt());
      shared_.insert(block);
      if (ends_.erase(block)) {
        ends_.insert(rest);
      }
      return true;
    }
  }
  return false;
}

/// Gives one of the regions or shared blocks that lead to a block a copy of all from there to the return, which threads take
/// before others.
bool BlockFlow::copy_ways_out(llvm::BasicBlock* first) {
  constexpr std::size_t most_copied = 2000;
  llvm::SmallSetVector<llvm::BasicBlock*, 8> blocks;
  blocks.insert(first);
  for (unsigned i = 0; i < blocks.size(); ++i) {
    copied_ += blocks[i]->size();
    for (llvm::BasicBlock* const to : llvm::successors(blocks[i])) {
      if (to != end_) {
        blocks.insert(to);
      }
    }
  }
  if (copied_ > most_copied) {
    why_ = "too many ways lead out of it";
    return false;
  }
  const auto origin = [&](llvm::BasicBlock* from) { return is_shared(from) ? from : entries_.lookup(from); };
  llvm::SmallSetVector<llvm::BasicBlock*, 4> moved;
  for (llvm::BasicBlock* const from : llvm::predecessors(first)) {
    if (!blocks.contains(from) && (moved.empty() || origin(from) == origin(moved.front()))) {
      moved.insert(from);
    }
  }
  llvm::ValueToValueMapTy copies;
  llvm::SmallVector<llvm::BasicBlock*, 8> made;
  for (llvm::BasicBlock* const block : blocks) {
    made.push_back(llvm::CloneBasicBlock(block, copies, ".copy", &function_));
    copies[block] = made.back();
    if (ends_.contains(block)) {
      ends_.insert(made.back());
    }
    for (const auto& [one, copy] : llvm::zip(*block, *made.back())) {
      if (varying_.contains(&one)) {
        varying_.insert(&copy);
      }
    }
  }
  llvm::remapInstructionsInBlocks(made, copies);
  for (llvm::BasicBlock* const from : moved) {
    from->getTerminator()->replaceSuccessorWith(first, made.front());
  }
  const auto keep_edges = [&](llvm::BasicBlock* block) {
    const llvm::SmallPtrSet<llvm::BasicBlock*, 8> from(llvm::pred_begin(block), llvm::pred_end(block));
    for (llvm::PHINode& phi : llvm::make_early_inc_range(block->phis())) {
      phi.removeIncomingValueIf([&](unsigned i) { return !from.contains(phi.getIncomingBlock(i)); }, false);
    }
  };
  keep_edges(first);
  llvm::for_each(made, keep_edges);
  return true;
}

/// Gives each way to a shared block with phis a block of a region, for what threads leave there.
void BlockFlow::split_edges_to_phis() {
  llvm::SmallSetVector<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>, 8> edges;  // a switch may have several between two blocks
  for (llvm::BasicBlock& block : function_) {
    if (is_shared(&block) && llvm::isa<llvm::PHINode>(block.front())) {
      for (llvm::BasicBlock* const from : llvm::predecessors(&block)) {
        if (is_shared(from) || from->getTerminator()->getNumSuccessors() > 1) {
          edges.insert({from, &block});
        }
      }
    }
  }
  for (const auto& [from, to] : edges) {
    auto* const between = llvm::BasicBlock::Create(function_.getContext(), "way", &function_, to);
    llvm::BranchInst::Create(to, between);
    from->getTerminator()->replaceSuccessorWith(to, between);
    for (llvm::PHINode& phi : to->phis()) {
      phi.setIncomingBlock(static_cast<unsigned>(phi.getBasicBlockIndex(from)), between);
      while (phi.getBasicBlockIndex(from) >= 0) {
        phi.removeIncomingValue(from, false);
      }
    }
  }
}

void BlockFlow::collect_regions() {
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
  for (llvm::BasicBlock* const block : order) {
    if (is_shared(block)) {
      continue;
    }
    llvm::BasicBlock* const from = *llvm::pred_begin(block);
    if (is_shared(from)) {
      numbers_[block] = regions_.size();
      regions_.emplace_back();
      regions_.back().entry = block;
      llvm::FoldSingleEntryPHINodes(block);
    } else {
      for (llvm::BasicBlock* const before : llvm::predecessors(block)) {
        if (const auto found = numbers_.find(before); found != numbers_.end()) {
          numbers_[block] = found->second;
          break;
        }
      }
    }
    ParallelRegion& region = *region_of(block);
    region.blocks.push_back(block);
    region.threads_end = region.threads_end || ends_threads(block);
  }
  for (ParallelRegion& region : regions_) {
    const Blocks& next = next_[region.entry];
    region.next = next.empty() ? nullptr : next.front();
    llvm::BasicBlock* const before = *llvm::pred_begin(region.entry);
    region.front = llvm::BasicBlock::Create(function_.getContext(), "once", &function_, region.entry);
    llvm::BranchInst::Create(region.entry, region.front);
    before->getTerminator()->replaceSuccessorWith(region.entry, region.front);
    shared_.insert(region.front);
    add_entry(region, "begin");
  }
}

void BlockFlow::find_ended_threads() {
  llvm::SmallVector<llvm::BasicBlock*, 16> left;
  for (const ParallelRegion& region : regions_) {
    if (region.threads_end && region.next != nullptr) {
      left.push_back(region.next);
    }
  }
  llvm::DenseSet<const llvm::BasicBlock*> seen;
  while (!left.empty()) {
    llvm::BasicBlock* const block = left.pop_back_val();
    if (!seen.insert(block).second) {
      continue;
    }
    if (ParallelRegion* const region = region_of(block)) {
      region->threads_ended = true;
    }
    left.append(llvm::succ_begin(block), llvm::succ_end(block));
  }
}

}  // namespace phpc::lanes
