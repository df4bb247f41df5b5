#include "port/passes/nvidia/wide_copies.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Scalar/SROA.h>

namespace phpc::gpu {

namespace {

constexpr uint64_t width = 16;        ///< bytes of the widest access
constexpr uint64_t most_bytes = 128;  ///< of a copy that is unrolled here; LLVM makes loops of longer ones

/// The bytes of a copy that becomes wide; 0 where it stays.
uint64_t wide_bytes(const llvm::MemCpyInst& copy) {
  const auto* const length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  const bool aligned = copy.getSourceAlign().valueOrOne() >= width && copy.getDestAlign().valueOrOne() >= width;
  if (length == nullptr || copy.isVolatile() || !aligned || length->getZExtValue() > most_bytes) {
    return 0;
  }
  return length->getZExtValue() % width == 0 ? length->getZExtValue() : 0;
}

void make_wide(llvm::MemCpyInst& copy, uint64_t bytes) {
  llvm::IRBuilder builder(&copy);
  auto* const words = llvm::FixedVectorType::get(builder.getInt32Ty(), width / sizeof(uint32_t));
  llvm::SmallVector<llvm::Value*, most_bytes / width> values;
  // All of it is read before any of it is written, as memcpy may: source and destination may be the same.
  for (uint64_t at = 0; at < bytes; at += width) {
    values.push_back(builder.CreateAlignedLoad(
        words, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), copy.getSource(), at), llvm::Align(width)));
  }
  for (uint64_t at = 0; at < bytes; at += width) {
    builder.CreateAlignedStore(values[at / width], builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), copy.getDest(), at),
                               llvm::Align(width));
  }
  copy.eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses WideCopies::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::SmallVector<llvm::MemCpyInst*, 16> copies;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* const copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction); copy != nullptr && wide_bytes(*copy) != 0) {
      copies.push_back(copy);
    }
  }
  if (copies.empty()) {
    return llvm::PreservedAnalyses::all();
  }
  for (llvm::MemCpyInst* const copy : copies) {
    make_wide(*copy, wide_bytes(*copy));
  }
  // Variables that were copied as a whole and now are values.
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  llvm::SROAPass(llvm::SROAOptions::PreserveCFG).run(function, analyses);
  return llvm::PreservedAnalyses::none();
}

}  // namespace phpc::gpu
