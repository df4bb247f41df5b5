// How lanes read and write memory: a part of LaneCode.
#include <llvm/Analysis/VectorUtils.h>

#include "port/passes/lane_code.hpp"

namespace phpc::lanes {

void LaneCode::where_straight(llvm::Value* straight, llvm::function_ref<Parts()> near, llvm::function_ref<Parts()> apart,
                              Parts& result) {
  if (straight == nullptr) {
    result = near();
    return;
  }
  llvm::LLVMContext& context = function_.getContext();
  auto* const straight_block = llvm::BasicBlock::Create(context, "straight", &function_, done_);
  auto* const apart_block = llvm::BasicBlock::Create(context, "apart", &function_, done_);
  auto* const after = llvm::BasicBlock::Create(context, "after", &function_, done_);
  builder_.CreateCondBr(mask_ == nullptr ? straight : builder_.CreateFreeze(straight), straight_block, apart_block);
  builder_.SetInsertPoint(straight_block);
  const Parts one = near();
  llvm::BasicBlock* const one_end = builder_.GetInsertBlock();
  builder_.CreateBr(after);
  builder_.SetInsertPoint(apart_block);
  const Parts other = apart();
  llvm::BasicBlock* const other_end = builder_.GetInsertBlock();
  builder_.CreateBr(after);
  builder_.SetInsertPoint(after);
  for (unsigned number = 0; number < one.size(); ++number) {
    llvm::PHINode* const phi = builder_.CreatePHI(one[number]->getType(), 2);
    phi->addIncoming(one[number], one_end);
    phi->addIncoming(other[number], other_end);
    result.push_back(phi);
  }
}

/// The lanes' pointers to one number of what they point to.
llvm::Value* LaneCode::all_lanes_of(llvm::Value* pointers, llvm::Type* element, unsigned part) {
  return part == 0 ? pointers : builder_.CreateConstGEP1_64(element, pointers, part);
}

LaneCode::Parts LaneCode::load_parts(const llvm::Value* pointer, llvm::Type* type, llvm::Align align) {
  if (facts_.own_array(pointer) != nullptr) {
    return load_own(pointer, type, align);
  }
  const Shape shape = facts_.shape(pointer);
  llvm::Type* const element = type->getScalarType();
  const unsigned count = parts_of(type);
  const std::uint64_t bytes = function_.getDataLayout().getTypeStoreSize(element).getFixedValue();
  const auto apart = [&]() -> Parts {
    llvm::Value* const pointers = part(pointer, 0);
    Parts result;
    for (unsigned number = 0; number < count; ++number) {
      result.push_back(builder_.CreateMaskedGather(wide(element), all_lanes_of(pointers, element, number),
                                                   llvm::commonAlignment(align, number * bytes), mask_));
    }
    return result;
  };
  const auto near = [&]() -> Parts {
    auto* const whole = llvm::FixedVectorType::get(element, lanes_ * count);
    llvm::Value* const first = first_of(pointer);
    if (count == 1) {
      return {mask_ == nullptr ? static_cast<llvm::Value*>(builder_.CreateAlignedLoad(whole, first, align))
                               : builder_.CreateMaskedLoad(whole, first, align, mask_, llvm::PoisonValue::get(whole))};
    }
    llvm::Value* const all = builder_.CreateAlignedLoad(whole, first, align);
    Parts result;
    for (unsigned number = 0; number < count; ++number) {
      llvm::SmallVector<int, 16> places;
      for (unsigned lane = 0; lane < lanes_; ++lane) {
        places.push_back(static_cast<int>(lane * count + number));
      }
      result.push_back(builder_.CreateShuffleVector(all, places));
    }
    return result;
  };
  Parts result;
  if (shape.kind == Shape::affine && shape.stride == static_cast<std::int64_t>(bytes * count) &&
      (count == 1 || mask_ == nullptr)) {
    where_straight(straight_of(pointer), near, apart, result);
  } else {
    result = apart();
  }
  return result;
}

void LaneCode::store_parts(const llvm::Value* pointer, llvm::Type* type, llvm::ArrayRef<llvm::Value*> parts_stored,
                           llvm::Align align) {
  if (facts_.own_array(pointer) != nullptr) {
    store_own(pointer, parts_stored, align);
    return;
  }
  const Shape shape = facts_.shape(pointer);
  llvm::Type* const element = type->getScalarType();
  const auto count = static_cast<unsigned>(parts_stored.size());
  const std::uint64_t bytes = function_.getDataLayout().getTypeStoreSize(element).getFixedValue();
  const auto apart = [&]() -> Parts {
    llvm::Value* const pointers = part(pointer, 0);
    for (unsigned number = 0; number < count; ++number) {
      builder_.CreateMaskedScatter(parts_stored[number], all_lanes_of(pointers, element, number),
                                   llvm::commonAlignment(align, number * bytes), mask_);
    }
    return {};
  };
  const auto near = [&]() -> Parts {
    llvm::Value* const first = first_of(pointer);
    if (mask_ != nullptr) {
      builder_.CreateMaskedStore(parts_stored[0], first, align, mask_);
    } else if (count == 1) {
      builder_.CreateAlignedStore(parts_stored[0], first, align);
    } else {
      llvm::SmallVector<int, 64> places;
      for (unsigned lane = 0; lane < lanes_; ++lane) {
        for (unsigned number = 0; number < count; ++number) {
          places.push_back(static_cast<int>(number * lanes_ + lane));
        }
      }
      llvm::Value* const all = llvm::concatenateVectors(builder_, parts_stored);
      builder_.CreateAlignedStore(builder_.CreateShuffleVector(all, places), first, align);
    }
    return {};
  };
  if (shape.uniform() && mask_ == nullptr) {
    for (unsigned number = 0; number < count; ++number) {  // the last lane's stays
      llvm::Value* const place =
          number == 0 ? first_of(pointer) : builder_.CreateConstGEP1_64(element, first_of(pointer), number);
      builder_.CreateAlignedStore(builder_.CreateExtractElement(parts_stored[number], lanes_ - 1), place,
                                  llvm::commonAlignment(align, number * bytes));
    }
  } else if (shape.kind == Shape::affine && shape.stride == static_cast<std::int64_t>(bytes * count) &&
             (count == 1 || mask_ == nullptr)) {
    Parts none;
    where_straight(straight_of(pointer), near, apart, none);
  } else {
    (void)apart();
  }
}

void LaneCode::write_load(llvm::LoadInst& load) {
  values_[&load].parts = load_parts(load.getPointerOperand(), load.getType(), load.getAlign());
}

void LaneCode::write_store(llvm::StoreInst& store) {
  const llvm::Value* const value = store.getValueOperand();
  store_parts(store.getPointerOperand(), store.getValueOperand()->getType(), parts(value), store.getAlign());
}

/// A memset or memcpy of a few words.
void LaneCode::write_words(llvm::MemIntrinsic& words) {
  const auto* const copy = llvm::dyn_cast<llvm::MemCpyInst>(&words);
  llvm::AllocaInst* const to = facts_.own_array(words.getDest());
  llvm::AllocaInst* const from = copy == nullptr ? nullptr : facts_.own_array(copy->getSource());
  const std::uint64_t word_bytes =
      to != nullptr || from != nullptr ? facts_.own_arrays().lookup(to != nullptr ? to : from).element_bytes : 4;
  const std::uint64_t bytes = llvm::cast<llvm::ConstantInt>(words.getLength())->getZExtValue();
  if (to != nullptr && copy == nullptr && facts_.shape(words.getDest()).uniform() && mask_ == nullptr) {
    builder_.CreateMemSet(place_of_own(words.getDest(), word_bytes, 0), first_of(llvm::cast<llvm::MemSetInst>(words).getValue()),
                          bytes * lanes_, llvm::Align(word_bytes));
    return;
  }
  llvm::Type* const word = builder_.getIntNTy(static_cast<unsigned>(word_bytes * 8));
  llvm::Type* const type =
      bytes == word_bytes ? word : llvm::FixedVectorType::get(word, static_cast<unsigned>(bytes / word_bytes));
  Parts values;
  if (copy != nullptr) {
    values = load_parts(copy->getSource(), type, copy->getSourceAlign().valueOrOne());
  } else {
    const std::uint64_t byte = llvm::cast<llvm::ConstantInt>(llvm::cast<llvm::MemSetInst>(words).getValue())->getZExtValue();
    const llvm::APInt all = llvm::APInt::getSplat(static_cast<unsigned>(word_bytes * 8), llvm::APInt(8, byte));
    values.assign(bytes / word_bytes, builder_.CreateVectorSplat(lanes_, builder_.getInt(all)));
  }
  store_parts(words.getDest(), type, values, words.getDestAlign().valueOrOne());
}

void LaneCode::make_own_arrays() {
  llvm::BasicBlock& entry = function_.getEntryBlock();
  for (const auto& [variable, array] : facts_.own_arrays()) {
    llvm::IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
    llvm::AllocaInst* const all = builder.CreateAlloca(llvm::ArrayType::get(builder.getInt8Ty(), array.bytes * lanes_), nullptr,
                                                       variable->getName() + ".lanes");
    all->setAlignment(llvm::Align(64));
    own_arrays_[variable] = all;
  }
}

/// Where lanes have what `pointer` leads to in one thread's own array: the first lane's place, which those of the others follow,
/// or a vector of places.
llvm::Value* LaneCode::place_of_own(const llvm::Value* pointer, std::uint64_t element_bytes, unsigned part_number) {
  llvm::AllocaInst* const variable = facts_.own_array(pointer);
  llvm::AllocaInst* const all = own_arrays_.lookup(variable);
  llvm::Type* const word = builder_.getInt64Ty();
  const bool is_one = facts_.shape(pointer).uniform();
  llvm::Type* const type = is_one ? word : wide(word);
  llvm::Value* const address = builder_.CreatePtrToInt(is_one ? first_of(pointer) : part(pointer, 0), type);
  llvm::Value* const start = builder_.CreatePtrToInt(variable, word);
  llvm::Value* offset = builder_.CreateSub(address, is_one ? start : builder_.CreateVectorSplat(lanes_, start));
  offset = builder_.CreateMul(offset, llvm::ConstantInt::get(type, lanes_));
  offset = builder_.CreateAdd(offset, llvm::ConstantInt::get(type, part_number * element_bytes * lanes_));
  if (!is_one) {
    llvm::SmallVector<llvm::Constant*, 16> steps;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      steps.push_back(builder_.getInt64(lane * element_bytes));
    }
    offset = builder_.CreateAdd(offset, llvm::ConstantVector::get(steps));
  }
  return builder_.CreateGEP(builder_.getInt8Ty(), all, offset);
}

