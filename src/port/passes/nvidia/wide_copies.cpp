#include "port/passes/nvidia/wide_copies.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>

namespace phpc::gpu {

namespace {

constexpr uint64_t widest = 16;        ///< bytes of the widest access
constexpr uint64_t straight = 128;     ///< bytes that become straight code; of more, LLVM makes loops over bytes
constexpr uint64_t turn_accesses = 8;  ///< accesses of a turn of a loop made here

/// What becomes wide: a copy, or a fill with one byte.
struct Access {
  llvm::MemIntrinsic* call;
  uint64_t bytes;
  uint64_t width;  ///< of one access, in bytes
};

/// The widest accesses that the alignment of all that `call` touches allows. Variables of a thread are aligned better for it.
uint64_t width_of(const llvm::MemIntrinsic& call) {
  const auto aligned = [&](llvm::Value* pointer, llvm::MaybeAlign known) {
    const llvm::Align align =
        llvm::getOrEnforceKnownAlignment(pointer, llvm::Align(widest), call.getModule()->getDataLayout(), &call);
    return std::max(align, known.valueOrOne()).value();
  };
  uint64_t width = std::min(widest, aligned(call.getDest(), call.getDestAlign()));
  if (const auto* const copy = llvm::dyn_cast<llvm::MemCpyInst>(&call); copy != nullptr) {
    width = std::min(width, aligned(copy->getSource(), copy->getSourceAlign()));
  }
  return width;
}

bool becomes_wide(const Access& access) {
  return access.bytes > straight ? access.width > 1
                                 : llvm::isa<llvm::MemCpyInst>(access.call) && access.width == widest && access.bytes != 0 &&
                                       access.bytes % widest == 0;
}

llvm::Type* type_of_width(llvm::IRBuilderBase& builder, uint64_t width) {
  constexpr uint64_t word = sizeof(uint32_t);
  return width <= word ? static_cast<llvm::Type*>(builder.getIntNTy(static_cast<unsigned>(8 * width)))
                       : llvm::FixedVectorType::get(builder.getInt32Ty(), static_cast<unsigned>(width / word));
}

/// A value of `type` all bytes of which are `byte`.
llvm::Value* repeated(llvm::IRBuilderBase& builder, llvm::Value* byte, llvm::Type* type) {
  const unsigned bits = type->getScalarSizeInBits();
  llvm::Value* const ones = llvm::ConstantInt::get(builder.getContext(), llvm::APInt::getSplat(bits, llvm::APInt(8, 1)));
  llvm::Value* const lane = builder.CreateMul(builder.CreateZExt(byte, builder.getIntNTy(bits)), ones);
  const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector == nullptr ? lane : builder.CreateVectorSplat(vector->getNumElements(), lane);
}

/// Accesses of `width` bytes, `count` of them, from the byte `first` on. All of a copy is read before any of it is written, as
/// memcpy may: source and destination may be the same.
void access_straight(llvm::IRBuilderBase& builder, const Access& access, llvm::Value* first, uint64_t count, uint64_t width) {
  llvm::Type* const type = type_of_width(builder, width);
  const llvm::Align align(width);
  llvm::Type* const byte = builder.getInt8Ty();
  const auto place = [&](llvm::Value* base, uint64_t index) {
    return builder.CreateConstInBoundsGEP1_64(byte, builder.CreateInBoundsGEP(byte, base, first), index * width);
  };
  llvm::SmallVector<llvm::Value*, straight / widest> values;
  for (uint64_t index = 0; index < count; ++index) {
    if (const auto* const copy = llvm::dyn_cast<llvm::MemCpyInst>(access.call); copy != nullptr) {
      values.push_back(builder.CreateAlignedLoad(type, place(copy->getSource(), index), align));
    } else {
      values.push_back(repeated(builder, llvm::cast<llvm::MemSetInst>(access.call)->getValue(), type));
    }
  }
  for (uint64_t index = 0; index < count; ++index) {
    builder.CreateAlignedStore(values[index], place(access.call->getDest(), index), align);
  }
}

void make_wide(const Access& access) {
  llvm::IRBuilder<> builder(access.call);
  const uint64_t turn = turn_accesses * access.width;
  uint64_t done = 0;
  if (access.bytes > straight) {
    const auto [body, index] = llvm::SplitBlockAndInsertSimpleForLoop(builder.getInt64(access.bytes / turn), access.call);
    llvm::IRBuilder<> in_loop(body);
    access_straight(in_loop, access, in_loop.CreateMul(index, in_loop.getInt64(turn)), turn_accesses, access.width);
    done = access.bytes / turn * turn;
    builder.SetInsertPoint(access.call);
  }
  for (uint64_t width = access.width; done < access.bytes; width /= 2) {
    const uint64_t count = (access.bytes - done) / width;
    access_straight(builder, access, builder.getInt64(done), count, width);
    done += count * width;
  }
  access.call->eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses WideCopies::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::SmallVector<Access, 16> accesses;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const call = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction);
    const auto* const length = call == nullptr ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(call->getLength());
    if (length == nullptr || call->isVolatile() || !llvm::isa<llvm::MemCpyInst, llvm::MemSetInst>(call)) {
      continue;
    }
    const Access access{.call = call, .bytes = length->getZExtValue(), .width = width_of(*call)};
    if (becomes_wide(access)) {
      accesses.push_back(access);
    }
  }
  if (accesses.empty()) {
    return llvm::PreservedAnalyses::all();
  }
  for (const Access& access : accesses) {
    make_wide(access);
  }
  // Variables that were copied as a whole and now are values.
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  llvm::SROAPass(llvm::SROAOptions::PreserveCFG).run(function, analyses);
  return llvm::PreservedAnalyses::none();
}

}  // namespace phpc::gpu
