// How lanes read and write memory: a part of LaneCode.
#include <llvm/Analysis/VectorUtils.h>

#include <algorithm>

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

/// The lanes' pointers, of which those of lanes under a mask may be anything, but the same wherever they are used.
llvm::Value* LaneCode::known_pointers(const llvm::Value* pointer) {
  llvm::Value* const pointers = part(pointer, 0);
  return mask_ == nullptr ? pointers : builder_.CreateFreeze(pointers);
}

/// i1: whether the numbers of all lanes lie one after another.
llvm::Value* LaneCode::are_straight(llvm::Value* pointers, std::uint64_t bytes) {
  llvm::Value* const addresses = builder_.CreatePtrToInt(pointers, wide(builder_.getInt64Ty()));
  llvm::Value* const first = builder_.CreateExtractElement(addresses, std::uint64_t{0});
  llvm::SmallVector<llvm::Constant*, 16> steps;
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    steps.push_back(builder_.getInt64(lane * bytes));
  }
  llvm::Value* const straight = builder_.CreateAdd(builder_.CreateVectorSplat(lanes_, first), llvm::ConstantVector::get(steps));
  return builder_.CreateAndReduce(builder_.CreateICmpEQ(addresses, straight));
}

/// The lanes' pointers to one number of what they point to.
llvm::Value* LaneCode::all_lanes_of(llvm::Value* pointers, llvm::Type* element, unsigned part) {
  return part == 0 ? pointers : builder_.CreateConstGEP1_64(element, pointers, part);
}

/// Loads a number for each lane. Processors gather nothing of less than 32 bits: of bytes and half words they get the words
/// around them, which lie in the same page.
llvm::Value* LaneCode::gather(llvm::Type* element, llvm::Value* pointers, llvm::Align align) {
  const std::uint64_t bytes = function_.getDataLayout().getTypeStoreSize(element).getFixedValue();
  if (bytes >= 4 || align.value() < bytes) {
    return builder_.CreateMaskedGather(wide(element), pointers, align, mask_);
  }
  llvm::Type* const words = wide(builder_.getInt32Ty());
  llvm::Value* const addresses = builder_.CreatePtrToInt(pointers, wide(builder_.getInt64Ty()));
  llvm::Value* const around = builder_.CreateIntToPtr(
      builder_.CreateAnd(addresses, llvm::ConstantInt::get(addresses->getType(), ~std::uint64_t{3})), pointers->getType());
  llvm::Value* const word = builder_.CreateMaskedGather(words, around, llvm::Align(4), mask_);
  llvm::Value* const place = builder_.CreateAnd(builder_.CreateTrunc(addresses, words), llvm::ConstantInt::get(words, 3));
  llvm::Value* const shifted = builder_.CreateLShr(word, builder_.CreateShl(place, llvm::ConstantInt::get(words, 3)));
  llvm::Value* const number = builder_.CreateTrunc(shifted, wide(builder_.getIntNTy(static_cast<unsigned>(bytes * 8))));
  return element->isIntegerTy() ? number : builder_.CreateBitCast(number, wide(element));
}

