#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

#include "port/passes/regions/thread_contexts.hpp"

namespace phpc::lanes {

namespace {

/// Instructions up to which what is made of indices is computed again instead of kept.
constexpr unsigned most_again = 32;

/// The type of memory for values of a type: integers of a few bits take bytes, which lanes can load and store.
llvm::Type* in_memory(llvm::Type* type) {
  constexpr unsigned byte = 8;
  return type->isIntegerTy()
             ? llvm::Type::getIntNTy(type->getContext(),
                                     std::max(byte, static_cast<unsigned>(llvm::PowerOf2Ceil(type->getIntegerBitWidth()))))
             : type;
}

void store(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::AllocaInst* variable) {
  llvm::Type* const type = variable->getAllocatedType();
  builder.CreateStore(type == value->getType() ? value : builder.CreateZExt(value, type), variable);
}

/// Loads a variable where a region begins.
llvm::Value* load(const ParallelRegion& region, llvm::Type* type, llvm::AllocaInst* variable) {
  llvm::IRBuilder<> builder(region.entry->getTerminator());
  llvm::Value* const value = builder.CreateLoad(variable->getAllocatedType(), variable);
  return value->getType() == type ? value : builder.CreateTrunc(value, type);
}

}  // namespace

void KeptValues::keep() {
  keep_phis();
  llvm::SmallVector<llvm::Instruction*, 32> values;
  for (const ParallelRegion& region : flow_.regions()) {
    for (llvm::BasicBlock* const block : region.blocks) {
      for (llvm::Instruction& instruction : *block) {
        if (!instruction.getType()->isVoidTy()) {
          values.push_back(&instruction);
        }
      }
    }
  }
  for (llvm::Instruction* const value : values) {
    keep_value(*value);
  }
}

llvm::AllocaInst* KeptValues::new_variable(llvm::Type* type) const {
  return new llvm::AllocaInst(in_memory(type), function_.getDataLayout().getAllocaAddrSpace(), "kept",
                              function_.getEntryBlock().begin());
}

template <class InRegion>
void KeptValues::replace_uses(llvm::Instruction& value, const ParallelRegion* own, InRegion in_region) {
  llvm::DenseMap<const ParallelRegion*, llvm::Value*> values;
  llvm::SmallVector<llvm::Use*, 8> uses;
  for (llvm::Use& use : value.uses()) {
    uses.push_back(&use);
  }
  for (llvm::Use* const use : uses) {
    auto* const user = llvm::cast<llvm::Instruction>(use->getUser());
    const auto* const phi = llvm::dyn_cast<llvm::PHINode>(user);
    const ParallelRegion* const region = flow_.region_of(phi == nullptr ? user->getParent() : phi->getIncomingBlock(*use));
    if (region == own || region == nullptr) {
      continue;
    }
    llvm::Value*& here = values[region];
    here = here == nullptr ? in_region(*region) : here;
    use->set(here);
  }
}

/// Makes phis in shared blocks variables, which each thread sets on its way there.
void KeptValues::keep_phis() {
  llvm::SmallVector<std::pair<llvm::PHINode*, llvm::AllocaInst*>, 8> phis;
  for (llvm::BasicBlock& block : function_) {
    if (flow_.is_shared(&block)) {
      for (llvm::PHINode& phi : block.phis()) {
        if (!values_.is_shared(&phi)) {
          phis.emplace_back(&phi, new_variable(phi.getType()));
        }
      }
    }
  }
  for (const auto& [phi, variable] : phis) {
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      llvm::IRBuilder<> builder(phi->getIncomingBlock(i)->getTerminator());
      if (!llvm::isa<llvm::UndefValue>(phi->getIncomingValue(i))) {
        store(builder, phi->getIncomingValue(i), variable);
      }
      phi->setIncomingValue(i, llvm::PoisonValue::get(phi->getType()));
    }
  }
  for (const auto& one : phis) {
    replace_uses(*one.first, nullptr,
                 [&](const ParallelRegion& region) { return load(region, one.first->getType(), one.second); });
  }
  for (const auto& [phi, variable] : phis) {
    phi->replaceAllUsesWith(llvm::PoisonValue::get(phi->getType()));
    phi->eraseFromParent();
  }
}

void KeptValues::keep_value(llvm::Instruction& value) {
  const ParallelRegion* const own = flow_.region_of(value.getParent());
  unsigned left = most_again;
  if (is_cheap(&value, left)) {
    replace_uses(value, own, [&](const ParallelRegion& region) { return compute_again(&value, region); });
    return;
  }
  llvm::AllocaInst* variable = nullptr;
  replace_uses(value, own, [&](const ParallelRegion& region) {
    if (variable == nullptr) {
      variable = new_variable(value.getType());
      const auto place =
          llvm::isa<llvm::PHINode>(value) ? value.getParent()->getFirstInsertionPt() : std::next(value.getIterator());
      llvm::IRBuilder<> builder(value.getParent(), place);
      store(builder, &value, variable);
    }
    return load(region, value.getType(), variable);
  });
}

/// Whether a value is made of indices and of what threads share by a few instructions on integers and pointers.
bool KeptValues::is_cheap(const llvm::Value* value, unsigned& left) const {
  const auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction == nullptr || values_.is_shared(value) || llvm::isa<llvm::AllocaInst>(value) || is_thread_index(*instruction)) {
    return true;
  }
  constexpr unsigned as_division = 8;
  const unsigned cost = instruction->isIntDivRem() ? as_division : 1;
  const bool is_known =
      llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst, llvm::GetElementPtrInst>(instruction) ||
      (llvm::isa<llvm::IntrinsicInst>(instruction) && !instruction->mayReadOrWriteMemory());
  if (!is_known || !instruction->getType()->isIntOrPtrTy() || left < cost) {
    return false;
  }
  left -= cost;
  return llvm::all_of(instruction->operands(), [&](const llvm::Use& one) { return is_cheap(one.get(), left); });
}

llvm::Value* KeptValues::compute_again(llvm::Value* value, const ParallelRegion& region) {
  auto* const instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (instruction == nullptr || values_.is_shared(value) || llvm::isa<llvm::AllocaInst>(value)) {
    return value;
  }
  if (const auto known = again_.find({value, &region}); known != again_.end()) {
    return known->second;
  }
  llvm::SmallVector<llvm::Value*, 4> operands;
  for (const llvm::Use& operand : instruction->operands()) {
    operands.push_back(compute_again(operand.get(), region));
  }
  llvm::Instruction* const copy = instruction->clone();
  for (unsigned i = 0; i < operands.size(); ++i) {
    copy->setOperand(i, operands[i]);
  }
  copy->insertBefore(region.entry->getTerminator());
  again_[{value, &region}] = copy;
  return copy;
}

}  // namespace phpc::lanes
