#pragma once
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <cstddef>

namespace phpc::lanes {

/// The values of a thread's function, with all that it calls inlined, that lead to the block's shared memory, as far as its text
/// shows. Arrays of which each thread has an element of its own, `x[threadIdx.x]`, or a column, are not among
/// these.
class SharedPointers {
 public:
  explicit SharedPointers(llvm::Function& function);

  [[nodiscard]] bool contains(const llvm::Value* value) const { return values_.contains(const_cast<llvm::Value*>(value)); }

 private:
  void add(llvm::Value& value) { values_.insert(&value); }
  void follow(const llvm::Use& use);
  void keep_in(const llvm::Value* place);

  llvm::SetVector<llvm::Value*> values_;  ///< with the variables that hold some, and pointers to these
  llvm::DenseSet<llvm::Value*> holders_;  ///< the latter
  bool are_kept_outside_ = false;         ///< in memory that is not a thread's own: what is loaded from shared memory may be some
  std::size_t next_ = 0;
};

}  // namespace phpc::lanes
