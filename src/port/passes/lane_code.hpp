#pragma once
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include "port/passes/lane_facts.hpp"

namespace phpc::lanes {

/// Writes the code of a loop's body for several threads at once, a thread in each lane of vectors, beside the loop.
class LaneCode {
 public:
  /// Code for `lanes` threads. It ends in `done`; where lanes part on a guard, in `in_turn`.
  LaneCode(const LaneFacts& facts, const llvm::TargetLibraryInfo& library, unsigned lanes, llvm::BasicBlock* done,
           llvm::BasicBlock* in_turn);

  /// Writes it and returns the block that it begins with. `starts`: of each phi of the loop's header, its value in the first of
  /// the threads.
  llvm::BasicBlock* write(const llvm::DenseMap<llvm::PHINode*, llvm::Value*>& starts);

 private:
  using Parts = llvm::SmallVector<llvm::Value*, 4>;
  struct Lanes {
    Parts parts;                      ///< vectors of all lanes, one for each number of the value's type
    llvm::Value* first = nullptr;     ///< of affine values, what the first lane has
    llvm::Value* straight = nullptr;  ///< i1: whether they are affine indeed, no sum having wrapped; null = yes
  };
  void write_block(llvm::BasicBlock* block);
  void write_instruction(llvm::Instruction& instruction);
  void write_end(llvm::BasicBlock* block);
  void write_guard(llvm::BasicBlock* block, const llvm::BranchInst& branch);
  void write_region(const Region& region);
  void leave_block(const llvm::BasicBlock* block, llvm::Value* mask);
  void begin_masked_loop(const llvm::Loop& loop);
  void end_masked_loop(const llvm::Loop& loop);
  void bring(llvm::PHINode& phi, llvm::Value* value, llvm::BasicBlock* by);
  [[nodiscard]] llvm::Value* mask_from(const llvm::BasicBlock* block);
  [[nodiscard]] Parts came_with(llvm::PHINode& phi, unsigned edge);
  void begin_thinning(const llvm::Loop& loop);
  void end_thinning(const llvm::Loop& loop);
  [[nodiscard]] llvm::Value* mask_of(const llvm::Loop* thinning) const;
  void write_phi(llvm::PHINode& phi);
  void join_phi(llvm::PHINode& phi);
  void end_phis();
  void end_phi(llvm::PHINode& phi);
  [[nodiscard]] Parts chosen_in_region(llvm::PHINode& phi, const Region& region);
  void write_affine(llvm::Instruction& instruction);
  [[nodiscard]] llvm::Value* load_if_any(llvm::Instruction* load);
  void write_parts(llvm::Instruction& instruction);
  [[nodiscard]] llvm::Value* write_part(llvm::Instruction& instruction, unsigned part);
  [[nodiscard]] llvm::Value* write_division(const llvm::BinaryOperator& division, llvm::Value* left, llvm::Value* right);
  [[nodiscard]] llvm::Value* divide_words(const llvm::BinaryOperator& division, llvm::Value* left, llvm::Value* right);
  [[nodiscard]] llvm::Value* known_pointers(const llvm::Value* pointer);
  [[nodiscard]] llvm::Value* are_straight(llvm::Value* pointers, std::uint64_t bytes);
  [[nodiscard]] llvm::Value* load_column(llvm::Value* first, llvm::Type* element, unsigned distance, llvm::Align align);
  [[nodiscard]] llvm::Value* gather(llvm::Type* element, llvm::Value* pointers, llvm::Align align);
  [[nodiscard]] llvm::Value* write_address(const llvm::GetElementPtrInst& address);
  void write_shuffle(const llvm::ShuffleVectorInst& shuffle);
  void write_call(llvm::CallInst& call);
  void write_calls(llvm::CallInst& call);
  [[nodiscard]] llvm::Value* call_library(llvm::CallInst& call, llvm::StringRef name);
  void write_words(llvm::MemIntrinsic& words);
  void write_atomic(llvm::AtomicRMWInst& atomic);
  void write_load(llvm::LoadInst& load);
  void write_store(llvm::StoreInst& store);
  [[nodiscard]] Parts load_parts(const llvm::Value* pointer, llvm::Type* type, llvm::Align align);
  void store_parts(const llvm::Value* pointer, llvm::Type* type, llvm::ArrayRef<llvm::Value*> parts, llvm::Align align);
  /// Runs `near` where the lanes' memory is one piece, else `apart`.
  void where_straight(llvm::Value* straight, llvm::function_ref<Parts()> near, llvm::function_ref<Parts()> apart, Parts& result);
  void make_own_arrays();
  [[nodiscard]] Parts load_own(const llvm::Value* pointer, llvm::Type* type, llvm::Align align);
  void store_own(const llvm::Value* pointer, llvm::ArrayRef<llvm::Value*> parts_stored, llvm::Align align);
  [[nodiscard]] llvm::Value* place_of_own(const llvm::Value* pointer, std::uint64_t element_bytes, unsigned part);
  [[nodiscard]] llvm::Value* all_lanes_of(llvm::Value* pointers, llvm::Type* element, unsigned part);

  [[nodiscard]] llvm::Type* wide(llvm::Type* type) const;
  [[nodiscard]] llvm::Value* first_of(const llvm::Value* value);
  [[nodiscard]] llvm::Value* straight_of(const llvm::Value* value) const;
  [[nodiscard]] Parts parts(const llvm::Value* value);
  [[nodiscard]] llvm::Value* part(const llvm::Value* value, unsigned number) { return parts(value)[number]; }
  [[nodiscard]] llvm::Value* both(llvm::Value* one, llvm::Value* other);

  const LaneFacts& facts_;
  const llvm::TargetLibraryInfo& library_;
  unsigned lanes_;
  llvm::BasicBlock* done_;
  llvm::BasicBlock* in_turn_;
  llvm::Function& function_;
  llvm::IRBuilder<> builder_;
  llvm::Value* mask_ = nullptr;  ///< of the lanes that run the block; null = all
  llvm::DenseMap<const llvm::Value*, Lanes> values_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> blocks_;
  llvm::DenseMap<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, llvm::BasicBlock*> edges_;
  llvm::DenseMap<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, llvm::Value*> edge_masks_;
  llvm::DenseMap<const Region*, llvm::BasicBlock*> region_ends_;
  llvm::DenseMap<const llvm::Loop*, llvm::PHINode*> thinning_masks_;
  llvm::DenseMap<const llvm::PHINode*, Parts> left_with_;  ///< what lanes have of a value that is used behind a thinning loop
  /// An edge out of a loop of a region: the lanes that have left by it, and what they had of each phi behind it.
  struct Exit {
    llvm::Loop::Edge edge;
    llvm::PHINode* left = nullptr;
    llvm::SmallVector<std::pair<llvm::PHINode*, Parts>, 2> with;
  };
  /// A loop of a region: the block that it begins with, the one before, the lanes that are in it, and how they leave.
  struct MaskedLoop {
    llvm::BasicBlock* before = nullptr;
    llvm::BasicBlock* begin = nullptr;
    llvm::PHINode* running = nullptr;
    llvm::SmallVector<Exit, 2> exits;
  };
  llvm::DenseMap<const llvm::Loop*, MaskedLoop> masked_loops_;
  llvm::DenseMap<std::pair<const llvm::PHINode*, unsigned>, Parts> came_with_;  ///< by a phi behind such a loop, and its edge
  llvm::DenseMap<llvm::AllocaInst*, llvm::AllocaInst*> own_arrays_;             ///< to those of all lanes
};

}  // namespace phpc::lanes
