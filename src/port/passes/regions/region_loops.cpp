#include "port/passes/regions/region_loops.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/CFG.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace phpc::lanes {

RegionLoops::RegionLoops(llvm::Function& function, BlockFlow& flow, const std::array<llvm::Value*, 3>& sides)
    : function_(function), flow_(flow), sides_(sides) {
  llvm::IRBuilder<> builder(function.getEntryBlock().getTerminator());
  llvm::Value* const area = builder.CreateMul(sides[0], sides[1], "", true, true);
  threads_ = builder.CreateZExt(builder.CreateMul(area, sides[2], "", true, true), builder.getInt64Ty());
}

void RegionLoops::close() {
  const bool any_ends = llvm::any_of(flow_.regions(), [](const ParallelRegion& region) { return region.threads_ended; });
  if (any_ends) {
    llvm::IRBuilder<> builder(&*function_.getEntryBlock().begin());
    ended_ = builder.CreateAlloca(builder.getInt8Ty(), nullptr, "ended");
  }
  for (ParallelRegion& region : flow_.regions()) {
    close(region);
  }
}

void RegionLoops::close(ParallelRegion& region) {
  llvm::LLVMContext& context = function_.getContext();
  llvm::BasicBlock* const next = region.next == nullptr ? flow_.end() : region.next;
  region.exit = llvm::BasicBlock::Create(context, "exit", &function_, next);
  llvm::BranchInst::Create(next, region.exit);
  for (llvm::PHINode& phi : next->phis()) {
    llvm::Value* brought = nullptr;
    for (llvm::BasicBlock* const block : region.blocks) {
      if (const int place = phi.getBasicBlockIndex(block); place >= 0) {
        brought = phi.removeIncomingValue(static_cast<unsigned>(place), false);
      }
    }
    phi.addIncoming(brought, region.exit);
  }
  const llvm::SmallVector<llvm::BasicBlock*, 8> blocks = region.blocks;
  for (llvm::BasicBlock* const block : blocks) {
    llvm::Instruction* const end = block->getTerminator();
    if (flow_.ends_threads(block) && ended_ != nullptr && next != flow_.end()) {
      auto* const last = llvm::BasicBlock::Create(context, "return", &function_, region.exit);
      llvm::IRBuilder<> builder(last);
      builder.CreateStore(builder.getInt8(1), ended_);
      builder.CreateBr(region.exit);
      end->replaceSuccessorWith(flow_.end(), last);
      flow_.add_block(region, last);
    }
    end->replaceSuccessorWith(flow_.end(), region.exit);
    end->replaceSuccessorWith(next, region.exit);
  }
  flow_.add_block(region, region.exit);
  if (region.threads_ended) {
    llvm::BasicBlock* const begin = region.entry;
    llvm::BasicBlock* const check = flow_.add_entry(region, "check");
    llvm::IRBuilder<> builder(check->getTerminator());
    llvm::Value* const has_ended = builder.CreateIsNotNull(builder.CreateLoad(builder.getInt8Ty(), ended_));
    llvm::BranchInst* const branch = builder.CreateCondBr(has_ended, region.exit, begin);
    branch->setMetadata(has_ended_mark, llvm::MDNode::get(context, {}));
    check->getTerminator()->eraseFromParent();
  }
}

void RegionLoops::make(ParallelRegion& region, ThreadContexts& contexts) {
  const bool has_effects = llvm::any_of(region.blocks, [](const llvm::BasicBlock* block) {
    return llvm::any_of(*block, [](const llvm::Instruction& one) {
      return (one.mayHaveSideEffects() || llvm::isa<llvm::UnreachableInst>(one)) && !is_thread_index(one);
    });
  });
  if (!has_effects) {
    region.front->getTerminator()->replaceSuccessorWith(region.entry, region.exit);
    return;
  }
  const Loops loops = begin(region);
  end(region, loops);
  contexts.replace(region, loops.thread);
  set_indices(region, loops);
  mark_parallel(region, *region.exit->getTerminator());
}

