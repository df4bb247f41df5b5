#include "port/passes/lane_facts.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>

#include <algorithm>

#include "port/passes/regions/block_flow.hpp"

namespace phpc::lanes {

namespace {

constexpr Shape same{.kind = Shape::affine, .stride = 0};
constexpr Shape different{.kind = Shape::varying};

Shape affine_shape(std::int64_t stride) {
  return {.kind = Shape::affine, .stride = stride};
}

}  // namespace

LaneFacts::LaneFacts(llvm::Loop& loop, const Analyses& analyses) : loop_(loop), analyses_(analyses) {
  llvm::LoopBlocksRPO order(&loop);
  order.perform(&analyses.loops);
  order_.append(order.begin(), order.end());
  for (llvm::PHINode& phi : loop.getHeader()->phis()) {
    const auto* const index = llvm::dyn_cast<llvm::SCEVAddRecExpr>(analyses.evolution.isSCEVable(phi.getType())
                                                                       ? analyses.evolution.getSCEV(&phi)
                                                                       : analyses.evolution.getCouldNotCompute());
    const auto* const step = index != nullptr && index->isAffine() && index->getLoop() == &loop && phi.getType()->isIntegerTy()
                                 ? llvm::dyn_cast<llvm::SCEVConstant>(index->getStepRecurrence(analyses.evolution))
                                 : nullptr;
    if (step == nullptr) {
      why_ = "a value goes from one thread to the next";
      return;
    }
    shapes_[&phi] = affine_shape(step->getAPInt().getSExtValue());
  }
  if (!find_own_arrays()) {
    return;
  }
  (void)find_shapes();
  const auto found = [&] { return masked_.size() + thinning_loops_.size() + loop_heads_.size(); };
  for (std::size_t before = 0;;) {  // values differ where masks are, and masks where values differ
    const std::size_t heads = loop_heads_.size();
    regions_.clear();
    masked_.clear();
    guards_.clear();
    if (find_branches()) {
      const bool changed = find_shapes();
      if (!changed && found() == before) {
        break;
      }
      before = found();
    } else if (loop_heads_.size() == heads) {
      why_ = "threads differ in how they branch";
      return;
    }
  }
  find_rows();
  supported_ = llvm::all_of(order_, [&](const llvm::BasicBlock* block) {
    return llvm::all_of(*block, [&](const llvm::Instruction& instruction) {
      if (has_form(instruction)) {
        return true;
      }
      llvm::raw_string_ostream(why_ = "no form in lanes of: ") << instruction;
      return false;
    });
  });
}

Shape LaneFacts::shape(const llvm::Value* value) const {
  const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction == nullptr || !loop_.contains(instruction)) {
    return same;
  }
  const auto found = shapes_.find(value);
  return found == shapes_.end() ? Shape() : found->second;
}

const Region* LaneFacts::region_at(const llvm::BasicBlock* head) const {
  const auto* const found = llvm::find_if(regions_, [&](const Region& region) { return region.head == head; });
  return found == regions_.end() ? nullptr : found;
}

const Region* LaneFacts::region_of_edge(const llvm::BasicBlock* from, const llvm::BasicBlock* to) const {
  const auto found = masked_.find(from);
  const Region* const region = found == masked_.end() ? region_at(from) : &regions_[found->second];
  return region != nullptr && region->join == to ? region : nullptr;
}

const llvm::Loop* LaneFacts::thinning_loop(const llvm::BasicBlock* block) const {
  const llvm::Loop* loop = analyses_.loops.getLoopFor(block);
  while (loop != &loop_ && (!thinning_loops_.contains(loop) || is_masked(loop->getHeader()))) {
    loop = loop->getParentLoop();
  }
  return loop == &loop_ ? nullptr : loop;
}

const llvm::Loop* LaneFacts::masked_loop(const llvm::BasicBlock* block) const {
  const llvm::Loop* const loop = is_masked(block) ? analyses_.loops.getLoopFor(block) : nullptr;
  return loop != nullptr && is_masked(loop->getHeader()) ? loop : nullptr;
}

/// Whether a phi has a value from a loop of a region that it stands behind: lanes have it from different turns.
bool LaneFacts::leaves_masked_loop(const llvm::Value* value, const llvm::PHINode& phi) const {
  const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
  const llvm::Loop* const loop = instruction == nullptr ? nullptr : masked_loop(instruction->getParent());
  return loop != nullptr && !loop->contains(&phi);
}

