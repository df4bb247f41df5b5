// Whether lanes pay: a part of LaneFacts.
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

#include "port/passes/lane_facts.hpp"

namespace phpc::lanes {

double LaneFacts::cost_in_turn(const llvm::Instruction& instruction) const {
  if (instruction.isIntDivRem() && !llvm::isa<llvm::Constant>(instruction.getOperand(1))) {
    return 6;
  }
  if (instruction.getOpcode() == llvm::Instruction::FDiv) {
    return 4;
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
  if (type->isVoidTy() || shape(&instruction).uniform() ||
      (pointer != nullptr && shape(pointer).uniform() && own_array(pointer) == nullptr)) {
    return in_turn;
  }
  const double bits = static_cast<double>(instruction.getDataLayout().getTypeSizeInBits(type).getFixedValue());
  const double registers = std::max(1.0, bits * lanes / register_bits);
  if (pointer != nullptr) {
    return is_apart(instruction) ? (llvm::isa<llvm::LoadInst>(instruction) ? 4 : 6) * lanes * parts_of(type)
                                 : registers * (has_mask(instruction.getParent()) ? 2 : 1);
  }
  if (instruction.isIntDivRem() && in_turn > 1) {
    return (in_turn + 2) * lanes;
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

bool LaneFacts::is_left_to_vectorizer() const {
  return !has_inner_loops() && (guards_.empty() || llvm::any_of(order_, [](const llvm::BasicBlock* block) {
                                  return llvm::any_of(*block, [](const llvm::Instruction& one) {
                                    return one.isIntDivRem() && !llvm::isa<llvm::Constant>(one.getOperand(1));
                                  });
                                }));
}

bool LaneFacts::is_wide() const {
  unsigned narrow = 0;
  unsigned wide = 0;
  for (const llvm::BasicBlock* const block : order_) {
    for (const llvm::Instruction& instruction : *block) {
      const llvm::Type* const type = instruction.getType()->getScalarType();
      narrow += type->isFloatTy() ? 1 : 0;
      wide += type->isDoubleTy() ? 1 : 0;
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
    for (const llvm::Instruction& instruction : *block) {
      if (!llvm::isa<llvm::PHINode>(instruction) && !is_note(instruction)) {
        in_lanes += weight * cost_in_lanes(instruction, lanes);
        in_turn += weight * lanes * cost_in_turn(instruction) / (own_vectors ? 8 : 1);
      }
    }
  }
  return in_lanes < in_turn;
}

}  // namespace phpc::lanes
