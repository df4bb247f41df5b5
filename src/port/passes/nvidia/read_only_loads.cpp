#include "port/passes/nvidia/read_only_loads.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

namespace phpc::gpu {

namespace {

/// What is done with the memory that a marked pointer leads to.
struct Uses {
  llvm::SmallVector<llvm::LoadInst*, 16> loads;
  bool only_loads = true;  ///< nothing may write there, nor keep the pointer
};

Uses uses_of(llvm::CallInst* marked) {
  Uses uses;
  llvm::SmallSetVector<llvm::Value*, 16> pointers;
  pointers.insert(marked);
  for (unsigned next = 0; next < pointers.size(); ++next) {  // grows as pointers are made of pointers
    for (llvm::User* const user : pointers[next]->users()) {
      if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        uses.loads.push_back(load);
      } else if (llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst, llvm::AddrSpaceCastInst>(user)) {
        pointers.insert(user);
      } else if (const auto* const copy = llvm::dyn_cast<llvm::MemTransferInst>(user); copy != nullptr) {
        uses.only_loads = uses.only_loads && copy->getRawDest() != pointers[next];
      } else if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(user); call != nullptr) {
        uses.only_loads = uses.only_loads && call->onlyReadsMemory();
      } else {
        uses.only_loads = uses.only_loads && llvm::isa<llvm::ICmpInst>(user);
      }
    }
  }
  return uses;
}

}  // namespace

llvm::PreservedAnalyses ReadOnlyLoads::run(llvm::Module& module, llvm::ModuleAnalysisManager& /*analyses*/) {
  llvm::Function* const marker = module.getFunction("phpc_cuda_read_only");
  if (marker == nullptr) {
    return llvm::PreservedAnalyses::all();
  }
  llvm::SmallVector<llvm::CallInst*, 32> marked;
  llvm::SmallPtrSet<const llvm::Value*, 32> read_only;
  llvm::SmallVector<llvm::LoadInst*, 64> loads;
  for (llvm::User* const user : marker->users()) {
    auto* const call = llvm::cast<llvm::CallInst>(user);
    marked.push_back(call);
    if (const Uses uses = uses_of(call); uses.only_loads) {
      read_only.insert(call);
      loads.append(uses.loads.begin(), uses.loads.end());
    }
  }
  for (llvm::LoadInst* const load : loads) {
    llvm::SmallVector<const llvm::Value*, 4> objects;
    llvm::getUnderlyingObjects(load->getPointerOperand(), objects, nullptr, 0);
    if (load->isSimple() && llvm::all_of(objects, [&](const llvm::Value* object) { return read_only.contains(object); })) {
      load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(module.getContext(), {}));
    }
  }
  for (llvm::CallInst* const call : marked) {
    call->replaceAllUsesWith(call->getArgOperand(0));
    call->eraseFromParent();
  }
  marker->eraseFromParent();
  return llvm::PreservedAnalyses::none();
}

}  // namespace phpc::gpu