bool LaneFacts::find_shapes() {
  bool any = false;
  const llvm::BasicBlock* const header = loop_.getHeader();
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::BasicBlock* const block : order_) {
      for (const llvm::Instruction& instruction : *block) {
        if (block == header && llvm::isa<llvm::PHINode>(instruction)) {
          continue;
        }
        Shape& now = shapes_[&instruction];
        const Shape next = shape_of(instruction);
        if (now.kind != Shape::varying && next.kind != Shape::unknown && !(next == now)) {
          now = now.kind == Shape::unknown ? next : different;
          changed = true;
        }
      }
    }
    any = any || changed;
  }
  return any;
}

Shape LaneFacts::shape_of_phi(const llvm::PHINode& phi) const {
  Shape all;
  // Lanes that are in a loop are in the same turn of it.
  const llvm::Loop* const around = masked_loop(phi.getParent());
  bool in_region = is_masked(phi.getParent()) && (around == nullptr || around->getHeader() != phi.getParent());
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    const Shape one = shape(phi.getIncomingValue(i));
    in_region = in_region || region_of_edge(phi.getIncomingBlock(i), phi.getParent()) != nullptr;
    const llvm::Loop* const thinning = thinning_loop(phi.getIncomingBlock(i));
    const auto* const value = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValue(i));
    if (thinning != nullptr && !thinning->contains(&phi) && value != nullptr && thinning->contains(value)) {
      return different;  // lanes have it from different turns
    }
    if (leaves_masked_loop(phi.getIncomingValue(i), phi)) {
      return different;
    }
    if (one.kind == Shape::unknown) {
      continue;
    }
    all = all.kind == Shape::unknown || all == one ? one : different;
  }
  return in_region && !(all.uniform() && phi.hasConstantValue() != nullptr) ? different : all;
}

Shape LaneFacts::shape_of_sum(const llvm::GetElementPtrInst& address) const {
  const llvm::DataLayout& layout = address.getDataLayout();
  const llvm::Value* const base = address.getPointerOperand();
  Shape sum = shape(base);
  bool all_same = sum.uniform();
  if (address.getType()->isVectorTy()) {
    return different;
  }
  for (auto part = llvm::gep_type_begin(address); part != llvm::gep_type_end(address); ++part) {
    const Shape index = shape(part.getOperand());
    if (index.kind == Shape::unknown || sum.kind == Shape::unknown) {
      return {};
    }
    if (index.kind == Shape::varying || (!index.uniform() && part.getOperand()->getType()->getIntegerBitWidth() != 64)) {
      return different;
    }
    if (!index.uniform()) {
      all_same = false;
      sum.stride += index.stride * static_cast<std::int64_t>(part.getSequentialElementStride(layout).getFixedValue());
    }
  }
  return sum.uniform() && !all_same ? different : sum;  // an index may have wrapped in some lanes
}

Shape LaneFacts::shape_of(const llvm::Instruction& instruction) const {
  if (const auto* const phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
    return shape_of_phi(*phi);
  }
  bool all_same = true;
  bool any_varying = false;
  for (const llvm::Value* const operand : instruction.operands()) {
    const Shape one = shape(operand);
    if (one.kind == Shape::unknown && !llvm::isa<llvm::BasicBlock>(operand)) {
      return {};
    }
    all_same = all_same && one.uniform();
    any_varying = any_varying || one.kind == Shape::varying;
  }
  // A load from one place is one load, unless no lane is there.
  const bool may_move = !is_masked(instruction.getParent()) || llvm::isSafeToSpeculativelyExecute(&instruction) ||
                        (llvm::isa<llvm::LoadInst>(instruction) && all_same);
  if (instruction.mayWriteToMemory() || !may_move) {
    return different;
  }
  if (llvm::isa<llvm::LoadInst>(instruction) && own_array(instruction.getOperand(0)) != nullptr) {
    return different;
  }
  if (all_same) {
    const bool reads = instruction.mayReadFromMemory() && !llvm::isa<llvm::LoadInst>(instruction);
    return is_masked(instruction.getParent()) && reads ? different : same;
  }
  if (any_varying || instruction.getType()->isVectorTy()) {
    return different;
  }
  if (const auto* const address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    return shape_of_sum(*address);
  }
  const auto stride = [&](unsigned operand) { return shape(instruction.getOperand(operand)).stride; };
  // Lanes of which an operand has wrapped in some only, have different sums even where strides cancel out.
  const auto sum = [](std::int64_t of_strides) { return of_strides == 0 ? different : affine_shape(of_strides); };
  const auto constant = [&](unsigned operand) { return llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(operand)); };
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Add:
      return sum(stride(0) + stride(1));
    case llvm::Instruction::Or:
      return llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint() ? sum(stride(0) + stride(1)) : different;
    case llvm::Instruction::Sub:
      return sum(stride(0) - stride(1));
    case llvm::Instruction::Mul:
      return constant(1) != nullptr ? affine_shape(stride(0) * constant(1)->getSExtValue()) : different;
    case llvm::Instruction::Shl:
      return constant(1) != nullptr && constant(1)->getZExtValue() < 32
                 ? affine_shape(stride(0) * (std::int64_t{1} << constant(1)->getZExtValue()))
                 : different;
    case llvm::Instruction::Trunc: {
      const auto stride_here = static_cast<std::int32_t>(stride(0));
      return instruction.getType()->isIntegerTy(32) && stride_here == stride(0) ? affine_shape(stride_here) : different;
    }
    case llvm::Instruction::SExt:
    case llvm::Instruction::ZExt:
      return instruction.getOperand(0)->getType()->isIntegerTy(32) && std::abs(stride(0)) < 4096 ? affine_shape(stride(0))
                                                                                                 : different;
    case llvm::Instruction::Freeze:
      return affine_shape(stride(0));
    default:
      return different;
  }
}

