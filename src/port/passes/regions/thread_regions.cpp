#include "port/passes/regions/thread_regions.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <array>
#include <string>

#include "port/passes/regions/block_flow.hpp"
#include "port/passes/regions/block_values.hpp"
#include "port/passes/regions/region_loops.hpp"
#include "port/passes/regions/thread_contexts.hpp"

namespace phpc::lanes {

namespace {

/// Whether a thread may wait for another in a call that is not a barrier: in a function whose text is not here or that calls
/// such.
class Waits {
 public:
  explicit Waits(const llvm::TargetLibraryInfo& library) : library_(library) {}

  [[nodiscard]] bool in(const llvm::CallBase& call) {
    const llvm::Function* const called = call.getCalledFunction();
    llvm::LibFunc known{};
    if (llvm::isa<llvm::IntrinsicInst>(call) || is_same_for_block(call) || is_thread_index(call) || call.doesNotReturn()) {
      return false;
    }
    if (called == nullptr) {
      return true;
    }
    if (called->isDeclaration()) {
      return !library_.getLibFunc(*called, known) && !call.doesNotAccessMemory();
    }
    return called->isInterposable() || in(*called);
  }

 private:
  [[nodiscard]] bool in(const llvm::Function& function) {
    if (!seen_.insert(&function).second) {
      return false;
    }
    return llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction& one) {
      const auto* const call = llvm::dyn_cast<llvm::CallBase>(&one);
      // The library's record of the block has no thread's index while a loop runs.
      return call != nullptr && (calls(one, "phpc_cuda_here") || is_thread_index(one) || in(*call));
    });
  }

  const llvm::TargetLibraryInfo& library_;
  llvm::DenseSet<const llvm::Function*> seen_;
};

/// The call that is true where the function runs a whole block; null where there is none.
llvm::CallInst* marker_of(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (calls(instruction, "phpc_cuda_runs_block")) {
      return llvm::cast<llvm::CallInst>(&instruction);
    }
  }
  return nullptr;
}

/// Cuts one function.
class Cutter {
 public:
  Cutter(llvm::Function& function, const llvm::TargetLibraryInfo& library, bool return_apart)
      : function_(function), marker_(*marker_of(function)), library_(library), return_apart_(return_apart) {}

  /// Returns why it cannot be cut; the function is then broken. Empty where it is cut.
  std::string cut() {
    std::string why = prepare();
    if (!why.empty()) {
      return why;
    }
    is_prepared_ = true;
    BlockFlow flow(function_, end_, return_apart_);
    if (!flow.find()) {
      return flow.why().str();
    }
    const BlockValues values(function_, flow);
    if (const llvm::Value* const condition = values.unknown_condition()) {
      why = "it is not known that threads go to a barrier together by: ";
      llvm::raw_string_ostream(why) << *condition;
      return why;
    }
    if (!llvm::all_of(function_.getEntryBlock(), [&](const llvm::Instruction& one) {
          return llvm::isa<llvm::AllocaInst>(one) || one.isTerminator() || values.is_shared(&one);
        })) {
      return "a thread begins in a way that is not known";
    }
    values.move_to_fronts(flow);
    KeptValues(function_, flow, values).keep();
    RegionLoops loops(function_, flow, sides_);
    loops.close();
    ThreadContexts contexts(function_, loops.threads());
    for (ParallelRegion& region : flow.regions()) {
      loops.make(region, contexts);
    }
    loops.count(contexts, vote_);
    contexts.erase_variables();
    llvm::removeUnreachableBlocks(function_);
    return "";
  }

  /// Whether a function that was not cut might be, if its threads returned apart.
  [[nodiscard]] bool may_return_apart() const { return is_prepared_; }

