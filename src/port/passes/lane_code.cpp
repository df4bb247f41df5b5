#include "port/passes/lane_code.hpp"

#include <llvm/Analysis/VectorUtils.h>

namespace phpc::lanes {

LaneCode::LaneCode(const LaneFacts& facts, const llvm::TargetLibraryInfo& library, unsigned lanes, llvm::BasicBlock* done,
                   llvm::BasicBlock* in_turn)
    : facts_(facts),
      library_(library),
      lanes_(lanes),
      done_(done),
      in_turn_(in_turn),
      function_(*done->getParent()),
      builder_(done->getContext()) {}

llvm::BasicBlock* LaneCode::write(const llvm::DenseMap<llvm::PHINode*, llvm::Value*>& starts) {
  for (llvm::BasicBlock* const block : facts_.order()) {
    if (!facts_.is_masked(block)) {
      blocks_[block] = llvm::BasicBlock::Create(function_.getContext(), block->getName() + ".lanes", &function_, done_);
    }
  }
  make_own_arrays();
  llvm::BasicBlock* const header = facts_.order().front();
  builder_.SetInsertPoint(blocks_[header]);
  for (llvm::PHINode& phi : header->phis()) {
    Lanes& lanes = values_[&phi];
    lanes.first = starts.lookup(&phi);
    llvm::SmallVector<llvm::Constant*, 16> steps;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      steps.push_back(llvm::ConstantInt::get(phi.getType(), static_cast<std::uint64_t>(facts_.shape(&phi).stride) * lane));
    }
    lanes.parts.push_back(builder_.CreateAdd(builder_.CreateVectorSplat(lanes_, lanes.first), llvm::ConstantVector::get(steps)));
  }
  for (llvm::BasicBlock* const block : facts_.order()) {
    if (!facts_.is_masked(block)) {
      builder_.SetInsertPoint(blocks_[block]);
      const llvm::Loop* const thinning = facts_.thinning_loop(block);
      if (thinning != nullptr && thinning->getHeader() == block) {
        begin_thinning(*thinning);
      }
      mask_ = mask_of(thinning);
      write_block(block);
      write_end(block);
    }
  }
  mask_ = nullptr;
  end_phis();
  return blocks_[header];
}

llvm::Type* LaneCode::wide(llvm::Type* type) const {
  return llvm::FixedVectorType::get(type->getScalarType(), lanes_);
}

llvm::Value* LaneCode::both(llvm::Value* one, llvm::Value* other) {
  return one == nullptr ? other : other == nullptr ? one : builder_.CreateAnd(one, other);
}

/// What the first lane has of a uniform or affine value.
llvm::Value* LaneCode::first_of(const llvm::Value* value) {
  const auto found = values_.find(value);
  return found != values_.end() && found->second.first != nullptr ? found->second.first : const_cast<llvm::Value*>(value);
}

llvm::Value* LaneCode::straight_of(const llvm::Value* value) const {
  const auto found = values_.find(value);
  return found == values_.end() ? nullptr : found->second.straight;
}

LaneCode::Parts LaneCode::parts(const llvm::Value* value) {
  if (!facts_.shape(value).uniform()) {
    return values_.find(value)->second.parts;
  }
  llvm::Value* const whole = first_of(value);
  Parts all;
  for (unsigned number = 0; number < parts_of(whole->getType()); ++number) {
    llvm::Value* const one = whole->getType()->isVectorTy() ? builder_.CreateExtractElement(whole, number) : whole;
    all.push_back(builder_.CreateVectorSplat(lanes_, one));
  }
  return all;
}

void LaneCode::write_block(llvm::BasicBlock* block) {
  const bool is_header = block == facts_.order().front();
  for (llvm::Instruction& instruction : *block) {
    if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
      const llvm::Loop* const loop = facts_.masked_loop(block);
      if (loop != nullptr && loop->getHeader() == block) {
        continue;  // begin_masked_loop has
      }
      if (facts_.is_masked(block)) {
        join_phi(*phi);
      } else if (!is_header) {
        write_phi(*phi);
      }
    } else if (!instruction.isTerminator()) {
      write_instruction(instruction);
    }
  }
}