/// Makes the heads of the loops over z, y and x before a region.
RegionLoops::Loops RegionLoops::begin(const ParallelRegion& region) const {
  llvm::LLVMContext& context = function_.getContext();
  Loops loops;
  llvm::IRBuilder<> builder(context);
  llvm::BasicBlock* from = region.front;
  for (const unsigned axis : {2U, 1U, 0U}) {
    loops.heads[axis] = llvm::BasicBlock::Create(context, "threads", &function_, region.entry);
    from->getTerminator()->replaceSuccessorWith(region.entry, loops.heads[axis]);
    builder.SetInsertPoint(loops.heads[axis]);
    loops.indices[axis] = builder.CreatePHI(builder.getInt32Ty(), 2);
    loops.indices[axis]->addIncoming(builder.getInt32(0), from);
    if (axis == 0) {
      loops.long_x = builder.CreatePHI(builder.getInt64Ty(), 2);
      loops.long_x->addIncoming(builder.getInt64(0), from);
    }
    // Here, since a thread may make the same sum within an inner loop, of which nothing is to be used behind it.
    loops.following[axis] = builder.CreateAdd(loops.indices[axis], builder.getInt32(1), "", true, true);
    builder.CreateBr(region.entry);
    from = loops.heads[axis];
  }
  builder.SetInsertPoint(loops.heads[1]->getTerminator());
  llvm::Value* const planes = builder.CreateMul(loops.indices[2], sides_[1], "", true, true);
  llvm::Value* const rows = builder.CreateAdd(planes, loops.indices[1], "", true, true);
  llvm::Value* const row = builder.CreateZExt(builder.CreateMul(rows, sides_[0], "", true, true), builder.getInt64Ty());
  builder.SetInsertPoint(loops.heads[0]->getTerminator());
  loops.thread = builder.CreateAdd(row, loops.long_x, "", true, true);
  return loops;
}

/// Makes the ends of the loops behind a region, the innermost at the region's exit.
void RegionLoops::end(const ParallelRegion& region, const Loops& loops) {
  llvm::BasicBlock* const next = region.exit->getTerminator()->getSuccessor(0);
  region.exit->getTerminator()->eraseFromParent();
  llvm::IRBuilder<> builder(region.exit);
  loops.long_x->addIncoming(builder.CreateAdd(loops.long_x, builder.getInt64(1), "", true, true), region.exit);
  llvm::BasicBlock* latch = region.exit;
  for (const unsigned axis : {0U, 1U, 2U}) {
    auto* const after = llvm::BasicBlock::Create(function_.getContext(), "threads.end", &function_, next);
    builder.CreateCondBr(builder.CreateICmpULT(loops.following[axis], sides_[axis]), loops.heads[axis], after);
    loops.indices[axis]->addIncoming(loops.following[axis], latch);
    builder.SetInsertPoint(after);
    latch = after;
  }
  llvm::BranchInst* const onwards = builder.CreateBr(next);
  next->replacePhiUsesWith(region.exit, latch);
  if (region.threads_end && ended_ != nullptr && next != flow_.end()) {
    checks_.emplace_back(onwards, next);
  }
}

/// Puts the indices of the loops in the place of the calls that ask for them.
void RegionLoops::set_indices(const ParallelRegion& region, const Loops& loops) {
  for (llvm::BasicBlock* const block : region.blocks) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
      if (!is_thread_index(instruction)) {
        continue;
      }
      const auto axis = llvm::cast<llvm::ConstantInt>(instruction.getOperand(0))->getZExtValue();
      const llvm::SmallVector<llvm::User*, 8> users(instruction.users());
      for (llvm::User* const user : users) {
        if (axis == 0 && llvm::isa<llvm::ZExtInst, llvm::SExtInst>(user) && user->getType() == loops.long_x->getType()) {
          user->replaceAllUsesWith(loops.long_x);
        }
      }
      instruction.replaceAllUsesWith(loops.indices[axis < loops.indices.size() ? axis : 0]);
      instruction.eraseFromParent();
    }
  }
}