 private:
  std::string prepare() {
    for (llvm::Instruction& one : llvm::make_early_inc_range(llvm::instructions(function_))) {
      one.dropDbgRecords();
      const auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&one);
      if (intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic() && one.getType()->isVoidTy()) {  // does nothing when it runs
        one.eraseFromParent();
        continue;
      }
      // What pointers promise of each other is promised by one thread to itself.
      one.setMetadata(llvm::LLVMContext::MD_noalias, nullptr);
      one.setMetadata(llvm::LLVMContext::MD_alias_scope, nullptr);
    }
    if (!marker_.getParent()->isEntryBlock()) {
      return "a thread begins in a way that is not known";
    }
    for (unsigned axis = 0; axis < sides_.size(); ++axis) {
      sides_[axis] = marker_.getArgOperand(axis);
    }
    llvm::SplitBlock(marker_.getParent(), std::next(marker_.getIterator()));
    marker_.replaceAllUsesWith(llvm::ConstantInt::getTrue(function_.getContext()));
    marker_.eraseFromParent();
    for (llvm::BasicBlock& block : function_) {
      llvm::ConstantFoldTerminator(&block, true);
    }
    llvm::removeUnreachableBlocks(function_);
    replace_indices();
    std::string why = check();
    if (why.empty()) {
      make_end();
      keep_votes();
    }
    return why;
  }

  /// Makes loads of the thread's index from the library's record of the block calls that ask for it.
  void replace_indices() {
    llvm::SmallVector<llvm::LoadInst*, 8> loads;
    for (llvm::Instruction& one : llvm::instructions(function_)) {
      if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&one); load != nullptr && place_in_record(*load) < sizeof(int) * 3) {
        loads.push_back(load);
      }
    }
    llvm::Type* const word = llvm::Type::getInt32Ty(function_.getContext());
    const llvm::FunctionCallee index = function_.getParent()->getOrInsertFunction("phpc_cuda_thread_index", word, word);
    for (llvm::LoadInst* const load : loads) {
      llvm::IRBuilder<> builder(load);
      const std::uint64_t place = place_in_record(*load);
      const auto one = [&](std::uint64_t axis) {
        return builder.CreateCall(index, builder.getInt32(static_cast<std::uint32_t>(axis)));
      };
      llvm::Value* value = nullptr;
      if (load->getType() == word && place % sizeof(int) == 0) {
        value = one(place / sizeof(int));
      } else if (load->getType() == builder.getInt64Ty() && place == 0) {
        constexpr unsigned bits = 32;
        llvm::Value* const high = builder.CreateShl(builder.CreateZExt(one(1), load->getType()), bits);
        value = builder.CreateOr(builder.CreateZExt(one(0), load->getType()), high);
      }
      if (value != nullptr) {
        load->replaceAllUsesWith(value);
        load->eraseFromParent();
      }
    }
  }

  /// Where in the library's record of the block (Here in phpc/cuda/detail/block.hpp, which begins with threadIdx) a load reads;
  /// the greatest number where it reads other memory.
  [[nodiscard]] std::uint64_t place_in_record(const llvm::LoadInst& load) const {
    llvm::APInt offset(64, 0);
    const llvm::Value* const base =
        load.getPointerOperand()->stripAndAccumulateConstantOffsets(function_.getDataLayout(), offset, true);
    const auto* const record = llvm::dyn_cast<llvm::Instruction>(base);
    return record != nullptr && calls(*record, "phpc_cuda_here") ? offset.getZExtValue() : ~std::uint64_t{0};
  }

  /// Why a function cannot be cut, whatever its barriers; empty otherwise.
  [[nodiscard]] std::string check() const {
    Waits waits(library_);
    for (const llvm::Instruction& one : llvm::instructions(function_)) {
      const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&one);
      constexpr std::uint64_t most_aligned = 64;
      if (variable != nullptr && (!variable->isStaticAlloca() || variable->getAlign().value() > most_aligned ||
                                  !variable->getAllocationSize(function_.getDataLayout()) ||
                                  variable->getAllocationSize(function_.getDataLayout())->isScalable())) {
        return "a thread's own variable is of a kind that is not known";
      }
      if (one.isTerminator() && !llvm::isa<llvm::BranchInst, llvm::SwitchInst, llvm::ReturnInst, llvm::UnreachableInst>(one)) {
        return "control flow of a kind that is not known";
      }
      if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(&one); call != nullptr && !is_barrier(one) && waits.in(*call)) {
        const llvm::Function* const called = call->getCalledFunction();
        return "threads may wait for one another in " + (called == nullptr ? "an unknown function" : called->getName().str());
      }
      if (calls(one, "phpc_cuda_here") &&
          !llvm::all_of(one.users(), [&](const llvm::User* user) { return reads_block(*user); })) {
        return "what is known of the block is used in a way that is not known";
      }
    }
    llvm::DominatorTree dominators(function_);
    const llvm::LoopInfo loops(dominators);
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
    return llvm::containsIrreducibleCFG<llvm::BasicBlock*>(order, loops) ? "control flow of a kind that is not known" : "";
  }

  /// Whether a user of the library's record of the block reads other fields of it than the thread's index.
  [[nodiscard]] bool reads_block(const llvm::User& user) const {
    if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&user)) {
      const std::uint64_t place = place_in_record(*load);
      return place >= sizeof(int) * 3 && place != ~std::uint64_t{0};
    }
    return llvm::isa<llvm::GetElementPtrInst>(user) &&
           llvm::all_of(user.users(), [&](const llvm::User* further) { return reads_block(*further); });
  }

  /// Gives the function one return.
  void make_end() {
    llvm::SmallVector<llvm::ReturnInst*, 4> returns;
    for (llvm::BasicBlock& block : function_) {
      if (auto* const last = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) {
        returns.push_back(last);
      }
    }
    end_ = llvm::BasicBlock::Create(function_.getContext(), "end", &function_);
    llvm::ReturnInst::Create(function_.getContext(), llvm::ConstantInt::getTrue(function_.getReturnType()), end_);
    for (llvm::ReturnInst* const last : returns) {
      llvm::BranchInst::Create(end_, last->getIterator());
      last->eraseFromParent();
    }
    // A block that does nothing but return: branches lead to the return at once.
    for (llvm::BasicBlock& block : llvm::make_early_inc_range(function_)) {
      if (&block != end_ && !block.isEntryBlock() && block.getFirstNonPHIOrDbg() == block.getTerminator() &&
          block.getSingleSuccessor() == end_ && block.phis().empty()) {
        block.replaceAllUsesWith(end_);
        llvm::DeleteDeadBlock(&block);
      }
    }
  }

  /// Keeps the predicates of barriers whose results are used.
  void keep_votes() {
    for (llvm::Instruction& one : llvm::instructions(function_)) {
      if (!is_barrier(one)) {
        continue;
      }
      llvm::IRBuilder<> builder(&one);
      if (!one.use_empty()) {
        if (vote_ == nullptr) {
          vote_ = new llvm::AllocaInst(builder.getInt32Ty(), function_.getDataLayout().getAllocaAddrSpace(), "vote",
                                       function_.getEntryBlock().begin());
        }
        builder.CreateStore(builder.CreateZExt(one.getOperand(0), builder.getInt32Ty()), vote_);
      }
      one.setOperand(0, llvm::ConstantInt::getFalse(one.getOperand(0)->getType()));
    }
  }

  llvm::Function& function_;
  llvm::CallInst& marker_;
  const llvm::TargetLibraryInfo& library_;
  bool return_apart_;
  bool is_prepared_ = false;
  std::array<llvm::Value*, 3> sides_{};
  llvm::BasicBlock* end_ = nullptr;
  llvm::AllocaInst* vote_ = nullptr;
};

