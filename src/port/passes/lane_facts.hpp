#pragma once
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <string>

namespace phpc::lanes {

/// How the values of one instruction differ between neighbouring lanes, threads x, x + 1, ... of a block.
struct Shape {
  enum Kind : std::uint8_t { unknown, affine, varying };
  Kind kind = unknown;
  std::int64_t stride = 0;  ///< affine: what a lane has more than the one before, modulo 2^bits; 0 = uniform, pointers in bytes

  [[nodiscard]] bool uniform() const { return kind == affine && stride == 0; }
  bool operator==(const Shape&) const = default;
};

/// Blocks between a branch on which lanes differ and the block where all of them meet again. They run one after another, under
/// masks; a loop among them runs until no lane is left in it, wherever lanes leave it.
struct Region {
  llvm::BasicBlock* head = nullptr;  ///< ends in the branch, or leads to the only loop of the region
  llvm::BasicBlock* join = nullptr;
  llvm::SmallVector<llvm::BasicBlock*, 4> blocks;  ///< in an order in which all lead onwards, those of a loop together
};

/// A variable of the frame that each thread has for its own, and that lanes therefore have one each of: element i of lane l lies
/// at place i * lanes + l.
struct OwnArray {
  std::uint64_t bytes = 0;          ///< of one thread's
  std::uint64_t element_bytes = 0;  ///< of each access
};

/// The analyses of the function that a loop lies in.
struct Analyses {
  llvm::LoopInfo& loops;
  llvm::DominatorTree& dominators;
  llvm::PostDominatorTree& post_dominators;
  llvm::ScalarEvolution& evolution;
  const llvm::TargetLibraryInfo& library;
};

/// What is known of a loop over independent threads before it runs in lanes: which values are the same in all lanes, which
/// branches lanes take together, and whether all its instructions have a form in lanes.
class LaneFacts {
 public:
  LaneFacts(llvm::Loop& loop, const Analyses& analyses);

  /// Whether lanes can run the loop.
  [[nodiscard]] bool supported() const { return supported_; }
  /// Why they cannot.
  [[nodiscard]] llvm::StringRef why() const { return why_; }
  /// Whether lanes are expected to be faster than one thread after another, where these run in loops of their own that clang may
  /// run in vectors.
  [[nodiscard]] bool pays(unsigned lanes) const;
  /// Whether clang's own vectoriser does as well: threads have no loops of their own, no branches on indices, and divide no
  /// integers by others than constants.
  [[nodiscard]] bool is_left_to_vectorizer() const;
  /// Whether most numbers are of 64 bits.
  [[nodiscard]] bool is_wide() const;

  [[nodiscard]] const llvm::SmallVectorImpl<llvm::BasicBlock*>& order() const { return order_; }  ///< reverse post-order
  [[nodiscard]] Shape shape(const llvm::Value* value) const;
  [[nodiscard]] bool is_masked(const llvm::BasicBlock* block) const { return masked_.contains(block); }
  /// The innermost loop around a block of a region, within the region; null if there is none.
  [[nodiscard]] const llvm::Loop* masked_loop(const llvm::BasicBlock* block) const;
  /// The innermost loop around a block from whose turns lanes go one by one, by the branch at its end; null if there is none.
  [[nodiscard]] const llvm::Loop* thinning_loop(const llvm::BasicBlock* block) const;
  /// A branch on indices before anything is written: lanes that differ on it run as threads one after another.
  [[nodiscard]] bool is_guard(const llvm::BasicBlock* block) const { return guards_.contains(block); }
  [[nodiscard]] const Region* region_at(const llvm::BasicBlock* head) const;
  /// The region whose edges into a block include that from `from`.
  [[nodiscard]] const Region* region_of_edge(const llvm::BasicBlock* from, const llvm::BasicBlock* to) const;
  /// Whether threads can still run one after another from the beginning: nothing is written before an instruction.
  [[nodiscard]] bool may_turn_back(const llvm::Instruction& instruction) const;
  /// The variable of a thread's own that a pointer leads to; null if that is other memory.
  [[nodiscard]] llvm::AllocaInst* own_array(const llvm::Value* pointer) const;
  [[nodiscard]] const llvm::DenseMap<llvm::AllocaInst*, OwnArray>& own_arrays() const { return own_arrays_; }
  /// The bytes of all variables of a thread's own.
  [[nodiscard]] std::uint64_t own_bytes() const;
  /// Whether lanes that differ in more than a stride may still read or write numbers that lie one after another, most of the
  /// time: where an index is put together from quotients and rests of another.
  [[nodiscard]] bool may_be_straight(const llvm::Value* pointer) const;
  /// How many numbers further on each lane reads a number than the one before, where that is 2 to 8; 0 otherwise.
  [[nodiscard]] unsigned rows_apart(const llvm::Value* pointer, llvm::Type* type) const;
  /// The stores of a row of numbers, by their places, of which `store` is the last that runs: lanes have rows one after another,
  /// and nothing else is read or written between these stores. Null where `store` is not such.
  [[nodiscard]] const llvm::SmallVectorImpl<llvm::StoreInst*>* row_of(const llvm::StoreInst* store) const;
  /// Whether a store is in such a row and not the last.
  [[nodiscard]] bool waits_for_row(const llvm::StoreInst* store) const { return waiting_stores_.contains(store); }
  /// Whether a call has a form for all lanes at once; otherwise it is one call a lane.
  [[nodiscard]] bool has_vector_form(const llvm::CallInst& call) const;
  [[nodiscard]] llvm::Loop& loop() const { return loop_; }

