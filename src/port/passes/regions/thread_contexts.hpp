#pragma once
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <utility>

#include "port/passes/regions/block_flow.hpp"
#include "port/passes/regions/block_values.hpp"

namespace phpc::lanes {

/// Makes what a thread keeps from one parallel region to another independent of registers: indices are computed again, other
/// values become variables of the frame.
class KeptValues {
 public:
  KeptValues(llvm::Function& function, BlockFlow& flow, const BlockValues& values)
      : function_(function), flow_(flow), values_(values) {}

  void keep();

 private:
  void keep_phis();
  void keep_value(llvm::Instruction& value);
  /// Puts the value that `in_region` makes at a region's entry in the place of the uses there.
  template <class InRegion>
  void replace_uses(llvm::Instruction& value, const ParallelRegion* own, InRegion in_region);
  [[nodiscard]] bool is_cheap(const llvm::Value* value, unsigned& left) const;
  [[nodiscard]] llvm::Value* compute_again(llvm::Value* value, const ParallelRegion& region);
  [[nodiscard]] llvm::AllocaInst* new_variable(llvm::Type* type) const;

  llvm::Function& function_;
  BlockFlow& flow_;
  const BlockValues& values_;
  llvm::DenseMap<std::pair<const llvm::Value*, const ParallelRegion*>, llvm::Value*> again_;
};

/// The variables of all threads of a block, in memory of the library's: those of the frame become arrays with an element for each
/// thread.
class ThreadContexts {
 public:
  /// threads: how many there are (64 bits), known in the first block.
  ThreadContexts(llvm::Function& function, llvm::Value* threads);

  /// Puts the variables of thread `thread` (64 bits) in the place of the frame's in the blocks of a region, at whose entry the
  /// number is known.
  void replace(const ParallelRegion& region, llvm::Value* thread);
  /// The array of a variable.
  [[nodiscard]] llvm::Value* array_of(llvm::AllocaInst* variable) const { return layouts_.lookup(variable).array; }
  /// Takes the variables, which are used no more, out of the frame.
  void erase_variables();

 private:
  struct Layout {
    std::uint64_t bytes = 0;  ///< of one thread's
    std::uint64_t element =
        0;  ///< whose elements lie one thread's beside the next one's: their bytes; else 0, and each thread's lie together
    llvm::Value* array = nullptr;
  };
  static void align_accesses(llvm::Instruction& pointer, llvm::Align align);
  void scale_offsets(llvm::Instruction& pointer);

  llvm::Function& function_;
  llvm::Value* padded_;  ///< the number of threads, a multiple of 64
  llvm::SmallVector<llvm::AllocaInst*, 8> variables_;
  llvm::DenseMap<llvm::AllocaInst*, Layout> layouts_;
};

}  // namespace phpc::lanes
