#include "port/passes/regions/thread_contexts.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/Utils/Local.h>
#include <llvm/IR/Module.h>

namespace phpc::lanes {

namespace {

constexpr std::uint64_t alignment = 64;  ///< of the library's memory

/// The bytes of each element of a variable that is only loaded and stored, by its aligned elements of one size; 0 otherwise.
std::uint64_t element_of(const llvm::AllocaInst& variable) {
  const llvm::DataLayout& layout = variable.getDataLayout();
  std::uint64_t element = 0;
  llvm::SmallSetVector<const llvm::Value*, 8> pointers;
  pointers.insert(&variable);
  for (unsigned next = 0; next < pointers.size(); ++next) {  // grows as pointers are made of pointers
    for (const llvm::Use& use : pointers[next]->uses()) {
      const llvm::User* const user = use.getUser();
      if (const auto* const address = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
          address != nullptr && !address->getType()->isVectorTy()) {
        pointers.insert(user);
        continue;
      }
      const bool is_access = llvm::isa<llvm::LoadInst>(user) || (llvm::isa<llvm::StoreInst>(user) && use.getOperandNo() == 1);
      if (!is_access) {
        return 0;
      }
      const llvm::Type* const type = llvm::isa<llvm::LoadInst>(user) ? user->getType() : user->getOperand(0)->getType();
      const std::uint64_t bytes = layout.getTypeStoreSize(const_cast<llvm::Type*>(type)).getKnownMinValue();
      if ((element != 0 && bytes != element) || llvm::getLoadStoreAlignment(const_cast<llvm::User*>(user)).value() < bytes) {
        return 0;
      }
      element = bytes;
    }
  }
  return element != 0 && llvm::isPowerOf2_64(element) ? element : 0;
}

}  // namespace

ThreadContexts::ThreadContexts(llvm::Function& function, llvm::Value* threads) : function_(function) {
  const llvm::DataLayout& layout = function.getDataLayout();
  std::uint64_t sum = 0;
  for (llvm::Instruction& instruction : function.getEntryBlock()) {
    if (auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      variables_.push_back(variable);
    }
  }
  llvm::IRBuilder<> builder(function.getEntryBlock().getTerminator());
  padded_ = builder.CreateAnd(builder.CreateAdd(threads, builder.getInt64(alignment - 1)), ~(alignment - 1));
  llvm::SmallVector<std::uint64_t, 8> offsets;
  for (llvm::AllocaInst* const variable : variables_) {
    const std::uint64_t bytes = variable->getAllocationSize(layout)->getFixedValue();
    const std::uint64_t size = llvm::alignTo(bytes, variable->getAlign());
    layouts_[variable] = {.bytes = size, .element = element_of(*variable), .array = nullptr};
    offsets.push_back(sum);
    sum += size;
  }
  if (variables_.empty()) {
    return;
  }
  llvm::FunctionCallee const memory =
      function.getParent()->getOrInsertFunction("phpc_cuda_contexts", builder.getPtrTy(), builder.getInt64Ty());
  llvm::CallInst* const base = builder.CreateCall(memory, builder.CreateMul(padded_, builder.getInt64(sum)));
  base->addRetAttr(llvm::Attribute::NoAlias);
  base->addRetAttr(llvm::Attribute::getWithAlignment(function.getContext(), llvm::Align(alignment)));
  base->setDoesNotThrow();
  for (const auto& [variable, offset] : llvm::zip(variables_, offsets)) {
    llvm::Value* const from = builder.CreateMul(padded_, builder.getInt64(offset));
    layouts_[variable].array = builder.CreateInBoundsGEP(builder.getInt8Ty(), base, from);
  }
}

void ThreadContexts::replace(const ParallelRegion& region, llvm::Value* thread) {
  const llvm::SmallPtrSet<const llvm::BasicBlock*, 16> blocks(region.blocks.begin(), region.blocks.end());
  const auto is_here = [&](const llvm::Use& use) {
    return blocks.contains(llvm::cast<llvm::Instruction>(use.getUser())->getParent());
  };
  for (llvm::AllocaInst* const variable : variables_) {
    if (llvm::none_of(variable->uses(), is_here)) {
      continue;
    }
    const Layout& layout = layouts_[variable];
    llvm::IRBuilder<> builder(&*region.entry->getFirstInsertionPt());
    const std::uint64_t step = layout.element != 0 ? layout.element : layout.bytes;
    llvm::Value* const offset = builder.CreateMul(thread, builder.getInt64(step), "", true, true);
    auto* const own = llvm::cast<llvm::Instruction>(builder.CreateInBoundsGEP(builder.getInt8Ty(), layout.array, offset));
    variable->replaceUsesWithIf(own, [&](llvm::Use& use) { return is_here(use); });
    if (layout.element != 0) {
      align_accesses(*own, llvm::Align(layout.element));
    }
    if (layout.element != 0 && layout.element != layout.bytes) {
      scale_offsets(*own);
    }
  }
}

/// Lets loads and stores by a pointer, or by those made of it, ask for no more than the alignment of an element.
void ThreadContexts::align_accesses(llvm::Instruction& pointer, llvm::Align align) {
  for (llvm::User* const user : pointer.users()) {
    if (auto* const address = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
      align_accesses(*address, align);
    } else if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      load->setAlignment(std::min(load->getAlign(), align));
    } else {
      auto& store = *llvm::cast<llvm::StoreInst>(user);
      store.setAlignment(std::min(store.getAlign(), align));
    }
  }
}

/// Makes addresses within a thread's array those of elements that lie as many further apart as there are threads.
void ThreadContexts::scale_offsets(llvm::Instruction& pointer) {
  llvm::SmallVector<std::pair<llvm::Instruction*, llvm::Value*>, 8> left{{&pointer, &pointer}};
  llvm::SmallVector<llvm::Instruction*, 8> replaced;
  while (!left.empty()) {
    const auto [old, scaled] = left.pop_back_val();
    const llvm::SmallVector<llvm::User*, 8> users(old->users());
    for (llvm::User* const user : users) {
      auto* const address = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
      if (address == nullptr) {
        user->replaceUsesOfWith(old, scaled);
        continue;
      }
      llvm::IRBuilder<> builder(address);
      llvm::Value* const offset = llvm::emitGEPOffset(&builder, function_.getDataLayout(), address);
      llvm::Value* const far = builder.CreateMul(offset, padded_, "", false, true);
      left.emplace_back(address, builder.CreateGEP(builder.getInt8Ty(), scaled, far));
      replaced.push_back(address);
    }
  }
  for (llvm::Instruction* const address : llvm::reverse(replaced)) {
    address->eraseFromParent();
  }
}

void ThreadContexts::erase_variables() {
  for (llvm::AllocaInst* const variable : variables_) {
    variable->replaceAllUsesWith(llvm::PoisonValue::get(variable->getType()));
    variable->eraseFromParent();
  }
}

}  // namespace phpc::lanes