/// Whether a thread may have written when it comes to a block: in any block that leads to it, of which those of a loop may stand
/// behind it in reverse post-order.
bool LaneFacts::writes_before(const llvm::BasicBlock* block) const {
  llvm::SmallVector<const llvm::BasicBlock*, 16> left{block};
  llvm::DenseSet<const llvm::BasicBlock*> seen;
  while (!left.empty()) {
    const llvm::BasicBlock* const here = left.pop_back_val();
    if (here == loop_.getHeader()) {
      continue;
    }
    for (const llvm::BasicBlock* const earlier : llvm::predecessors(here)) {
      if (!seen.insert(earlier).second) {
        continue;
      }
      if (llvm::any_of(*earlier, [](const llvm::Instruction& one) { return one.mayWriteToMemory() && !is_note(one); })) {
        return true;
      }
      left.push_back(earlier);
    }
  }
  return false;
}

bool LaneFacts::may_turn_back(const llvm::Instruction& instruction) const {
  const llvm::BasicBlock* const block = instruction.getParent();
  if (analyses_.loops.getLoopFor(block) != &loop_ || is_masked(block) || writes_before(block)) {
    return false;
  }
  return llvm::none_of(llvm::make_range(block->begin(), instruction.getIterator()),
                       [](const llvm::Instruction& earlier) { return earlier.mayWriteToMemory() && !is_note(earlier); });
}

bool LaneFacts::depends_on_loads(const llvm::Value* value) const {
  llvm::SmallVector<const llvm::Value*, 8> left{value};
  llvm::DenseSet<const llvm::Value*> seen;
  while (!left.empty()) {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(left.pop_back_val());
    if (instruction == nullptr || shape(instruction).uniform() || !seen.insert(instruction).second) {
      continue;
    }
    if (instruction->mayReadFromMemory() || llvm::isa<llvm::CallInst>(instruction)) {
      return true;
    }
    if (!(llvm::isa<llvm::PHINode>(instruction) && instruction->getParent() == loop_.getHeader())) {
      left.append(instruction->op_begin(), instruction->op_end());
    }
  }
  return false;
}

bool LaneFacts::find_branches() {
  for (llvm::BasicBlock* const block : order_) {
    const llvm::Instruction* const end = block->getTerminator();
    if (block == loop_.getLoopLatch() || is_masked(block)) {
      if (is_masked(block) && !llvm::isa<llvm::BranchInst>(end)) {
        return false;
      }
      continue;
    }
    if (loop_heads_.contains(block)) {
      if (!add_region(block)) {
        return false;
      }
      continue;
    }
    const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(end);
    if (branch == nullptr) {
      const auto* const choice = llvm::dyn_cast<llvm::SwitchInst>(end);
      if (choice == nullptr || !shape(choice->getCondition()).uniform()) {
        return false;
      }
    } else if (branch->isConditional() && !shape(branch->getCondition()).uniform()) {
      if (add_thinning_loop(block)) {
        continue;
      }
      if (branch->getSuccessor(0) != branch->getSuccessor(1) && may_turn_back(*branch) &&
          (branch->hasMetadata(has_ended_mark) || !depends_on_loads(branch->getCondition()))) {
        guards_.insert(block);
      } else if (!add_region(block)) {
        return false;
      }
    }
  }
  return true;
}

