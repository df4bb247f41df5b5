#pragma once
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace phpc::lanes {

/// Tells which reads of memory a lane may repeat until another lane has written there.
class Spins {
 public:
  explicit Spins(llvm::Function& function) : tree_(function), loops_(tree_) {}

  /// The place that a read may wait for; null for all others. A load may wait that a lane comes to again over a way around its
  /// loop on which it writes nothing, and on which a branch depends on the load and on nothing that the loop counts. Atomics may
  /// that can leave memory as it is: locks are taken by these.
  [[nodiscard]] llvm::Value* place_of(llvm::Instruction& read) const;

 private:
  llvm::DominatorTree tree_;
  llvm::LoopInfo loops_;
};

}  // namespace phpc::lanes