void LaneCode::write_instruction(llvm::Instruction& instruction) {
  if (auto* const words = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
    write_words(*words);
  } else if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    write_store(*store);
  } else if (auto* const atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    write_atomic(*atomic);
  } else if (is_note(instruction)) {
    return;
  } else if (facts_.shape(&instruction).kind == Shape::affine) {
    write_affine(instruction);
  } else if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    write_load(*load);
  } else if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    write_call(*call);
  } else {
    write_parts(instruction);
  }
}

/// Inserts a load from a place that all lanes share, which is done if any lane is there.
llvm::Value* LaneCode::load_if_any(llvm::Instruction* load) {
  llvm::BasicBlock* const before = builder_.GetInsertBlock();
  auto* const some = llvm::BasicBlock::Create(function_.getContext(), "some", &function_, done_);
  auto* const after = llvm::BasicBlock::Create(function_.getContext(), "after", &function_, done_);
  builder_.CreateCondBr(builder_.CreateOrReduce(mask_), some, after);
  builder_.SetInsertPoint(some);
  builder_.Insert(load);
  builder_.CreateBr(after);
  builder_.SetInsertPoint(after);
  llvm::PHINode* const value = builder_.CreatePHI(load->getType(), 2);
  value->addIncoming(llvm::PoisonValue::get(load->getType()), before);
  value->addIncoming(load, some);
  return value;
}

/// Copies an instruction for the first lane; what is not the same in all lanes is written as vectors as well.
void LaneCode::write_affine(llvm::Instruction& instruction) {
  const Shape shape = facts_.shape(&instruction);
  // A disjoint `or` is the sum in lanes that run it; the first lane need not be one of those.
  const bool is_sum = !shape.uniform() && instruction.getOpcode() == llvm::Instruction::Or;
  llvm::Instruction* const copy =
      is_sum ? llvm::BinaryOperator::CreateAdd(instruction.getOperand(0), instruction.getOperand(1)) : instruction.clone();
  for (llvm::Use& operand : copy->operands()) {
    operand.set(first_of(operand.get()));
  }
  copy->dropUnknownNonDebugMetadata({llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_invariant_load});
  if (mask_ != nullptr) {
    copy->dropPoisonGeneratingFlags();
  }
  Lanes lanes;
  lanes.first = llvm::isa<llvm::LoadInst>(copy) && facts_.is_masked(instruction.getParent())
                    ? load_if_any(copy)
                    : builder_.Insert(copy, instruction.getName());
  if (!shape.uniform()) {
    for (const llvm::Value* const operand : instruction.operands()) {
      lanes.straight = both(lanes.straight, straight_of(operand));
    }
    if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction)) {
      llvm::Value* const from = copy->getOperand(0);
      const bool is_signed = llvm::isa<llvm::SExtInst>(instruction);
      const llvm::APInt reach(32, static_cast<std::uint64_t>(shape.stride * (static_cast<int>(lanes_) - 1)), true);
      const auto greatest = is_signed ? llvm::APInt::getSignedMaxValue(32) : llvm::APInt::getMaxValue(32);
      const auto least = is_signed ? llvm::APInt::getSignedMinValue(32) : llvm::APInt::getZero(32);
      llvm::Value* const limit = builder_.getInt(shape.stride > 0 ? greatest - reach : least - reach);
      const auto compare = shape.stride > 0 ? (is_signed ? llvm::CmpInst::ICMP_SLE : llvm::CmpInst::ICMP_ULE)
                                            : (is_signed ? llvm::CmpInst::ICMP_SGE : llvm::CmpInst::ICMP_UGE);
      llvm::Value* const straight = builder_.CreateICmp(compare, from, limit);
      if (facts_.may_turn_back(instruction)) {
        auto* const next = llvm::BasicBlock::Create(function_.getContext(), "straight", &function_, done_);
        builder_.CreateCondBr(straight, next, in_turn_);
        builder_.SetInsertPoint(next);
      } else {
        lanes.straight = both(lanes.straight, straight);
      }
    }
    lanes.parts.push_back(write_part(instruction, 0));
  }
  values_[&instruction] = std::move(lanes);
}

