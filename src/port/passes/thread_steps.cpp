#include "port/passes/thread_steps.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Scalar/SROA.h>

#include <cstddef>
#include <string>

#include "port/passes/inlining.hpp"
#include "port/passes/regions/block_flow.hpp"
#include "port/passes/shared_pointers.hpp"
#include "port/passes/spins.hpp"

namespace phpc::lanes {

namespace {

/// What an instruction is to other lanes.
enum class Access : unsigned char {
  none,
  barrier,    ///< lanes wait for one another
  of_shared,  ///< reads or writes shared memory
  changes,    ///< atomically writes shared memory, no more; alone no reason for steps
  exchange,   ///< volatile memory
  of_grid,    ///< volatile memory of the grid: alone no reason for steps
  atomic,     ///< of which the lane uses what was there before: it may wait for another
};

class StepWriter {
 public:
  explicit StepWriter(llvm::Function& function) : function_(function), shared_(function), spins_(function) {}

  /// Returns how many steps it has put, or 0 where lanes do not exchange values in step.
  unsigned put() {
    part_copies();
    bool has_barrier = false;
    bool any_exchange = false;
    bool any_shared = false;
    for (llvm::Instruction& one : llvm::instructions(function_)) {
      const Access access = access_of(one);
      if (access != Access::none) {
        accesses_.try_emplace(&one, access);
      }
      has_barrier = has_barrier || access == Access::barrier;
      any_exchange = any_exchange || access == Access::exchange;
      any_shared = any_shared || access == Access::of_shared;
    }
    if (!any_exchange && (has_barrier || !any_shared)) {
      return 0;
    }
    if (has_barrier) {
      find_after_exchanges();
    }
    for (const auto& [one, access] : accesses_) {
      if (access == Access::exchange || access == Access::of_grid || access == Access::atomic ||
          (is_plain(access) && (!has_barrier || after_exchanges_.contains(one)))) {
        put_before(*one);
      }
    }
    return number();
  }

 private:
  [[nodiscard]] Access access_of(const llvm::Instruction& one) const {
    if (is_barrier(one) || calls(one, "phpc_cuda_meet")) {
      return Access::barrier;
    }
    if (one.isAtomic() && !llvm::isa<llvm::FenceInst>(one)) {
      const llvm::Value* const place = one.getOperand(llvm::isa<llvm::StoreInst>(one) ? 1 : 0);
      const bool is_used = !one.use_empty() || llvm::isa<llvm::AtomicCmpXchgInst>(one);
      return is_own(place) ? Access::none : is_used ? Access::atomic : is_shared(place) ? Access::changes : Access::none;
    }
    if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(one)) {
      return access_of(llvm::getLoadStorePointerOperand(&one), one.isVolatile());
    }
    if (const auto* const fill = llvm::dyn_cast<llvm::MemIntrinsic>(&one)) {
      const auto* const copy = llvm::dyn_cast<llvm::MemTransferInst>(fill);
      const Access written = access_of(fill->getRawDest(), fill->isVolatile());
      return written == Access::none && copy != nullptr ? access_of(copy->getRawSource(), copy->isVolatile()) : written;
    }
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(&one);
    const llvm::Function* const called = call == nullptr ? nullptr : call->getCalledFunction();
    return called != nullptr && !called->isIntrinsic() &&
                   llvm::any_of(call->args(), [&](const llvm::Use& argument) { return is_shared(argument.get()); })
               ? Access::of_shared
               : Access::none;
  }