void delete_blocks(llvm::Function& function) {
  llvm::SmallVector<llvm::BasicBlock*, 16> blocks;
  for (llvm::BasicBlock& block : function) {
    blocks.push_back(&block);
  }
  llvm::DeleteDeadBlocks(blocks);
}

/// Cuts a function, or makes it return false at once. Returns why it was not cut; empty where it was.
std::string cut(llvm::Function& function, const llvm::TargetLibraryInfo& library) {
  llvm::ValueToValueMapTy values;
  llvm::Function* const copy = llvm::CloneFunction(&function, values);
  Cutter cutter(function, library, false);
  std::string why = cutter.cut();
  if (!why.empty() && cutter.may_return_apart()) {
    delete_blocks(function);
    function.splice(function.begin(), copy);
    for (llvm::Argument& parameter : function.args()) {
      copy->getArg(parameter.getArgNo())->replaceAllUsesWith(&parameter);
    }
    if (Cutter(function, library, true).cut().empty()) {
      why.clear();
    }
  }
  copy->eraseFromParent();
  if (!why.empty()) {
    delete_blocks(function);
    auto* const first = llvm::BasicBlock::Create(function.getContext(), "", &function);
    llvm::ReturnInst::Create(function.getContext(), llvm::ConstantInt::getFalse(function.getReturnType()), first);
  }
  return why;
}

}  // namespace

llvm::PreservedAnalyses ThreadRegions::run(llvm::Function& function, llvm::FunctionAnalysisManager& manager) {
  if (marker_of(function) == nullptr) {
    return llvm::PreservedAnalyses::all();
  }
  auto& remarks = manager.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function);
  const std::string why = cut(function, manager.getResult<llvm::TargetLibraryAnalysis>(function));
  const llvm::BasicBlock* const first = &function.getEntryBlock();
  const llvm::DiagnosticLocation place(function.getSubprogram());
  if (why.empty()) {
    remarks.emit([&] { return llvm::OptimizationRemark("phpc-thread-regions", "Made", place, first) << "cut at its barriers"; });
  } else {
    remarks.emit([&] { return llvm::OptimizationRemarkMissed("phpc-thread-regions", "Left", place, first) << why; });
  }
  manager.invalidate(function, llvm::PreservedAnalyses::none());
  const auto clean = [&](auto&& pass) { manager.invalidate(function, pass.run(function, manager)); };
  clean(llvm::EarlyCSEPass(true));
  clean(llvm::InstCombinePass());
  clean(llvm::ADCEPass());
  return llvm::PreservedAnalyses::none();
}

}  // namespace phpc::lanes