void LaneCode::write_parts(llvm::Instruction& instruction) {
  Parts result;
  if (const auto* const shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
    write_shuffle(*shuffle);
    return;
  }
  if (llvm::isa<llvm::InsertElementInst>(instruction)) {
    result = parts(instruction.getOperand(0));
    const std::uint64_t place = llvm::cast<llvm::ConstantInt>(instruction.getOperand(2))->getZExtValue();
    if (place < result.size()) {
      result[place] = part(instruction.getOperand(1), 0);
    }
  } else if (llvm::isa<llvm::ExtractElementInst>(instruction)) {
    const Parts all = parts(instruction.getOperand(0));
    const std::uint64_t place = llvm::cast<llvm::ConstantInt>(instruction.getOperand(1))->getZExtValue();
    result.push_back(all[place < all.size() ? place : 0]);
  } else {
    for (unsigned number = 0; number < parts_of(instruction.getType()); ++number) {
      result.push_back(write_part(instruction, number));
    }
  }
  values_[&instruction].parts = std::move(result);
}

void LaneCode::write_shuffle(const llvm::ShuffleVectorInst& shuffle) {
  const Parts low = parts(shuffle.getOperand(0));
  const Parts high = parts(shuffle.getOperand(1));
  Parts result;
  for (const int place : shuffle.getShuffleMask()) {
    const auto number = static_cast<std::size_t>(place < 0 ? 0 : place);
    result.push_back(place < 0             ? llvm::PoisonValue::get(wide(shuffle.getType()))
                     : number < low.size() ? low[number]
                                           : high[number - low.size()]);
  }
  values_[&shuffle].parts = std::move(result);
}

llvm::Value* LaneCode::write_address(const llvm::GetElementPtrInst& address) {
  llvm::SmallVector<llvm::Value*, 4> indices;
  const auto one = [&](const llvm::Value* value) {
    return facts_.shape(value).uniform() ? first_of(value) : values_.find(value)->second.parts[0];
  };
  bool any = !facts_.shape(address.getPointerOperand()).uniform();
  for (const llvm::Use& index : address.indices()) {
    any = any || !facts_.shape(index.get()).uniform();
    indices.push_back(one(index.get()));
  }
  llvm::Value* const base = any ? one(address.getPointerOperand()) : part(address.getPointerOperand(), 0);
  return builder_.CreateGEP(address.getSourceElementType(), base, indices, address.getName());
}

llvm::Value* LaneCode::write_part(llvm::Instruction& instruction, unsigned number) {
  if (const auto* const address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    return write_address(*address);
  }
  if (const auto* const choice = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    const llvm::Value* const condition = choice->getCondition();
    llvm::Value* const whether = condition->getType()->isVectorTy()  ? part(condition, number)
                                 : facts_.shape(condition).uniform() ? first_of(condition)
                                                                     : values_.find(condition)->second.parts[0];
    return builder_.CreateSelect(whether, part(choice->getTrueValue(), number), part(choice->getFalseValue(), number));
  }
  const auto* const operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
  if (operation != nullptr && operation->isIntDivRem() && !llvm::isa<llvm::Constant>(operation->getOperand(1))) {
    return write_division(*operation, part(operation->getOperand(0), number), part(operation->getOperand(1), number));
  }
  llvm::Instruction* const copy = [&]() -> llvm::Instruction* {
    if (const auto* const cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
      return llvm::CastInst::Create(cast->getOpcode(), part(cast->getOperand(0), number), wide(cast->getDestTy()));
    }
    if (const auto* const compare = llvm::dyn_cast<llvm::CmpInst>(&instruction)) {
      return llvm::CmpInst::Create(compare->getOpcode(), compare->getPredicate(), part(compare->getOperand(0), number),
                                   part(compare->getOperand(1), number));
    }
    if (operation != nullptr) {
      return llvm::BinaryOperator::Create(operation->getOpcode(), part(operation->getOperand(0), number),
                                          part(operation->getOperand(1), number));
    }
    if (llvm::isa<llvm::FreezeInst>(instruction)) {
      return new llvm::FreezeInst(part(instruction.getOperand(0), number));
    }
    const auto& unary = llvm::cast<llvm::UnaryOperator>(instruction);
    return llvm::UnaryOperator::Create(unary.getOpcode(), part(unary.getOperand(0), number));
  }();
  copy->copyIRFlags(&instruction);
  if (mask_ != nullptr && !llvm::isa<llvm::FPMathOperator>(instruction)) {
    copy->dropPoisonGeneratingFlags();
  }
  return builder_.Insert(copy, instruction.getName());
}

