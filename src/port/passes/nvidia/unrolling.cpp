#include "port/passes/nvidia/unrolling.hpp"

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

/// Whether a loop of known length is over an array of the thread's own and short enough to be unrolled as a whole.
bool is_short_over_own_array(const llvm::Loop& loop, unsigned iterations) {
  unsigned long instructions = 0;
  bool is_over_array = false;
  for (const llvm::BasicBlock* const block : loop.blocks()) {
    for (const llvm::Instruction& instruction : *block) {
      ++instructions;
      is_over_array = is_over_array || indexes_own_array(instruction, loop);
    }
  }
  return is_over_array && instructions * iterations <= most_instructions;
}

}  // namespace

llvm::PreservedAnalyses Unrolling::run(llvm::Loop& loop, llvm::LoopAnalysisManager& /*analyses*/,
                                       llvm::LoopStandardAnalysisResults& results, llvm::LPMUpdater& /*updater*/) {
  if (llvm::hasUnrollTransformation(&loop) != llvm::TM_Unspecified) {
    return llvm::PreservedAnalyses::all();  // the source says what is to be done
  }
  const auto iterations = [&results](const llvm::Loop* one) { return results.SE.getSmallConstantTripCount(one); };
  const auto is_unknown = [&iterations](const llvm::Loop* one) { return iterations(one) == 0; };
  if (is_unknown(&loop)) {
    if (llvm::any_of(loop.getSubLoops(), is_unknown)) {
      llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.disable", 1);
    }
  } else if (is_short_over_own_array(loop, iterations(&loop))) {
    llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace phpc::gpu
