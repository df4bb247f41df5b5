#include "port/passes/nvidia/parameters_in_place.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace phpc::gpu {

namespace {

/// Whether nothing writes to where `pointer` points while the kernel runs: it leads to a marked pointer.
bool is_read_only(const llvm::Value* pointer) {
  const auto* const call = llvm::dyn_cast<llvm::CallInst>(llvm::getUnderlyingObject(pointer, 0));
  return call != nullptr && call->getCalledFunction() != nullptr && call->getCalledFunction()->getName() == "phpc_cuda_read_only";
}

/// A variable on the stack, which is written by one copy of read-only memory and otherwise only read.
struct Copied {
  llvm::MemCpyInst* copy = nullptr;
  llvm::SmallVector<llvm::Instruction*, 16> reads;    ///< loads, and copies from it
  llvm::SmallVector<llvm::Instruction*, 4> lifetime;  ///< marks of where it begins and ends
};

bool only_reads(const llvm::Instruction& user, const llvm::Use& use) {
  if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&user); load != nullptr) {
    return load->isSimple();
  }
  if (const auto* const copy = llvm::dyn_cast<llvm::MemCpyInst>(&user); copy != nullptr) {
    return !copy->isVolatile() && &use == &copy->getRawSourceUse();
  }
  const auto* const call = llvm::dyn_cast<llvm::CallBase>(&user);
  if (call == nullptr || !call->isArgOperand(&use)) {
    return false;
  }
  const unsigned argument = call->getArgOperandNo(&use);
  return call->doesNotCapture(argument) && call->onlyReadsMemory(argument) && !call->isByValArgument(argument);
}

/// Whether the copy writes all of `variable`.
bool is_whole(const llvm::MemCpyInst& copy, const llvm::AllocaInst& variable) {
  const auto* const length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  const auto size = variable.getAllocationSize(variable.getDataLayout());
  return length != nullptr && size.has_value() && !size->isScalable() && length->getZExtValue() == size->getFixedValue();
}

/// The copy that is the one write of `variable`; null where there are others, or where its pointer is kept.
std::optional<Copied> find_copied(llvm::AllocaInst* variable) {
  Copied found;
  llvm::SmallSetVector<llvm::Instruction*, 16> pointers;
  pointers.insert(variable);
  for (unsigned next = 0; next < pointers.size(); ++next) {  // grows as pointers are made of pointers
    for (const llvm::Use& use : pointers[next]->uses()) {
      auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
      auto* const copy = llvm::dyn_cast<llvm::MemCpyInst>(user);
      if (user->isLifetimeStartOrEnd()) {
        found.lifetime.push_back(user);
      } else if (llvm::isa<llvm::GetElementPtrInst>(user)) {
        pointers.insert(user);
      } else if (only_reads(*user, use)) {
        found.reads.push_back(user);
      } else if (copy != nullptr && found.copy == nullptr && pointers[next] == variable && !copy->isVolatile() &&
                 is_whole(*copy, *variable) && is_read_only(copy->getRawSource())) {
        found.copy = copy;
      } else {
        return std::nullopt;
      }
    }
  }
  if (found.copy == nullptr) {
    return std::nullopt;
  }
  return found;
}

/// Whether all that takes the variable's address comes after its copy, and no call needs an address aligned better than the
/// source.
bool can_read_source(const llvm::AllocaInst& variable, const Copied& copied, const llvm::DominatorTree& dominators) {
  const bool calls = llvm::any_of(copied.reads, [](const llvm::Instruction* read) {
    return llvm::isa<llvm::CallBase>(read) && !llvm::isa<llvm::MemCpyInst>(read);
  });
  if (calls && copied.copy->getSourceAlign().valueOrOne() < variable.getAlign()) {
    return false;
  }
  return llvm::all_of(variable.users(), [&](const llvm::User* user) {
    const auto* const instruction = llvm::cast<llvm::Instruction>(user);
    return instruction == copied.copy || instruction->isLifetimeStartOrEnd() || dominators.dominates(copied.copy, instruction);
  });
}

/// Reads `variable` where it was copied from, aligned as that is.
void read_in_place(llvm::AllocaInst* variable, const Copied& copied) {
  const llvm::Align align = copied.copy->getSourceAlign().valueOrOne();
  for (llvm::Instruction* const read : copied.reads) {
    if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(read); load != nullptr) {
      load->setAlignment(std::min(load->getAlign(), align));
    } else if (auto* const copy = llvm::dyn_cast<llvm::MemCpyInst>(read); copy != nullptr) {
      copy->setSourceAlignment(std::min(copy->getSourceAlign().valueOrOne(), align));
    }
  }
  for (llvm::Instruction* const mark : copied.lifetime) {
    mark->eraseFromParent();
  }
  llvm::Value* const source = copied.copy->getRawSource();
  copied.copy->eraseFromParent();
  variable->replaceAllUsesWith(source);
  variable->eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses ParametersInPlace::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  llvm::SmallVector<llvm::AllocaInst*, 16> variables;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction); variable != nullptr) {
      variables.push_back(variable);
    }
  }
  const llvm::DominatorTree& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  bool changed = false;
  for (bool again = true; again;) {  // what was copied from a copy is copied from the parameters then
    again = false;
    for (llvm::AllocaInst*& variable : variables) {
      const std::optional<Copied> copied = variable == nullptr ? std::nullopt : find_copied(variable);
      if (copied.has_value() && can_read_source(*variable, *copied, dominators)) {
        read_in_place(std::exchange(variable, nullptr), *copied);
        again = changed = true;
      }
    }
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace phpc::gpu