void LaneCode::write_call(llvm::CallInst& call) {
  if (!facts_.has_vector_form(call)) {
    write_calls(call);
    return;
  }
  const llvm::Intrinsic::ID intrinsic = call.getIntrinsicID();
  const llvm::StringRef name = call.getCalledFunction()->getName();
  if (library_.isFunctionVectorizable(name)) {
    if (llvm::Value* const result = call_library(call, name)) {
      values_[&call].parts.push_back(result);
      return;
    }
  }
  llvm::SmallVector<llvm::Value*, 4> arguments;
  llvm::SmallVector<llvm::Type*, 2> types;
  if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(intrinsic, -1)) {
    types.push_back(wide(call.getType()));
  }
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const bool is_one = llvm::isVectorIntrinsicWithScalarOpAtArg(intrinsic, i);
    llvm::Value* const argument = is_one ? first_of(call.getArgOperand(i)) : part(call.getArgOperand(i), 0);
    arguments.push_back(argument);
    if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(intrinsic, static_cast<int>(i))) {
      types.push_back(argument->getType());
    }
  }
  llvm::Function* const function = llvm::Intrinsic::getDeclaration(function_.getParent(), intrinsic, types);
  llvm::CallInst* const wide_call = builder_.CreateCall(function, arguments);
  if (llvm::isa<llvm::FPMathOperator>(call)) {
    wide_call->copyFastMathFlags(&call);
  }
  values_[&call].parts.push_back(wide_call);
}

/// Calls a function for one lane after another.
void LaneCode::write_calls(llvm::CallInst& call) {
  llvm::SmallVector<llvm::Value*, 4> arguments;
  for (const llvm::Use& argument : call.args()) {
    llvm::Value* const one = facts_.shape(argument.get()).uniform() ? first_of(argument.get()) : part(argument.get(), 0);
    arguments.push_back(mask_ == nullptr ? one : builder_.CreateFreeze(one));  // other lanes may have anything
  }
  llvm::Value* result = call.getType()->isVoidTy() ? nullptr : llvm::PoisonValue::get(wide(call.getType()));
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    auto* const one = llvm::cast<llvm::CallInst>(call.clone());
    for (unsigned i = 0; i < arguments.size(); ++i) {
      const bool is_one = facts_.shape(call.getArgOperand(i)).uniform();
      one->setArgOperand(i, is_one ? arguments[i] : builder_.CreateExtractElement(arguments[i], lane));
    }
    one->dropUnknownNonDebugMetadata({});
    builder_.Insert(one);
    result = result == nullptr ? nullptr : builder_.CreateInsertElement(result, one, lane);
  }
  if (result != nullptr) {
    values_[&call].parts.push_back(result);
  }
}

/// Calls the vector library's function, with as many lanes at a time as it has. Null where it has none for this number of lanes.
llvm::Value* LaneCode::call_library(llvm::CallInst& call, llvm::StringRef name) {
  for (unsigned some = lanes_; some >= 2; some /= 2) {
    const llvm::VecDesc* const description = library_.getVectorMappingInfo(name, llvm::ElementCount::getFixed(some), false);
    if (description == nullptr) {
      continue;
    }
    auto* const type = llvm::FixedVectorType::get(call.getType(), some);
    llvm::SmallVector<llvm::Type*, 2> types;
    for (const llvm::Use& argument : call.args()) {
      types.push_back(llvm::FixedVectorType::get(argument->getType(), some));
    }
    const llvm::FunctionCallee function =
        function_.getParent()->getOrInsertFunction(description->getVectorFnName(), llvm::FunctionType::get(type, types, false));
    llvm::SmallVector<llvm::Value*, 8> results;
    for (unsigned from = 0; from < lanes_; from += some) {
      llvm::SmallVector<int, 16> places;
      for (unsigned lane = from; lane < from + some; ++lane) {
        places.push_back(static_cast<int>(lane));
      }
      llvm::SmallVector<llvm::Value*, 2> arguments;
      for (const llvm::Use& argument : call.args()) {
        llvm::Value* const all = part(argument.get(), 0);
        arguments.push_back(some == lanes_ ? all : builder_.CreateShuffleVector(all, places));
      }
      llvm::CallInst* const one = builder_.CreateCall(function, arguments);
      one->setDoesNotThrow();
      one->setDoesNotAccessMemory();
      results.push_back(one);
    }
    return llvm::concatenateVectors(builder_, results);
  }
  return nullptr;
}

}  // namespace phpc::lanes
