#include "port/passes/nvidia/array_loops.hpp"

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

namespace phpc::gpu {

namespace {

constexpr unsigned most_instructions = 4000;  ///< of an unrolled loop

/// Whether an instruction makes the address of an element of a local array that depends on the loop's iteration.
bool indexes_own_array(const llvm::Instruction& instruction, const llvm::Loop& loop) {
  const auto* const element = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
  return element != nullptr && llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(element)) &&
         llvm::any_of(element->indices(), [&](const llvm::Use& index) { return !loop.isLoopInvariant(index.get()); });
}

}  // namespace

llvm::PreservedAnalyses UnrolledArrayLoops::run(llvm::Loop& loop, llvm::LoopAnalysisManager& /*analyses*/,
                                                llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater& /*updater*/) {
  const unsigned iterations = results.SE.getSmallConstantTripCount(&loop);
  if (iterations == 0 || llvm::hasUnrollTransformation(&loop) != llvm::TM_Unspecified) {
    return llvm::PreservedAnalyses::all();
  }
  unsigned long instructions = 0;
  bool is_over_array = false;
  for (const llvm::BasicBlock* const block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      ++instructions;
      is_over_array = is_over_array || indexes_own_array(instruction, loop);
    }
  }
  if (is_over_array && instructions * iterations <= most_instructions) {
    llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace phpc::gpu
