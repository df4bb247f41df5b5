#include "port/passes/shared_pointers.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/Sequence.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <cstdint>

#include "port/passes/regions/block_flow.hpp"

namespace phpc::lanes {

namespace {

/// Whether a value is threadIdx.x (axis 0) or threadIdx.y (1), loaded from the start of the library's record of the block, where
/// 64 bits hold both.
bool is_index_of_axis(const llvm::Value* value, unsigned axis) {
  constexpr unsigned word = 32;
  std::uint64_t place = axis * sizeof(std::uint32_t);
  if (const auto* const half = llvm::dyn_cast<llvm::TruncInst>(value)) {
    value = half->getOperand(0);
    const auto* const shift = llvm::dyn_cast<llvm::BinaryOperator>(value);
    if (shift != nullptr && shift->getOpcode() == llvm::Instruction::LShr) {
      const auto* const bits = llvm::dyn_cast<llvm::ConstantInt>(shift->getOperand(1));
      if (axis != 1 || bits == nullptr || bits->getZExtValue() != word) {
        return false;
      }
      value = shift->getOperand(0);
    } else if (axis != 0) {
      return false;
    }
    place = 0;
  }
  const auto* const load = llvm::dyn_cast<llvm::LoadInst>(value);
  if (load == nullptr || !load->getType()->isIntegerTy()) {
    return false;
  }
  llvm::APInt offset(64, 0);
  const auto* const record = llvm::dyn_cast<llvm::Instruction>(
      load->getPointerOperand()->stripAndAccumulateConstantOffsets(load->getDataLayout(), offset, true));
  return record != nullptr && calls(*record, "phpc_cuda_here") && offset == place;
}

/// Whether a value is the number of a thread: threadIdx.x, or threadIdx.y * width + threadIdx.x, of whatever width.
bool is_thread_number(const llvm::Value* value) {
  while (llvm::isa<llvm::ZExtInst, llvm::SExtInst>(value)) {
    value = llvm::cast<llvm::CastInst>(value)->getOperand(0);
  }
  if (is_index_of_axis(value, 0)) {
    return true;
  }
  const auto is = [](const llvm::Value* one, unsigned opcode) {
    const auto* const operation = llvm::dyn_cast<llvm::BinaryOperator>(one);
    return operation != nullptr && operation->getOpcode() == opcode ? operation : nullptr;
  };
  const llvm::BinaryOperator* const sum = is(value, llvm::Instruction::Add);
  return sum != nullptr && llvm::any_of(llvm::seq(0U, 2U), [&](unsigned first) {
           const llvm::BinaryOperator* const rows = is(sum->getOperand(1 - first), llvm::Instruction::Mul);
           return is_index_of_axis(sum->getOperand(first), 0) && rows != nullptr &&
                  (is_index_of_axis(rows->getOperand(0), 1) || is_index_of_axis(rows->getOperand(1), 1));
         });
}

/// Finds whether each thread uses its own element alone of a variable in shared memory.
class OwnElements {
 public:
  explicit OwnElements(const llvm::DataLayout& layout) : layout_(layout) {}

  /// Whether that is so of what a pointer to the first element is used for. What is found of several pointers must agree.
  [[nodiscard]] bool are_all(const llvm::Value& first) {
    return llvm::all_of(first.users(), [&](const llvm::User* user) {
      const auto* const part = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
      if (part == nullptr || part->getPointerOperand() != &first) {
        return false;
      }
      if (part->hasAllZeroIndices()) {
        return are_all(*part);
      }
      // x[i] of an array as such, or by a pointer.
      const unsigned last = part->getNumOperands() - 1;
      if (last > 2 || (last == 2 && !is_zero(part->getOperand(1)))) {
        return false;
      }
      if (!is_thread_number(part->getOperand(last))) {
        return last == 2 && part->getResultElementType()->isArrayTy() && are_all(*part);  // a row of several
      }
      const std::uint64_t size = layout_.getTypeAllocSize(part->getResultElementType()).getFixedValue();
      if (size_ != 0 && size != size_) {
        return false;
      }
      size_ = size;
      return stay_within(*part);
    });
  }

 private:
  static bool is_zero(const llvm::Value* value) {
    const auto* const number = llvm::dyn_cast<llvm::ConstantInt>(value);
    return number != nullptr && number->isZero();
  }