  [[nodiscard]] Access access_of(const llvm::Value* place, bool is_volatile) const {
    if (is_own(place) || !(is_volatile || is_shared(place))) {
      return Access::none;
    }
    return !is_volatile ? Access::of_shared : is_of_grid(place) ? Access::of_grid : Access::exchange;
  }
  static bool is_plain(Access access) { return access == Access::of_shared || access == Access::changes; }
  /// Whether a pointer is to a variable of the program or comes, over whatever memory of the grid, from the kernel's parameters.
  [[nodiscard]] static bool is_of_grid(const llvm::Value* place, int most_loads = 4) {
    llvm::SmallVector<const llvm::Value*, 4> objects;
    llvm::getUnderlyingObjects(place, objects, nullptr, 0);
    return llvm::all_of(objects, [&](const llvm::Value* object) {
      const auto* const load = llvm::dyn_cast<llvm::LoadInst>(object);
      return llvm::isa<llvm::GlobalVariable, llvm::Argument>(object) ||
             (load != nullptr && most_loads > 0 && is_of_grid(load->getPointerOperand(), most_loads - 1));
    });
  }
  [[nodiscard]] static bool is_own(const llvm::Value* place) {
    return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(place, 0));
  }
  [[nodiscard]] bool is_shared(const llvm::Value* place) const { return !is_own(place) && shared_.contains(place); }

  /// Makes a load and a store of each copy from memory that lanes share to such memory.
  void part_copies() {
    constexpr std::uint64_t most_bytes = 4096;
    llvm::IRBuilder<> variables(&function_.getEntryBlock(), function_.getEntryBlock().begin());
    for (llvm::Instruction& one : llvm::make_early_inc_range(llvm::instructions(function_))) {
      auto* const copy = llvm::dyn_cast<llvm::MemTransferInst>(&one);
      const auto* const bytes = copy == nullptr ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(copy->getLength());
      if (bytes == nullptr || bytes->getValue().ugt(most_bytes) ||
          access_of(copy->getRawDest(), copy->isVolatile()) == Access::none ||
          access_of(copy->getRawSource(), copy->isVolatile()) == Access::none) {
        continue;
      }
      const llvm::Align alignment(64);
      llvm::AllocaInst* const between =
          variables.CreateAlloca(llvm::ArrayType::get(variables.getInt8Ty(), bytes->getZExtValue()));
      between->setAlignment(alignment);
      llvm::IRBuilder<> builder(copy);
      builder.CreateMemCpy(between, alignment, copy->getRawSource(), copy->getSourceAlign(), copy->getLength(),
                           copy->isVolatile());
      builder.CreateMemCpy(copy->getRawDest(), copy->getDestAlign(), between, alignment, copy->getLength(), copy->isVolatile());
      copy->eraseFromParent();
    }
  }

  /// Finds the accesses of shared memory to which a lane may come with an access of volatile memory since the last barrier: other
  /// lanes have made theirs as well then.
  void find_after_exchanges() {
    llvm::DenseMap<const llvm::BasicBlock*, bool> follow;  // whether what comes behind a block's end follows one
    for (bool changed = true; changed;) {
      changed = false;
      for (llvm::BasicBlock& block : function_) {
        bool follows =
            llvm::any_of(llvm::predecessors(&block), [&](const llvm::BasicBlock* from) { return follow.lookup(from); });
        for (llvm::Instruction& one : block) {
          const Access access = accesses_.lookup(&one);
          follows = access == Access::exchange || (follows && access != Access::barrier);
          if (is_plain(access) && follows) {
            after_exchanges_.insert(&one);
          }
        }
        changed = changed || follow.lookup(&block) != follows;
        follow[&block] = follows;
      }
    }
  }

  void put_before(llvm::Instruction& access) {
    llvm::IRBuilder<> builder(&access);
    llvm::Value* place = spins_.place_of(access);
    if (place == nullptr) {
      place = llvm::ConstantPointerNull::get(builder.getPtrTy());
    }
    const llvm::FunctionCallee step = function_.getParent()->getOrInsertFunction("phpc_cuda_step", builder.getVoidTy(),
                                                                                 builder.getInt32Ty(), builder.getPtrTy());
    llvm::CallInst* const call = builder.CreateCall(step, {builder.getInt32(0), place});
    call->setDoesNotThrow();
  }