LaneCode::Parts LaneCode::load_own(const llvm::Value* pointer, llvm::Type* type, llvm::Align align) {
  llvm::Type* const vector = wide(type);
  const std::uint64_t bytes = facts_.own_arrays().lookup(facts_.own_array(pointer)).element_bytes;
  Parts result;
  for (unsigned number = 0; number < parts_of(type); ++number) {
    llvm::Value* const place = place_of_own(pointer, bytes, number);
    const llvm::Align element = llvm::commonAlignment(align, bytes);
    if (place->getType()->isVectorTy()) {
      result.push_back(builder_.CreateMaskedGather(vector, place, element, mask_));
    } else if (mask_ != nullptr) {
      result.push_back(builder_.CreateMaskedLoad(vector, place, element, mask_));
    } else {
      result.push_back(builder_.CreateAlignedLoad(vector, place, element));
    }
  }
  return result;
}

void LaneCode::store_own(const llvm::Value* pointer, llvm::ArrayRef<llvm::Value*> parts_stored, llvm::Align align) {
  const std::uint64_t bytes = facts_.own_arrays().lookup(facts_.own_array(pointer)).element_bytes;
  for (unsigned number = 0; number < parts_stored.size(); ++number) {
    llvm::Value* const place = place_of_own(pointer, bytes, number);
    const llvm::Align element = llvm::commonAlignment(align, bytes);
    if (place->getType()->isVectorTy()) {
      builder_.CreateMaskedScatter(parts_stored[number], place, element, mask_);
    } else if (mask_ != nullptr) {
      builder_.CreateMaskedStore(parts_stored[number], place, element, mask_);
    } else {
      builder_.CreateAlignedStore(parts_stored[number], place, element);
    }
  }
}

}  // namespace phpc::lanes
