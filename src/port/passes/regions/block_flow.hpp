#pragma once
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <string>
#include <utility>

namespace phpc::lanes {

/// A parallel region: text that all threads of a block run before any of them goes on. Control enters and leaves it in one place.
struct ParallelRegion {
  llvm::BasicBlock* front = nullptr;               ///< a shared block before it, for what is computed once
  llvm::BasicBlock* entry = nullptr;               ///< a block for what is computed or loaded again for each thread
  llvm::BasicBlock* exit = nullptr;                ///< null until the region is closed
  llvm::BasicBlock* next = nullptr;                ///< the shared block behind it; null where no thread comes to one
  llvm::SmallVector<llvm::BasicBlock*, 8> blocks;  ///< in reverse post-order, the entry first
  bool threads_end = false;                        ///< some threads may return from within it while others go on
  bool threads_ended = false;                      ///< some threads may have returned before it
};

/// The control flow of a kernel with barriers, whose function has the text of one thread: shared blocks, through which all
/// threads of a block go together, and between them parallel regions. Shared are barriers, the branches that decide which barrier
/// is next, where the ways from these meet, and the return. A thread may return while others go on, as exited threads of CUDA do,
/// who do not count in barriers.
class BlockFlow {
 public:
  /// The function has one return, in the block `end` of its own; its first block has its variables and what threads share.
  /// return_apart: threads are taken to return apart wherever others may come to a barrier, also by branches that all take
  /// together.
  BlockFlow(llvm::Function& function, llvm::BasicBlock* end, bool return_apart)
      : function_(function), end_(end), return_apart_(return_apart) {}

  /// Splits blocks so that each is shared or a region's, and finds the regions. Returns false where a barrier stands in control
  /// flow in which threads may part; why() then tells.
  [[nodiscard]] bool find();
  [[nodiscard]] llvm::StringRef why() const { return why_; }

  [[nodiscard]] bool is_shared(const llvm::BasicBlock* block) const { return shared_.contains(block); }
  [[nodiscard]] llvm::SmallVectorImpl<ParallelRegion>& regions() { return regions_; }
  /// The region of a block; null for shared ones.
  [[nodiscard]] ParallelRegion* region_of(const llvm::BasicBlock* block);
  [[nodiscard]] const ParallelRegion* region_of(const llvm::BasicBlock* block) const;
  /// Makes a block one of a region.
  void add_block(ParallelRegion& region, llvm::BasicBlock* block);
  /// Makes a new block the entry of a region; it leads to the one before.
  llvm::BasicBlock* add_entry(ParallelRegion& region, llvm::StringRef name);
  [[nodiscard]] llvm::BasicBlock* end() const { return end_; }
  /// Whether threads may return from a block while others go on.
  [[nodiscard]] bool ends_threads(const llvm::BasicBlock* block) const { return ends_.contains(block); }

 private:
  using Blocks = llvm::SmallSetVector<llvm::BasicBlock*, 4>;

  void find_varying();
  void split_at_barriers();
  void find_next_shared();
  /// The shared blocks that threads may come to next over an edge.
  [[nodiscard]] Blocks next_over(llvm::BasicBlock* from, llvm::BasicBlock* to) const;
  /// Makes one more branch shared, or one more edge to the return an end of threads. Returns whether there was one.
  [[nodiscard]] bool find_decision();
  [[nodiscard]] bool leads_to_same(llvm::BasicBlock* block, Blocks& all) const;
  [[nodiscard]] bool decide(llvm::BasicBlock* block, const Blocks& all);
  /// Makes one more block shared where regions meet.
  [[nodiscard]] bool find_join();
  [[nodiscard]] bool copy_ways_out(llvm::BasicBlock* first);
  void split_edges_to_phis();
  void collect_regions();
  void find_ended_threads();

  llvm::Function& function_;
  llvm::BasicBlock* end_;
  bool return_apart_;
  llvm::DenseSet<const llvm::Value*> varying_;
  llvm::DenseSet<const llvm::BasicBlock*> shared_;
  llvm::DenseSet<const llvm::BasicBlock*> ends_;
  llvm::DenseMap<const llvm::BasicBlock*, Blocks> next_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> entries_;  ///< by a region's block, its entry
  llvm::DenseMap<const llvm::BasicBlock*, std::size_t> numbers_;        ///< by a region's block, its number
  llvm::SmallVector<ParallelRegion, 8> regions_;
  std::size_t copied_ = 0;  ///< instructions
  std::string why_;
};

/// The name of metadata of a branch on whether a thread has returned in an earlier region, of which neighbours mostly do the
/// same.
inline constexpr llvm::StringLiteral has_ended_mark = "phpc.has_ended";

/// Whether an instruction calls the function of that name.
bool calls(const llvm::Instruction& instruction, llvm::StringRef name);
inline bool is_barrier(const llvm::Instruction& instruction) {
  return calls(instruction, "phpc_cuda_barrier");
}
/// Those of a function, in the order of its text.
llvm::SmallVector<llvm::Instruction*, 8> barriers_of(llvm::Function& function);
inline bool is_thread_index(const llvm::Instruction& instruction) {
  return calls(instruction, "phpc_cuda_thread_index");
}
/// Calls of which all threads of a block have the same result, and which write nothing that a kernel reads.
inline bool is_same_for_block(const llvm::Instruction& instruction) {
  return calls(instruction, "phpc_cuda_here") || calls(instruction, "phpc_cuda_shared_variable");
}

}  // namespace phpc::lanes
