// Whether lanes pay: a part of LaneFacts.
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

#include "port/passes/lane_facts.hpp"

namespace phpc::lanes {

namespace {

/// Whether an instruction puts bytes or half words together to a larger number, which one load will bring to a thread.
bool puts_together(const llvm::Value* value) {
  const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction == nullptr) {
    return false;
  }
  switch (instruction->getOpcode()) {
    case llvm::Instruction::Load: {
      const auto* const wider = instruction->hasOneUse() ? llvm::dyn_cast<llvm::ZExtInst>(*instruction->user_begin()) : nullptr;
      const auto* const place =
          wider != nullptr && wider->hasOneUse() ? llvm::dyn_cast<llvm::BinaryOperator>(*wider->user_begin()) : nullptr;
      return place != nullptr && (place->getOpcode() == llvm::Instruction::Shl || place->getOpcode() == llvm::Instruction::Or);
    }
    case llvm::Instruction::ZExt:
      return llvm::isa<llvm::LoadInst>(instruction->getOperand(0)) && puts_together(instruction->getOperand(0));
    case llvm::Instruction::Shl:
      return llvm::isa<llvm::ZExtInst>(instruction->getOperand(0)) && puts_together(instruction->getOperand(0));
    case llvm::Instruction::Or:
      return puts_together(instruction->getOperand(0)) || puts_together(instruction->getOperand(1));
    default:
      return false;
  }
}

}  // namespace

double LaneFacts::cost_in_turn(const llvm::Instruction& instruction) const {
  if (instruction.isIntDivRem() && !llvm::isa<llvm::Constant>(instruction.getOperand(1))) {
    return 6;
  }
  if (instruction.getOpcode() == llvm::Instruction::FDiv) {
    return 4;
  }
  if (puts_together(&instruction)) {
    return 0.1;
  }
  if (llvm::isa<llvm::AtomicRMWInst>(instruction)) {
    return 15;
  }
  const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call != nullptr && (call->getIntrinsicID() == llvm::Intrinsic::not_intrinsic || !has_vector_form(*call)) ? 15 : 1;
}

double LaneFacts::cost_in_lanes(const llvm::Instruction& instruction, unsigned lanes) const {
  constexpr double register_bits = 512;
  const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&instruction);
  llvm::Type* const type =
      pointer == nullptr ? instruction.getType() : llvm::getLoadStoreType(const_cast<llvm::Instruction*>(&instruction));
  const double in_turn = cost_in_turn(instruction);
  if (const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      call != nullptr && !llvm::isa<llvm::MemIntrinsic>(call) && !shape(call).uniform() && !has_vector_form(*call)) {
    return (in_turn + 3) * lanes;
  }
  if (llvm::isa<llvm::AtomicRMWInst>(instruction)) {
    return (in_turn + 3) * lanes;
  }
  if (type->isVoidTy() || shape(&instruction).uniform() ||
      (pointer != nullptr && shape(pointer).uniform() && own_array(pointer) == nullptr)) {
    return in_turn;
  }
  const double bits = static_cast<double>(instruction.getDataLayout().getTypeSizeInBits(type).getFixedValue());
  const double registers = std::max(1.0, bits * lanes / register_bits);
  if (pointer != nullptr) {
    const unsigned distance = rows_apart(pointer, type);
    if (distance != 0 && llvm::isa<llvm::LoadInst>(instruction) && !has_mask(instruction.getParent())) {
      return registers * (2 * distance - 1);
    }
    const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (store != nullptr && (waits_for_row(store) || row_of(store) != nullptr)) {
      return registers * 3;
    }
    const bool is_masked_row = parts_of(type) > 1 && has_mask(instruction.getParent());
    return is_masked_row || (is_apart(instruction) && !may_be_straight(pointer))
               ? (llvm::isa<llvm::LoadInst>(instruction) ? 4 : 6) * lanes * parts_of(type)
               : registers * (has_mask(instruction.getParent()) ? 2 : 1) + (may_be_straight(pointer) ? lanes : 0);
  }
  if (instruction.isIntDivRem() && in_turn > 1) {
    return (shape(instruction.getOperand(1)).uniform() ? 8 : 16) * (instruction.getType()->isIntegerTy(64) ? 2 : 1);
  }
  return shape(&instruction).kind == Shape::affine ? 1 : registers * in_turn;
}

/// Whether lanes read or write places that do not lie one after another.
bool LaneFacts::is_apart(const llvm::Instruction& access) const {
  const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&access);
  if (pointer == nullptr || shape(pointer).uniform()) {
    return false;
  }
  if (own_array(pointer) != nullptr) {
    return true;
  }
  llvm::Type* const type = llvm::getLoadStoreType(const_cast<llvm::Instruction*>(&access));
  const auto bytes = static_cast<std::int64_t>(access.getDataLayout().getTypeStoreSize(type).getFixedValue());
  return shape(pointer).kind != Shape::affine || shape(pointer).stride != bytes;
}

