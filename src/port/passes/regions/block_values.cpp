#include "port/passes/regions/block_values.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/GlobalVariable.h>

namespace phpc::lanes {

namespace {

enum class Memory : std::uint8_t { unknown, of_thread, of_block, of_grid };

/// The memory that a pointer leads to: a thread's own variables, the block's shared memory, or that of the whole grid, which a
/// kernel's parameters and global variables lead to.
Memory memory_of(const llvm::Value* pointer) {
  const llvm::Value* const object = llvm::getUnderlyingObject(pointer, 0);
  if (llvm::isa<llvm::AllocaInst>(object)) {
    return Memory::of_thread;
  }
  if (llvm::isa<llvm::GlobalVariable>(object)) {
    return Memory::of_grid;
  }
  if (const auto* const call = llvm::dyn_cast<llvm::CallInst>(object)) {
    return calls(*call, "phpc_cuda_shared_variable") ? Memory::of_block : Memory::unknown;
  }
  if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(object)) {
    const llvm::Value* const from = llvm::getUnderlyingObject(load->getPointerOperand(), 0);
    const auto* const parameter = llvm::dyn_cast<llvm::Argument>(from);
    const auto* const call = llvm::dyn_cast<llvm::CallInst>(from);
    return parameter != nullptr && parameter->hasNoAliasAttr() ? Memory::of_grid
           : call != nullptr && calls(*call, "phpc_cuda_here") ? Memory::of_block  // dynamic shared memory
                                                               : Memory::unknown;
  }
  return Memory::unknown;
}

/// Whether an instruction may write memory of a kind.
bool writes(const llvm::Instruction& instruction, Memory memory) {
  if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    const Memory written = memory_of(store->getPointerOperand());
    return written == memory || (written != Memory::of_thread && (written == Memory::unknown || memory == Memory::unknown));
  }
  return instruction.mayWriteToMemory() && !is_same_for_block(instruction) && !is_thread_index(instruction);
}

}  // namespace

BlockValues::BlockValues(llvm::Function& function, const BlockFlow& flow)
    : function_(function), flow_(flow), post_dominators_(function) {
  for (const llvm::BasicBlock& block : function) {
    for (const llvm::Instruction& instruction : block) {
      if (may_be_shared(instruction)) {
        shared_.insert(&instruction);
      }
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::BasicBlock& block : function) {
      for (const llvm::Instruction& instruction : block) {
        if (shared_.contains(&instruction) && !is_barrier(instruction) &&
            !llvm::all_of(instruction.operands(),
                          [&](const llvm::Use& one) { return llvm::isa<llvm::BasicBlock>(one.get()) || is_shared(one.get()); })) {
          shared_.erase(&instruction);
          changed = true;
        }
      }
    }
  }
}

bool BlockValues::is_shared(const llvm::Value* value) const {
  const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
  return instruction == nullptr ? llvm::isa<llvm::Constant, llvm::Argument>(value) : shared_.contains(instruction);
}

const llvm::Value* BlockValues::unknown_condition() const {
  for (const llvm::BasicBlock& block : function_) {
    const llvm::Instruction* const end = block.getTerminator();
    if (flow_.is_shared(&block) && end->getNumSuccessors() > 1 && !is_shared(end->getOperand(0))) {
      return end->getOperand(0);
    }
  }
  return nullptr;
}

/// Whether an instruction can be computed once if all of its operands can.
bool BlockValues::may_be_shared(const llvm::Instruction& instruction) const {
  if (instruction.getType()->isVoidTy() || instruction.isTerminator() || llvm::isa<llvm::AllocaInst>(instruction) ||
      is_thread_index(instruction)) {
    return false;
  }
  if (is_barrier(instruction) || is_same_for_block(instruction)) {
    return true;
  }
  if (const auto* const phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
    return may_be_shared(*phi);
  }
  const ParallelRegion* const region = flow_.region_of(instruction.getParent());
  if (region == nullptr) {
    return instruction.getParent()->isEntryBlock();
  }
  if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    return load->isSimple() && is_unwritten(*load, *region) &&
           (llvm::isSafeToSpeculativelyExecute(load) || is_always_run(*load, *region));
  }
  if (instruction.mayReadOrWriteMemory() || instruction.mayThrow() || !instruction.willReturn()) {
    return false;
  }
  return llvm::isSafeToSpeculativelyExecute(&instruction) || is_always_run(instruction, *region);
}

