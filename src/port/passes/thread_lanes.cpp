// A pass of clang's for the host's code of translated kernels: the loop over a block's independent threads (PHPC_IN_LANES in
// phpc/cuda/kernel.hpp) runs in the lanes of vectors where clang's own vectoriser does not take it, because threads have loops
// of their own, or only under masks, because they ask whether their index is within bounds.
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/AggressiveInstCombine/AggressiveInstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "port/passes/lane_code.hpp"
#include "port/passes/regions/thread_regions.hpp"
#include "port/passes/restrict_promises.hpp"
#include "port/passes/thread_functions.hpp"
#include "port/passes/thread_loops.hpp"
#include "port/passes/thread_steps.hpp"

namespace phpc::lanes {

namespace {

/// Whether threads have arrays of their own, so that clang's own vectoriser was told to leave the loop alone (PHPC_IN_OWN_LANES).
bool is_for_this_pass(const llvm::Loop& loop) {
  return llvm::getOptionalIntLoopAttribute(&loop, "llvm.loop.vectorize.width") == 1;
}

/// Leaves such a loop to clang, which then has nothing to go by but what it can prove.
void give_back(llvm::Loop& loop) {
  llvm::MDNode* const nothing = llvm::MDNode::getDistinct(loop.getHeader()->getContext(), {nullptr});
  nothing->replaceOperandWith(0, nothing);
  loop.setLoopID(nothing);
}

/// Whether a loop has the form that is known here: it ends where its turn ends, after a number of turns that is known when it
/// begins, and nothing of it is used behind it.
bool is_counted(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  const llvm::BasicBlock* const exit = loop.getExitBlock();
  return loop.isLoopSimplifyForm() && exit != nullptr && loop.getExitingBlock() == loop.getLoopLatch() && exit->phis().empty() &&
         llvm::isa<llvm::BranchInst>(loop.getLoopLatch()->getTerminator()) && evolution.hasLoopInvariantBackedgeTakenCount(&loop);
}

/// The bytes of a function's variables on the stack.
std::uint64_t stack_bytes(const llvm::Function& function) {
  std::uint64_t bytes = 0;
  for (const llvm::Instruction& instruction : function.getEntryBlock()) {
    if (const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      const auto size = variable->getAllocationSize(function.getDataLayout());
      bytes += size && !size->isScalable() ? size->getFixedValue() : 0;
    }
  }
  return bytes;
}

/// The most bytes of a function's variables where lanes' own arrays are added to them: an eighth of the stack of an OpenMP
/// thread, which is 4 MiB where OMP_STACKSIZE does not tell.
constexpr std::uint64_t most_stack_bytes = 512 << 10;

/// The loop in chunks of as many threads as there are lanes. A whole chunk runs in lanes; the last one, and one whose lanes part,
/// in the loop as it was.
class Chunks {
 public:
  Chunks(llvm::Loop& loop, const LaneFacts& facts, const Analyses& analyses, unsigned lanes)
      : loop_(loop), facts_(facts), analyses_(analyses), lanes_(lanes), function_(*loop.getHeader()->getParent()) {}

  void make() {
    llvm::LLVMContext& context = function_.getContext();
    llvm::BasicBlock* const before = loop_.getLoopPreheader();
    llvm::BasicBlock* const exit = loop_.getExitBlock();
    llvm::Value* const count = expand_count(before);
    auto* const head = llvm::BasicBlock::Create(context, "chunk", &function_, loop_.getHeader());
    auto* const in_turn = llvm::BasicBlock::Create(context, "chunk.in_turn", &function_, loop_.getHeader());
    auto* const next = llvm::BasicBlock::Create(context, "chunk.next", &function_, exit);
    before->getTerminator()->replaceSuccessorWith(loop_.getHeader(), head);

    llvm::IRBuilder<> builder(head);
    llvm::PHINode* const first = builder.CreatePHI(builder.getInt64Ty(), 2, "thread");
    first->addIncoming(builder.getInt64(0), before);
    llvm::DenseMap<llvm::PHINode*, llvm::Value*> starts;
    for (llvm::PHINode& phi : loop_.getHeader()->phis()) {
      llvm::Value* const turns = builder.CreateIntCast(first, phi.getType(), false);
      llvm::Value* const step =
          llvm::ConstantInt::get(phi.getType(), static_cast<std::uint64_t>(facts_.shape(&phi).stride), true);
      starts[&phi] = builder.CreateAdd(phi.getIncomingValueForBlock(before), builder.CreateMul(turns, step));
    }
    llvm::Value* const end = builder.CreateAdd(first, builder.getInt64(lanes_));
    llvm::Value* const is_whole = builder.CreateICmpULE(end, count);
    LaneCode code(facts_, analyses_.library, lanes_, next, in_turn);
    builder.CreateCondBr(is_whole, code.write(starts), in_turn);

    builder.SetInsertPoint(in_turn);
    llvm::Value* const last = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, end, count);
    builder.CreateBr(loop_.getHeader());
    run_in_turn(before, in_turn, first, last, starts, next);

