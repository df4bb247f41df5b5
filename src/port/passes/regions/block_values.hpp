#pragma once
#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include "port/passes/regions/block_flow.hpp"

namespace phpc::lanes {

/// The values of a kernel that are the same for all threads of a block and can be computed once for all of them, in the shared
/// control flow: what is made of the kernel's parameters, the block's index, results of barriers, and loads from memory that no
/// thread writes between the barrier before and the load.
class BlockValues {
 public:
  BlockValues(llvm::Function& function, const BlockFlow& flow);

  [[nodiscard]] bool is_shared(const llvm::Value* value) const;
  /// What a branch in a shared block depends on that is no such value; null where there is none.
  [[nodiscard]] const llvm::Value* unknown_condition() const;
  /// Moves those that regions compute to the shared blocks before them.
  void move_to_fronts(BlockFlow& flow) const;

 private:
  [[nodiscard]] bool may_be_shared(const llvm::Instruction& instruction) const;
  [[nodiscard]] bool may_be_shared(const llvm::PHINode& phi) const;
  template <class Condition>
  [[nodiscard]] bool any_before(const llvm::Instruction& instruction, const ParallelRegion& region, Condition holds) const;
  [[nodiscard]] bool is_always_run(const llvm::Instruction& instruction, const ParallelRegion& region) const;
  [[nodiscard]] bool is_unwritten(const llvm::LoadInst& load, const ParallelRegion& region) const;

  llvm::Function& function_;
  const BlockFlow& flow_;
  llvm::PostDominatorTree post_dominators_;
  llvm::DenseSet<const llvm::Instruction*> shared_;
};

}  // namespace phpc::lanes