  /// Whether a pointer into an element is used for accesses of that element alone, as far as the types tell.
  [[nodiscard]] bool stay_within(const llvm::Value& pointer) const {
    return llvm::all_of(pointer.uses(), [&](const llvm::Use& use) {
      const llvm::User* const user = use.getUser();
      if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        return fits(load->getType());
      }
      if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        return use.getOperandNo() == 1 && fits(store->getValueOperand()->getType());
      }
      if (const auto* const change = llvm::dyn_cast<llvm::AtomicRMWInst>(user)) {
        return use.getOperandNo() == 0 && fits(change->getType());
      }
      if (const auto* const fill = llvm::dyn_cast<llvm::MemIntrinsic>(user)) {
        const auto* const bytes = llvm::dyn_cast<llvm::ConstantInt>(fill->getLength());
        return bytes != nullptr && bytes->getZExtValue() <= size_;
      }
      if (const auto* const part = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        const bool is_smaller = layout_.getTypeAllocSize(part->getSourceElementType()).getFixedValue() < size_;
        return use.getOperandNo() == 0 && (is_smaller || is_zero(part->getOperand(1))) && stay_within(*part);
      }
      const auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
      return llvm::isa<llvm::ICmpInst>(user) || (intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic());
    });
  }

  [[nodiscard]] bool fits(llvm::Type* type) const { return layout_.getTypeStoreSize(type).getFixedValue() <= size_; }

  const llvm::DataLayout& layout_;
  std::uint64_t size_ = 0;  ///< bytes of an element; 0: not known yet
};

/// Whether an instruction loads a pointer from the library's record of the block: that to dynamic shared memory.
bool is_dynamic_shared(const llvm::Instruction& one) {
  const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&one);
  const auto* const record =
      load == nullptr ? nullptr : llvm::dyn_cast<llvm::Instruction>(llvm::getUnderlyingObject(load->getPointerOperand(), 0));
  return record != nullptr && load->getType()->isPointerTy() && calls(*record, "phpc_cuda_here");
}

/// Whether what an instruction makes of a pointer may lead to the same memory.
bool keeps_pointer(const llvm::Instruction& user) {
  return llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::CastInst, llvm::FreezeInst, llvm::BinaryOperator, llvm::InsertValueInst,
                   llvm::ExtractValueInst>(user) ||
         (llvm::isa<llvm::CallBase>(user) && user.getType()->isPointerTy());
}

}  // namespace

SharedPointers::SharedPointers(llvm::Function& function) {
  llvm::MapVector<const llvm::Value*, llvm::SmallVector<llvm::Instruction*, 2>> variables;  // null: dynamic shared memory
  for (llvm::Instruction& one : llvm::instructions(function)) {
    if (calls(one, "phpc_cuda_shared_variable")) {
      variables[one.getOperand(0)].push_back(&one);
    } else if (is_dynamic_shared(one)) {
      variables[nullptr].push_back(&one);
    }
  }
  for (const auto& [variable, pointers] : variables) {
    OwnElements own(function.getDataLayout());
    if (!llvm::all_of(pointers, [&](const llvm::Instruction* pointer) { return own.are_all(*pointer); })) {
      for (llvm::Instruction* const pointer : pointers) {
        add(*pointer);
      }
    }
  }
  while (next_ < values_.size()) {
    for (llvm::Use& use : values_[next_++]->uses()) {
      follow(use);
    }
  }
}

void SharedPointers::follow(const llvm::Use& use) {
  auto* const user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
  if (user == nullptr) {
    return;
  }
  if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user)) {
    if (store->getValueOperand() == use.get()) {
      keep_in(store->getPointerOperand());
    }
  } else if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(user)) {
    if (holders_.contains(use.get()) ? load->getType()->isPointerTy() || load->getType()->isIntegerTy(64)
                                     : are_kept_outside_ && load->getType()->isPointerTy()) {
      add(*user);
    }
  } else if (const auto* const copy = llvm::dyn_cast<llvm::MemTransferInst>(user)) {
    if (holders_.contains(use.get()) && copy->getRawSource() == use.get()) {
      keep_in(copy->getRawDest());
    }
  } else if (llvm::isa<llvm::GetElementPtrInst>(user) ? use.getOperandNo() == 0 : keeps_pointer(*user)) {
    if (holders_.contains(use.get())) {
      holders_.insert(user);
    }
    add(*user);
  }
}

/// Notes that a thread's own variable holds such pointers, or else that shared memory may.
void SharedPointers::keep_in(const llvm::Value* place) {
  auto* const object = const_cast<llvm::Value*>(llvm::getUnderlyingObject(place, 0));
  if (!llvm::isa<llvm::AllocaInst>(object)) {
    if (!are_kept_outside_) {
      are_kept_outside_ = true;
      next_ = 0;  // loads that have been looked at count now
    }
  } else if (holders_.insert(object).second) {
    add(*object);
  }
}

}  // namespace phpc::lanes