 private:
  [[nodiscard]] bool find_own_arrays();
  [[nodiscard]] bool add_own_array(llvm::AllocaInst* variable);
  bool find_shapes();
  [[nodiscard]] Shape shape_of(const llvm::Instruction& instruction) const;
  [[nodiscard]] Shape shape_of_phi(const llvm::PHINode& phi) const;
  [[nodiscard]] Shape shape_of_sum(const llvm::GetElementPtrInst& address) const;
  [[nodiscard]] bool find_branches();
  [[nodiscard]] bool add_thinning_loop(llvm::BasicBlock* latch);
  [[nodiscard]] bool has_mask(const llvm::BasicBlock* block) const { return is_masked(block) || thinning_loop(block) != nullptr; }
  [[nodiscard]] bool add_region(llvm::BasicBlock* head);
  void find_rows();
  void append_in_order(llvm::ArrayRef<llvm::BasicBlock*> blocks, const llvm::Loop* around,
                       llvm::SmallVectorImpl<llvm::BasicBlock*>& order) const;
  [[nodiscard]] bool leads_onwards(const Region& region) const;
  [[nodiscard]] bool leaves_masked_loop(const llvm::Value* value, const llvm::PHINode& phi) const;
  [[nodiscard]] bool writes_before(const llvm::BasicBlock* block) const;
  [[nodiscard]] bool depends_on_loads(const llvm::Value* value) const;
  [[nodiscard]] bool has_form(const llvm::Instruction& instruction) const;
  [[nodiscard]] bool has_form(const llvm::CallInst& call) const;
  [[nodiscard]] bool has_form_of_words(const llvm::CallInst& call) const;
  [[nodiscard]] bool has_inner_loops() const { return !loop_.isInnermost(); }
  [[nodiscard]] bool is_apart(const llvm::Instruction& access) const;
  [[nodiscard]] bool is_known_function(const llvm::CallInst& call) const;
  [[nodiscard]] double cost_in_turn(const llvm::Instruction& instruction) const;
  [[nodiscard]] double cost_in_lanes(const llvm::Instruction& instruction, unsigned lanes) const;
  [[nodiscard]] bool has_vectors_of_its_own(const llvm::Loop& inner) const;

  llvm::Loop& loop_;
  const Analyses& analyses_;
  llvm::SmallVector<llvm::BasicBlock*, 16> order_;
  llvm::DenseMap<const llvm::Value*, Shape> shapes_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> masked_;  ///< to the number of the region
  llvm::DenseSet<const llvm::BasicBlock*> guards_;
  llvm::DenseSet<const llvm::Loop*> thinning_loops_;
  llvm::DenseSet<const llvm::BasicBlock*> loop_heads_;  ///< that lead to a loop which lanes leave in its middle
  llvm::DenseMap<llvm::AllocaInst*, OwnArray> own_arrays_;
  llvm::SmallVector<Region, 4> regions_;
  llvm::DenseMap<const llvm::StoreInst*, llvm::SmallVector<llvm::StoreInst*, 4>> rows_;  ///< by their last store
  llvm::DenseSet<const llvm::StoreInst*> waiting_stores_;
  bool supported_ = false;
  std::string why_;
};

/// Calls that do nothing when the program runs.
bool is_note(const llvm::Instruction& instruction);
/// Numbers of a value's type: 1, or the elements of a short vector.
unsigned parts_of(const llvm::Type* type);
/// Bytes of a memset or memcpy that is a few stores of words; 0 otherwise.
std::uint64_t bytes_as_words(const llvm::CallInst& call, std::uint64_t word = 4);

}  // namespace phpc::lanes
