// How lanes divide integers, for which processors have no vector instruction: a part of LaneCode.
#include "port/passes/lane_code.hpp"

namespace phpc::lanes {

namespace {

constexpr unsigned word_bits = 32;

}  // namespace

/// Divides integers of 32 bits as numbers of double precision, whose quotient, cut to an integer, is exact: it differs from the
/// next integer by at least 1 / b, while rounding moves a / b by at most 2^-21 / b. So it is with a factor in place of the
/// divisor that all lanes share, if the factor is at least 1 / b and at most (1 + 2^-50) / b.
llvm::Value* LaneCode::divide_words(const llvm::BinaryOperator& division, llvm::Value* left, llvm::Value* right) {
  const bool is_signed = division.getOpcode() == llvm::Instruction::SDiv || division.getOpcode() == llvm::Instruction::SRem;
  const bool is_rest = division.getOpcode() == llvm::Instruction::SRem || division.getOpcode() == llvm::Instruction::URem;
  llvm::Type* const number = builder_.getDoubleTy();
  llvm::Type* const numbers = wide(number);
  llvm::Type* const words = wide(builder_.getInt32Ty());
  const auto fitted = [&](llvm::Value* value, llvm::Type* type) {
    return is_signed ? builder_.CreateSExtOrTrunc(value, type) : builder_.CreateZExtOrTrunc(value, type);
  };
  const auto as_number = [&](llvm::Value* value, llvm::Type* type) {
    return is_signed ? builder_.CreateSIToFP(value, type) : builder_.CreateUIToFP(value, type);
  };
  llvm::Value* const dividend = fitted(left, words);
  llvm::Value* const divisor = fitted(right, words);
  llvm::Value* exact = nullptr;
  if (facts_.shape(division.getOperand(1)).uniform()) {
    constexpr double slightly_more = 1.0 + 0x1p-51;
    llvm::Value* const one = as_number(fitted(first_of(division.getOperand(1)), builder_.getInt32Ty()), number);
    llvm::Value* const factor = builder_.CreateFMul(builder_.CreateFDiv(llvm::ConstantFP::get(number, 1.0), one),
                                                    llvm::ConstantFP::get(number, slightly_more));
    exact = builder_.CreateFMul(as_number(dividend, numbers), builder_.CreateVectorSplat(lanes_, factor));
  } else {
    exact = builder_.CreateFDiv(as_number(dividend, numbers), as_number(divisor, numbers));
  }
  llvm::Value* const quotient = is_signed ? builder_.CreateFPToSI(exact, words) : builder_.CreateFPToUI(exact, words);
  llvm::Value* const result = is_rest ? builder_.CreateSub(dividend, builder_.CreateMul(quotient, divisor)) : quotient;
  return fitted(result, left->getType());
}

/// Integers of 64 bits are divided as words where those of all lanes are words, else one after another.
llvm::Value* LaneCode::write_division(const llvm::BinaryOperator& division, llvm::Value* left, llvm::Value* right) {
  llvm::Value* divisor = right;
  llvm::Value* dividend = left;
  if (mask_ != nullptr) {  // other lanes may have anything
    divisor = builder_.CreateSelect(mask_, right, llvm::ConstantInt::get(right->getType(), 1));
    dividend = builder_.CreateSelect(mask_, left, llvm::ConstantInt::get(left->getType(), 1));
  }
  if (division.getType()->getIntegerBitWidth() <= word_bits) {
    return divide_words(division, dividend, divisor);
  }
  llvm::Value* const reach = builder_.CreateOrReduce(builder_.CreateOr(dividend, divisor));
  llvm::Value* const are_words =
      builder_.CreateICmpULT(reach, llvm::ConstantInt::get(reach->getType(), std::uint64_t{1} << (word_bits - 1)));
  Parts result;
  where_straight(
      are_words, [&]() -> Parts { return {divide_words(division, dividend, divisor)}; },
      [&]() -> Parts { return {builder_.CreateBinOp(division.getOpcode(), dividend, divisor)}; }, result);
  return result.front();
}

}  // namespace phpc::lanes