/// Loads a number of each row of `distance` numbers, from `first` on, as vectors that reach from the first lane's number to that
/// of the last: what lies between two numbers of lanes is in a page of one of them.
llvm::Value* LaneCode::load_column(llvm::Value* first, llvm::Type* element, unsigned distance, llvm::Align align) {
  const std::uint64_t bytes = function_.getDataLayout().getTypeStoreSize(element).getFixedValue();
  const unsigned reach = (lanes_ - 1) * distance + 1;
  llvm::Value* column = llvm::PoisonValue::get(wide(element));
  for (unsigned piece = 0; piece < distance; ++piece) {
    const unsigned begin = std::min(piece * lanes_, reach - lanes_);
    llvm::Value* const place = builder_.CreateConstGEP1_64(element, first, begin);
    llvm::Value* const numbers = builder_.CreateAlignedLoad(wide(element), place, llvm::commonAlignment(align, begin * bytes));
    llvm::SmallVector<int, 16> places;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      const unsigned at = lane * distance;
      const bool is_new = at >= piece * lanes_ && at < (piece + 1) * lanes_;
      places.push_back(static_cast<int>(is_new ? lanes_ + at - begin : lane));
    }
    column = builder_.CreateShuffleVector(column, numbers, places);
  }
  return column;
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
      result.push_back(gather(element, all_lanes_of(pointers, element, number), llvm::commonAlignment(align, number * bytes)));
    }
    return result;
  };
  llvm::Value* first = nullptr;
  const auto near = [&]() -> Parts {
    auto* const whole = llvm::FixedVectorType::get(element, lanes_ * count);
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
    first = first_of(pointer);
    where_straight(straight_of(pointer), near, apart, result);
  } else if (mask_ == nullptr && facts_.rows_apart(pointer, type) != 0) {
    const unsigned distance = facts_.rows_apart(pointer, type);
    where_straight(
        straight_of(pointer), [&]() -> Parts { return {load_column(first_of(pointer), element, distance, align)}; }, apart,
        result);
  } else if (count == 1 && facts_.may_be_straight(pointer)) {
    llvm::Value* const pointers = known_pointers(pointer);
    first = builder_.CreateExtractElement(pointers, std::uint64_t{0});
    where_straight(are_straight(pointers, bytes), near, apart, result);
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
  llvm::Value* first = nullptr;
  const auto near = [&]() -> Parts {
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
    first = first_of(pointer);
    where_straight(straight_of(pointer), near, apart, none);
  } else if (count == 1 && facts_.may_be_straight(pointer)) {
    Parts none;
    llvm::Value* const pointers = known_pointers(pointer);
    first = builder_.CreateExtractElement(pointers, std::uint64_t{0});
    where_straight(are_straight(pointers, bytes), near, apart, none);
  } else {
    (void)apart();
  }
}

void LaneCode::write_load(llvm::LoadInst& load) {
  values_[&load].parts = load_parts(load.getPointerOperand(), load.getType(), load.getAlign());
}

void LaneCode::write_store(llvm::StoreInst& store) {
  if (facts_.waits_for_row(&store)) {
    return;
  }
  if (const auto* const row = facts_.row_of(&store)) {
    Parts numbers;
    for (const llvm::StoreInst* const one : *row) {
      numbers.push_back(part(one->getValueOperand(), 0));
    }
    auto* const type = llvm::FixedVectorType::get(store.getValueOperand()->getType(), static_cast<unsigned>(row->size()));
    store_parts(row->front()->getPointerOperand(), type, numbers, row->front()->getAlign());
    return;
  }
  const llvm::Value* const value = store.getValueOperand();
  store_parts(store.getPointerOperand(), store.getValueOperand()->getType(), parts(value), store.getAlign());
}

/// Changes memory for one lane after another.
void LaneCode::write_atomic(llvm::AtomicRMWInst& atomic) {
  const bool is_used = !atomic.use_empty();
  llvm::Value* const places = part(atomic.getPointerOperand(), 0);
  llvm::Value* const numbers = part(atomic.getValOperand(), 0);
  llvm::Value* result = llvm::PoisonValue::get(wide(atomic.getType()));
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    llvm::BasicBlock* const before = builder_.GetInsertBlock();
    llvm::BasicBlock* after = nullptr;
    if (mask_ != nullptr) {
      auto* const here = llvm::BasicBlock::Create(function_.getContext(), "atomic", &function_, done_);
      after = llvm::BasicBlock::Create(function_.getContext(), "after", &function_, done_);
      builder_.CreateCondBr(builder_.CreateExtractElement(mask_, lane), here, after);
      builder_.SetInsertPoint(here);
    }
    auto* const one = llvm::cast<llvm::AtomicRMWInst>(atomic.clone());
    one->setOperand(0, builder_.CreateExtractElement(places, lane));
    one->setOperand(1, builder_.CreateExtractElement(numbers, lane));
    one->dropUnknownNonDebugMetadata({});
    builder_.Insert(one);
    llvm::Value* const with = is_used ? builder_.CreateInsertElement(result, one, lane) : result;
    if (after != nullptr) {
      llvm::BasicBlock* const here = builder_.GetInsertBlock();
      builder_.CreateBr(after);
      builder_.SetInsertPoint(after);
      if (is_used) {
        llvm::PHINode* const either = builder_.CreatePHI(result->getType(), 2);
        either->addIncoming(result, before);
        either->addIncoming(with, here);
        result = either;
      }
    } else {
      result = with;
    }
  }
  if (is_used) {
    values_[&atomic].parts.push_back(result);
  }
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