    builder.SetInsertPoint(next);
    llvm::Value* const more = builder.CreateICmpULT(end, count);
    builder.CreateCondBr(more, head, exit);
    first->addIncoming(end, next);
  }

 private:
  llvm::Value* expand_count(llvm::BasicBlock* before) {
    llvm::SCEVExpander expander(analyses_.evolution, function_.getDataLayout(), "threads");
    const llvm::SCEV* const turns = analyses_.evolution.getBackedgeTakenCount(&loop_);
    llvm::Value* const value = expander.expandCodeFor(turns, turns->getType(), before->getTerminator());
    llvm::IRBuilder<> builder(before->getTerminator());
    return builder.CreateAdd(builder.CreateZExtOrTrunc(value, builder.getInt64Ty()), builder.getInt64(1));
  }

  /// Makes the loop run threads first .. last - 1.
  void run_in_turn(llvm::BasicBlock* before, llvm::BasicBlock* in_turn, llvm::Value* first, llvm::Value* last,
                   const llvm::DenseMap<llvm::PHINode*, llvm::Value*>& starts, llvm::BasicBlock* next) {
    llvm::BasicBlock* const header = loop_.getHeader();
    llvm::BasicBlock* const latch = loop_.getLoopLatch();
    for (llvm::PHINode& phi : header->phis()) {
      const int place = phi.getBasicBlockIndex(before);
      phi.setIncomingValue(static_cast<unsigned>(place), starts.lookup(&phi));
      phi.setIncomingBlock(static_cast<unsigned>(place), in_turn);
    }
    llvm::IRBuilder<> builder(header, header->begin());
    llvm::PHINode* const thread = builder.CreatePHI(first->getType(), 2);
    thread->addIncoming(first, in_turn);
    llvm::Instruction* const end = latch->getTerminator();
    builder.SetInsertPoint(end);
    llvm::Value* const following = builder.CreateAdd(thread, builder.getInt64(1));
    thread->addIncoming(following, latch);
    llvm::BranchInst* const turn = builder.CreateCondBr(builder.CreateICmpULT(following, last), header, next);
    end->eraseFromParent();
    llvm::LLVMContext& context = function_.getContext();
    const auto disabled = [&](llvm::StringRef what) { return llvm::MDNode::get(context, {llvm::MDString::get(context, what)}); };
    llvm::MDNode* const vectorized =
        llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.isvectorized"),
                                    llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), 1))});
    llvm::MDNode* const properties =
        llvm::MDNode::getDistinct(context, {nullptr, vectorized, disabled("llvm.loop.unroll.disable")});
    properties->replaceOperandWith(0, properties);
    turn->setMetadata(llvm::LLVMContext::MD_loop, properties);
  }

  llvm::Loop& loop_;
  const LaneFacts& facts_;
  const Analyses& analyses_;
  unsigned lanes_;
  llvm::Function& function_;
};