/// Says of a loop that its turns depend on one another by no memory, as threads between two barriers do not.
void RegionLoops::mark_parallel(const ParallelRegion& region, llvm::Instruction& latch) const {
  llvm::LLVMContext& context = function_.getContext();
  llvm::MDNode* const group = llvm::MDNode::getDistinct(context, {});
  for (llvm::BasicBlock* const block : region.blocks) {
    for (llvm::Instruction& instruction : *block) {
      if (instruction.mayReadOrWriteMemory()) {
        llvm::MDNode* const known = instruction.getMetadata(llvm::LLVMContext::MD_access_group);
        instruction.setMetadata(llvm::LLVMContext::MD_access_group, llvm::uniteAccessGroups(known, group));
      }
    }
  }
  llvm::Type* const word = llvm::Type::getInt32Ty(context);
  const auto property = [&](llvm::StringRef name, llvm::Metadata* value) {
    return llvm::MDNode::get(context, {llvm::MDString::get(context, name), value});
  };
  llvm::MDNode* const properties = llvm::MDNode::getDistinct(
      context, {nullptr, property("llvm.loop.parallel_accesses", group),
                property("llvm.loop.vectorize.enable", llvm::ConstantAsMetadata::get(llvm::ConstantInt::getTrue(context))),
                property("llvm.loop.interleave.count", llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(word, 1)))});
  properties->replaceOperandWith(0, properties);
  latch.setMetadata(llvm::LLVMContext::MD_loop, properties);
}

RegionLoops::Counts RegionLoops::count_before(llvm::Instruction& place, llvm::Value* ended, llvm::Value* votes) const {
  llvm::BasicBlock* const before = place.getParent();
  llvm::BasicBlock* const after = llvm::SplitBlock(before, place.getIterator());
  auto* const loop = llvm::BasicBlock::Create(function_.getContext(), "count", &function_, after);
  before->getTerminator()->replaceSuccessorWith(after, loop);
  llvm::IRBuilder<> builder(loop);
  llvm::Type* const type = builder.getInt64Ty();
  const auto start = [&] {
    llvm::PHINode* const phi = builder.CreatePHI(type, 2);
    phi->addIncoming(builder.getInt64(0), before);
    return phi;
  };
  llvm::PHINode* const thread = start();
  llvm::PHINode* const threads = start();
  llvm::PHINode* const sum = start();
  llvm::Value* one = builder.getInt64(1);
  if (ended != nullptr) {
    llvm::Value* const has_ended = builder.CreateLoad(builder.getInt8Ty(), builder.CreateGEP(builder.getInt8Ty(), ended, thread));
    one = builder.CreateZExt(builder.CreateIsNull(has_ended), type);
  }
  llvm::Value* vote = builder.getInt64(0);
  if (votes != nullptr) {
    llvm::Type* const word = builder.getInt32Ty();
    vote = builder.CreateZExt(builder.CreateLoad(word, builder.CreateGEP(word, votes, thread)), type);
    vote = builder.CreateMul(one, vote);
  }
  const Counts counts{builder.CreateAdd(threads, one), builder.CreateAdd(sum, vote)};
  llvm::Value* const following = builder.CreateAdd(thread, builder.getInt64(1));
  thread->addIncoming(following, loop);
  threads->addIncoming(counts.threads, loop);
  sum->addIncoming(counts.votes, loop);
  builder.CreateCondBr(builder.CreateICmpULT(following, threads_), loop, after);
  return counts;
}

void RegionLoops::count(ThreadContexts& contexts, llvm::AllocaInst* vote) {
  llvm::Value* const ended = ended_ == nullptr ? nullptr : contexts.array_of(ended_);
  if (ended != nullptr) {
    llvm::IRBuilder<> builder(function_.getEntryBlock().getTerminator());
    builder.CreateMemSet(ended, builder.getInt8(0), threads_, llvm::MaybeAlign());
  }
  for (const auto& [onwards, next] : checks_) {
    const Counts counts = count_before(*onwards, ended, nullptr);
    llvm::IRBuilder<> builder(onwards);
    builder.CreateCondBr(builder.CreateIsNotNull(counts.threads), next, flow_.end());
    onwards->eraseFromParent();
  }
  for (llvm::Instruction* const barrier : barriers_of(function_)) {
    if (!barrier->use_empty()) {
      const Counts counts = count_before(*barrier, ended, contexts.array_of(vote));
      llvm::IRBuilder<> builder(barrier);
      constexpr unsigned word = 32;
      barrier->replaceAllUsesWith(builder.CreateOr(builder.CreateShl(counts.votes, word), counts.threads));
    }
    barrier->eraseFromParent();
  }
}

}  // namespace phpc::lanes