/// Takes a loop that lanes leave one by one at its end.
bool LaneFacts::add_thinning_loop(llvm::BasicBlock* latch) {
  const llvm::Loop* const loop = analyses_.loops.getLoopFor(latch);
  const llvm::BasicBlock* const exit = loop->getExitBlock();
  if (loop == &loop_ || loop->getLoopLatch() != latch || loop->getExitingBlock() != latch || exit == nullptr ||
      exit->getSinglePredecessor() != latch || loop->getLoopPreheader() == nullptr) {
    return false;
  }
  thinning_loops_.insert(loop);
  return true;
}

/// Appends the blocks, given in reverse post-order, so that those of each loop within `around` stand together.
void LaneFacts::append_in_order(llvm::ArrayRef<llvm::BasicBlock*> blocks, const llvm::Loop* around,
                                llvm::SmallVectorImpl<llvm::BasicBlock*>& order) const {
  llvm::DenseSet<const llvm::Loop*> done;
  for (llvm::BasicBlock* const block : blocks) {
    const llvm::Loop* inner = analyses_.loops.getLoopFor(block);
    if (inner == around) {
      order.push_back(block);
      continue;
    }
    while (inner->getParentLoop() != around) {
      inner = inner->getParentLoop();
    }
    if (done.insert(inner).second) {
      llvm::SmallVector<llvm::BasicBlock*, 8> all;
      llvm::copy_if(blocks, std::back_inserter(all), [&](const llvm::BasicBlock* one) { return inner->contains(one); });
      append_in_order(all, inner, order);
    }
  }
}

/// Whether every branch of a region leads to a later block, or from the end of a loop to its beginning.
bool LaneFacts::leads_onwards(const Region& region) const {
  llvm::DenseSet<const llvm::BasicBlock*> seen{region.head};
  return llvm::all_of(region.blocks, [&](const llvm::BasicBlock* block) {
    const llvm::Loop* const loop = analyses_.loops.getLoopFor(block);
    seen.insert(block);
    return llvm::all_of(llvm::predecessors(block), [&](const llvm::BasicBlock* from) {
      return seen.contains(from) || (loop->getHeader() == block && loop->getLoopLatch() == from);
    });
  });
}

/// Takes the blocks from `head` to where all lanes meet again. Where they meet outside the loop around it, the region of all that
/// loop is tried in the next round.
bool LaneFacts::add_region(llvm::BasicBlock* head) {
  const llvm::Loop* const loop = analyses_.loops.getLoopFor(head);
  const bool leads_to_loop = loop_heads_.contains(head);
  const llvm::Loop* const only = leads_to_loop ? analyses_.loops.getLoopFor(head->getSingleSuccessor()) : nullptr;
  const auto* node = analyses_.post_dominators.getNode(head);
  do {
    node = node == nullptr ? nullptr : node->getIDom();
  } while (node != nullptr && node->getBlock() != nullptr && only != nullptr && only->contains(node->getBlock()));
  llvm::BasicBlock* const join = node == nullptr ? nullptr : node->getBlock();
  if (join == nullptr || analyses_.loops.getLoopFor(join) != loop || join == loop->getHeader()) {
    if (loop != &loop_ && loop->getLoopPreheader() != nullptr && loop->getLoopLatch() != nullptr && loop->hasDedicatedExits()) {
      loop_heads_.insert(loop->getLoopPreheader());
    }
    return false;
  }
  llvm::DenseSet<llvm::BasicBlock*> inside;
  llvm::SmallVector<llvm::BasicBlock*, 8> left(llvm::successors(head));
  while (!left.empty()) {
    llvm::BasicBlock* const block = left.pop_back_val();
    if (block == join || !inside.insert(block).second) {
      continue;
    }
    const llvm::Loop* const around = analyses_.loops.getLoopFor(block);
    if (around == nullptr || !loop->contains(around) || block == loop->getHeader() || is_masked(block) ||
        !analyses_.dominators.dominates(head, block) || (around != loop && !around->isLoopSimplifyForm())) {
      return false;
    }
    left.append(llvm::succ_begin(block), llvm::succ_end(block));
  }
  Region region{.head = head, .join = join, .blocks = {}};
  llvm::SmallVector<llvm::BasicBlock*, 8> blocks;
  llvm::copy_if(order_, std::back_inserter(blocks), [&](llvm::BasicBlock* block) { return inside.contains(block); });
  append_in_order(blocks, loop, region.blocks);
  if (!leads_onwards(region)) {
    return false;
  }
  for (const llvm::BasicBlock* const block : region.blocks) {
    masked_[block] = static_cast<unsigned>(regions_.size());
  }
  regions_.push_back(std::move(region));
  return true;
}

}  // namespace phpc::lanes
