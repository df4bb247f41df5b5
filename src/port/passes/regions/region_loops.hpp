#pragma once
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <array>

#include "port/passes/regions/block_flow.hpp"
#include "port/passes/regions/thread_contexts.hpp"

namespace phpc::lanes {

/// Makes parallel regions loops over the threads of a block, whose turns may run in lanes.
class RegionLoops {
 public:
  /// sides: of a block, x first, 32 bits each, known in the first block.
  RegionLoops(llvm::Function& function, BlockFlow& flow, const std::array<llvm::Value*, 3>& sides);

  /// The number of threads, 64 bits.
  [[nodiscard]] llvm::Value* threads() const { return threads_; }
  /// Gives each region one exit, and lets threads that have returned do nothing. Adds a variable of each thread's own that tells
  /// which have.
  void close();
  /// Makes a loop of a region.
  void make(ParallelRegion& region, ThreadContexts& contexts);
  /// Puts what barriers return, and whether any thread is left, in their places. vote: a thread's predicate.
  void count(ThreadContexts& contexts, llvm::AllocaInst* vote);

 private:
  /// The loops over a block's threads, by axis; the one over x, the innermost, counts in 64 bits as well.
  struct Loops {
    std::array<llvm::BasicBlock*, 3> heads{};
    std::array<llvm::PHINode*, 3> indices{};
    std::array<llvm::Value*, 3> following{};
    llvm::PHINode* long_x = nullptr;
    llvm::Value* thread = nullptr;  ///< the number of the thread in the block, 64 bits
  };
  struct Counts {
    llvm::Value* threads;  ///< that have not returned, 64 bits
    llvm::Value* votes;    ///< of these, 64 bits
  };
  void close(ParallelRegion& region);
  [[nodiscard]] Loops begin(const ParallelRegion& region) const;
  void end(const ParallelRegion& region, const Loops& loops);
  static void set_indices(const ParallelRegion& region, const Loops& loops);
  void mark_parallel(const ParallelRegion& region, llvm::Instruction& latch) const;
  /// Counts threads before an instruction, from which its block is split.
  Counts count_before(llvm::Instruction& place, llvm::Value* ended, llvm::Value* votes) const;

  llvm::Function& function_;
  BlockFlow& flow_;
  std::array<llvm::Value*, 3> sides_;
  llvm::Value* threads_;
  llvm::AllocaInst* ended_ = nullptr;  ///< whether a thread has returned; null where none does before others
  llvm::SmallVector<std::pair<llvm::BranchInst*, llvm::BasicBlock*>, 4>
      checks_;  ///< ways on from regions in which threads return
};

}  // namespace phpc::lanes