unsigned LaneFacts::rows_apart(const llvm::Value* pointer, llvm::Type* type) const {
  constexpr std::int64_t most = 8;
  const auto bytes = static_cast<std::int64_t>(loop_.getHeader()->getDataLayout().getTypeStoreSize(type).getFixedValue());
  const std::int64_t stride = shape(pointer).stride;
  const bool is_column = shape(pointer).kind == Shape::affine && own_array(pointer) == nullptr && parts_of(type) == 1 &&
                         stride % bytes == 0 && stride / bytes >= 2 && stride / bytes <= most;
  return is_column ? static_cast<unsigned>(stride / bytes) : 0;
}

bool LaneFacts::may_be_straight(const llvm::Value* pointer) const {
  if (shape(pointer).kind != Shape::varying || own_array(pointer) != nullptr) {
    return false;
  }
  llvm::SmallVector<const llvm::Value*, 8> left{pointer};
  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
  bool any = false;
  while (!left.empty()) {
    const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(left.pop_back_val());
    if (instruction == nullptr || shape(instruction).kind == Shape::affine || !seen.insert(instruction).second) {
      continue;
    }
    if (!llvm::isa<llvm::GetElementPtrInst, llvm::BinaryOperator, llvm::SExtInst, llvm::ZExtInst, llvm::TruncInst>(instruction)) {
      return false;
    }
    const bool is_part = instruction->isIntDivRem() || instruction->getOpcode() == llvm::Instruction::LShr ||
                         instruction->getOpcode() == llvm::Instruction::AShr ||
                         instruction->getOpcode() == llvm::Instruction::And;
    any = any || is_part;
    left.append(instruction->op_begin(), instruction->op_end());
  }
  return any;
}

bool LaneFacts::is_left_to_vectorizer() const {
  return !has_inner_loops() && guards_.empty() && llvm::none_of(order_, [](const llvm::BasicBlock* block) {
    return llvm::any_of(
        *block, [](const llvm::Instruction& one) { return one.isIntDivRem() && !llvm::isa<llvm::Constant>(one.getOperand(1)); });
  });
}

bool LaneFacts::is_wide() const {
  unsigned narrow = 0;
  unsigned wide = 0;
  for (const llvm::BasicBlock* const block : order_) {
    for (const llvm::Instruction& instruction : *block) {
      const llvm::Type* const type = instruction.getType()->getScalarType();
      const bool is_mixing =
          instruction.getOpcode() == llvm::Instruction::Xor || instruction.getOpcode() == llvm::Instruction::LShr;
      narrow += type->isFloatTy() || (is_mixing && type->isIntegerTy(32)) ? 1 : 0;
      wide += type->isDoubleTy() || (is_mixing && type->isIntegerTy(64) && !shape(&instruction).uniform()) ? 1 : 0;
    }
  }
  return wide > narrow;
}

bool LaneFacts::has_vectors_of_its_own(const llvm::Loop& inner) const {
  for (const llvm::PHINode& phi : inner.getHeader()->phis()) {
    if (phi.getType()->isFloatingPointTy()) {
      return false;  // a sum whose order counts, or a recurrence
    }
  }
  bool any = false;
  for (const llvm::BasicBlock* const block : inner.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (pointer == nullptr) {
        continue;
      }
      const auto* const address =
          llvm::dyn_cast<llvm::SCEVAddRecExpr>(analyses_.evolution.getSCEV(const_cast<llvm::Value*>(pointer)));
      const auto* const step = address == nullptr || address->getLoop() != &inner
                                   ? nullptr
                                   : llvm::dyn_cast<llvm::SCEVConstant>(address->getStepRecurrence(analyses_.evolution));
      const auto bytes = instruction.getDataLayout()
                             .getTypeStoreSize(llvm::getLoadStoreType(const_cast<llvm::Instruction*>(&instruction)))
                             .getFixedValue();
      if (step == nullptr || step->getAPInt().getSExtValue() != static_cast<std::int64_t>(bytes)) {
        return false;
      }
      any = true;
    }
  }
  return any && inner.isInnermost();
}

bool LaneFacts::pays(unsigned lanes) const {
  double in_lanes = 0;
  double in_turn = 0;
  for (const llvm::BasicBlock* const block : order_) {
    const llvm::Loop* const inner = analyses_.loops.getLoopFor(block);
    double weight = 1;
    for (unsigned depth = loop_.getLoopDepth(); depth < inner->getLoopDepth(); ++depth) {
      weight *= 8;
    }
    const bool own_vectors = inner != &loop_ && has_vectors_of_its_own(*inner);
    constexpr double waiting = 1.5;  // lanes that have left a loop wait for the others
    const double turns = masked_loop(block) != nullptr || thinning_loop(block) != nullptr ? waiting : 1;
    for (const llvm::Instruction& instruction : *block) {
      if (!llvm::isa<llvm::PHINode>(instruction) && !is_note(instruction)) {
        in_lanes += weight * turns * cost_in_lanes(instruction, lanes);
        in_turn += weight * lanes * cost_in_turn(instruction) / (own_vectors ? 8 : 1);
      }
    }
  }
  return in_lanes < in_turn;
}

}  // namespace phpc::lanes