class ThreadLanes : public llvm::PassInfoMixin<ThreadLanes> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& manager) {
    if (llvm::none_of(manager.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder(),
                      [](const llvm::Loop* loop) { return is_over_threads(*loop); })) {
      return llvm::PreservedAnalyses::all();
    }
    bool changed = prepare(function, manager);
    changed = simplify(function, manager) || changed;
    while (make_one(function, manager)) {
      changed = true;
      manager.invalidate(function, llvm::PreservedAnalyses::none());
    }
    if (!changed) {
      return llvm::PreservedAnalyses::all();
    }
    llvm::ADCEPass().run(function, manager);
    return llvm::PreservedAnalyses::none();
  }

 private:
  static bool prepare(llvm::Function& function, llvm::FunctionAnalysisManager& manager) {
    // Bytes that the source puts together to words are one load in a thread, and would be several gathers in lanes.
    const llvm::PreservedAnalyses left = llvm::AggressiveInstCombinePass().run(function, manager);
    manager.invalidate(function, left);
    if (!prepare_thread_loops(function, manager.getResult<llvm::LoopAnalysis>(function))) {
      return !left.areAllPreserved();
    }
    manager.invalidate(function, llvm::PreservedAnalyses::none());
    manager.invalidate(function, llvm::ADCEPass().run(function, manager));
    return true;
  }

  /// Gives loops over threads a block of their own before and after them.
  static bool simplify(llvm::Function& function, llvm::FunctionAnalysisManager& manager) {
    llvm::LoopInfo& loops = manager.getResult<llvm::LoopAnalysis>(function);
    bool changed = false;
    llvm::DominatorTree& dominators = manager.getResult<llvm::DominatorTreeAnalysis>(function);
    for (llvm::Loop* const loop : loops.getLoopsInPreorder()) {
      if (is_over_threads(*loop)) {
        changed = llvm::simplifyLoop(loop, &dominators, &loops, nullptr, &manager.getResult<llvm::AssumptionAnalysis>(function),
                                     nullptr, false) ||
                  changed;
        changed = llvm::formLCSSARecursively(*loop, dominators, &loops, nullptr) || changed;
      }
    }
    if (changed) {
      manager.invalidate(function, llvm::PreservedAnalyses::none());
    }
    return changed;
  }

  static bool make_one(llvm::Function& function, llvm::FunctionAnalysisManager& manager) {
    llvm::LoopInfo& loops = manager.getResult<llvm::LoopAnalysis>(function);
    for (llvm::Loop* const loop : loops.getLoopsInPreorder()) {
      if (!is_over_threads(*loop)) {
        continue;
      }
      const Analyses analyses{.loops = loops,
                              .dominators = manager.getResult<llvm::DominatorTreeAnalysis>(function),
                              .post_dominators = manager.getResult<llvm::PostDominatorTreeAnalysis>(function),
                              .evolution = manager.getResult<llvm::ScalarEvolutionAnalysis>(function),
                              .library = manager.getResult<llvm::TargetLibraryAnalysis>(function)};
      auto& remarks = manager.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function);
      const auto left = [&](llvm::StringRef why) {
        remarks.emit([&] {
          return llvm::OptimizationRemarkMissed("phpc-thread-lanes", "Left", loop->getStartLoc(), loop->getHeader()) << why;
        });
        if (is_for_this_pass(*loop)) {
          give_back(*loop);
        }
      };
      if (!is_counted(*loop, analyses.evolution)) {
        left("threads are not counted by the loop's index");
        continue;
      }
      const LaneFacts facts(*loop, analyses);
      const auto& target = manager.getResult<llvm::TargetIRAnalysis>(function);
      const auto bits = target.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
      const auto lanes = static_cast<unsigned>(bits) / (facts.is_wide() ? 64 : 32);
      if (!facts.supported()) {
        left(facts.why());
      } else if (lanes < 4 || (facts.is_left_to_vectorizer() && !is_for_this_pass(*loop))) {
        left("the loop vectoriser does as well");
      } else if (!facts.own_arrays().empty() && stack_bytes(function) + facts.own_bytes() * lanes > most_stack_bytes) {
        left("the lanes' own arrays would take too much of the stack");
      } else if (!facts.pays(lanes)) {
        left("threads in turn are taken to be faster");
      } else {
        remarks.emit([&] {
          return llvm::OptimizationRemark("phpc-thread-lanes", "Made", loop->getStartLoc(), loop->getHeader())
                 << llvm::ore::NV("Lanes", lanes) << " threads of a block run in the lanes of vectors";
        });
        Chunks(*loop, facts, analyses, lanes).make();
        return true;
      }
    }
    return false;
  }
};

}  // namespace

}  // namespace phpc::lanes

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "phpc-thread-lanes", "1", [](llvm::PassBuilder& builder) {
            builder.registerPipelineStartEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
              passes.addPass(phpc::lanes::ThreadSteps());
              passes.addPass(phpc::lanes::RestrictPromises());
              if (level.getSpeedupLevel() > 1) {
                passes.addPass(phpc::lanes::ThreadFunctions());
              }
            });
            builder.registerVectorizerStartEPCallback([](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) {
              passes.addPass(phpc::lanes::ThreadRegions());
              passes.addPass(phpc::lanes::ThreadLanes());
            });
          }};
}