  /// Numbers the steps in the order of the text.
  unsigned number() {
    unsigned count = 0;
    for (llvm::Instruction& one : llvm::instructions(function_)) {
      if (calls(one, "phpc_cuda_step")) {
        one.setOperand(0, llvm::ConstantInt::get(one.getOperand(0)->getType(), ++count));
      }
    }
    return count;
  }

  llvm::Function& function_;
  SharedPointers shared_;
  Spins spins_;
  llvm::MapVector<llvm::Instruction*, Access> accesses_;  ///< in the order of the text
  llvm::DenseSet<const llvm::Instruction*> after_exchanges_;
};

/// The most bytes of a thread's variables, half of its stack (FiberStacks).
constexpr std::uint64_t most_bytes_on_stack = 128 << 10;

bool fits_stack(const llvm::Function& thread) {
  std::uint64_t bytes = 0;
  for (const llvm::Instruction& one : llvm::instructions(thread)) {
    if (const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&one)) {
      const auto size = variable->getAllocationSize(thread.getDataLayout());
      bytes += size && !size->isScalable() ? size->getFixedValue() : 0;
    }
  }
  return bytes <= most_bytes_on_stack;
}

/// Puts steps into the function of a thread. Returns whether there are some.
bool put_steps(llvm::Function& thread, llvm::FunctionAnalysisManager& manager) {
  std::string why = inline_all(thread);
  manager.invalidate(thread, llvm::PreservedAnalyses::none());
  if (why.empty()) {
    // Pointers are known by where they come from once they are in registers.
    manager.invalidate(thread, llvm::SROAPass(llvm::SROAOptions::PreserveCFG).run(thread, manager));
    why = fits_stack(thread) ? "" : "its threads' variables take too much of a stack";
  }
  const llvm::DiagnosticLocation place(thread.getSubprogram());
  auto& remarks = manager.getResult<llvm::OptimizationRemarkEmitterAnalysis>(thread);
  const auto tell_why_left = [&](llvm::StringRef reason) {
    remarks.emit([&] {
      return llvm::OptimizationRemarkMissed("phpc-thread-steps", "Left", place, &thread.getEntryBlock())
             << reason << ": " << llvm::demangle(thread.getName());
    });
  };
  if (!why.empty()) {
    tell_why_left("lanes may exchange values in step, which they do not on the host: " + why);
    return false;
  }
  for (llvm::Instruction& one : llvm::instructions(thread)) {
    // What __restrict__ promises of pointers it promises of one thread's accesses.
    one.setMetadata(llvm::LLVMContext::MD_noalias, nullptr);
    one.setMetadata(llvm::LLVMContext::MD_alias_scope, nullptr);
  }
  const unsigned steps = StepWriter(thread).put();
  if (steps > 0) {
    remarks.emit([&] {
      return llvm::OptimizationRemark("phpc-thread-steps", "Made", place, &thread.getEntryBlock())
             << "lanes go in step by " << llvm::ore::NV("Steps", steps) << " steps";
    });
  } else {
    tell_why_left("lanes exchange no values in step");
  }
  manager.invalidate(thread, llvm::PreservedAnalyses::none());
  return steps > 0;
}

}  // namespace

llvm::PreservedAnalyses ThreadSteps::run(llvm::Module& module, llvm::ModuleAnalysisManager& manager) {
  llvm::Function* const question = module.getFunction("phpc_cuda_has_steps");
  if (question == nullptr) {
    return llvm::PreservedAnalyses::all();
  }
  auto& functions = manager.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  for (llvm::User* const user : llvm::make_early_inc_range(question->users())) {
    auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
    if (call == nullptr || call->getCalledFunction() != question) {
      continue;
    }
    auto* const thread = llvm::dyn_cast<llvm::Function>(call->getArgOperand(0)->stripPointerCasts());
    const bool has_steps = thread != nullptr && !thread->isDeclaration() && put_steps(*thread, functions);
    call->replaceAllUsesWith(llvm::ConstantInt::getBool(call->getType(), has_steps));
    call->eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

}  // namespace phpc::lanes