/// A phi where regions meet chooses the same for all threads, if they bring the same over each way.
bool BlockValues::may_be_shared(const llvm::PHINode& phi) const {
  if (!flow_.is_shared(phi.getParent())) {
    return false;
  }
  llvm::DenseMap<const ParallelRegion*, const llvm::Value*> brought;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const ParallelRegion* const region = flow_.region_of(phi.getIncomingBlock(i));
    const auto [known, is_new] = brought.try_emplace(region, phi.getIncomingValue(i));
    if (!is_new && known->second != phi.getIncomingValue(i)) {
      return false;
    }
  }
  return true;
}

/// Whether a condition holds for any instruction of a region that a thread may run before another.
template <class Condition>
bool BlockValues::any_before(const llvm::Instruction& instruction, const ParallelRegion& region, Condition holds) const {
  const llvm::BasicBlock* const own = instruction.getParent();
  if (std::any_of(own->begin(), instruction.getIterator(), holds)) {
    return true;
  }
  llvm::SmallVector<const llvm::BasicBlock*, 8> left{own};
  llvm::DenseSet<const llvm::BasicBlock*> seen;
  while (!left.empty()) {
    const llvm::BasicBlock* const block = left.pop_back_val();
    for (const llvm::BasicBlock* const before : llvm::predecessors(block)) {
      if (flow_.region_of(before) != &region || block == region.entry || !seen.insert(before).second) {
        continue;
      }
      if (std::any_of(before->begin(), before->end(), holds)) {
        return true;
      }
      left.push_back(before);
    }
  }
  return false;
}

/// Whether all threads that begin a region come to an instruction; a call before it may end the program.
bool BlockValues::is_always_run(const llvm::Instruction& instruction, const ParallelRegion& region) const {
  return post_dominators_.dominates(instruction.getParent(), region.entry) &&
         !any_before(instruction, region, [](const llvm::Instruction& one) {
           return !one.isTerminator() && !is_same_for_block(one) && !is_thread_index(one) &&
                  !llvm::isGuaranteedToTransferExecutionToSuccessor(&one);
         });
}

/// Whether no thread writes memory in a region before it loads there. (One that writes what another loads between the same
/// barriers is in a race with it.)
bool BlockValues::is_unwritten(const llvm::LoadInst& load, const ParallelRegion& region) const {
  const llvm::Value* const object = llvm::getUnderlyingObject(load.getPointerOperand(), 0);
  const auto* const call = llvm::dyn_cast<llvm::CallInst>(object);
  const auto* const parameter = llvm::dyn_cast<llvm::Argument>(object);
  const auto* const constant = llvm::dyn_cast<llvm::GlobalVariable>(object);
  if ((call != nullptr && calls(*call, "phpc_cuda_here")) || (parameter != nullptr && parameter->hasNoAliasAttr()) ||
      (constant != nullptr && constant->isConstant())) {
    return true;
  }
  if (llvm::isa<llvm::AllocaInst>(object)) {
    return false;
  }
  const Memory memory = memory_of(load.getPointerOperand());
  return !any_before(load, region, [&](const llvm::Instruction& one) { return writes(one, memory); });
}

void BlockValues::move_to_fronts(BlockFlow& flow) const {
  for (ParallelRegion& region : flow.regions()) {
    for (llvm::BasicBlock* const block : region.blocks) {
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
        if (shared_.contains(&instruction)) {
          instruction.moveBefore(region.front->getTerminator());
          instruction.dropUBImplyingAttrsAndMetadata();
        }
      }
    }
  }
}

}  // namespace phpc::lanes
