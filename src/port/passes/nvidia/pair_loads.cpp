#include "port/passes/nvidia/pair_loads.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace phpc::gpu {

namespace {

constexpr uint64_t word_bits = 32;

/// Whether `user` shifts its operand down to its upper word.
bool takes_upper_word(const llvm::User* user) {
  const auto* const shift = llvm::dyn_cast<llvm::BinaryOperator>(user);
  const auto* const by = shift == nullptr ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(shift->getOperand(1));
  return by != nullptr && shift->getOpcode() == llvm::Instruction::LShr && by->equalsInt(word_bits);
}

/// Whether `user` is its operand's lower word.
bool takes_lower_word(const llvm::User* user) {
  return llvm::isa<llvm::TruncInst>(user) && user->getType()->isIntegerTy(word_bits);
}

/// Whether `load` is of 8 aligned bytes of which both words are used, each for itself.
bool is_of_pair(const llvm::LoadInst& load) {
  return load.isSimple() && load.getType()->isIntegerTy(2 * word_bits) && load.getAlign() >= llvm::Align(sizeof(uint64_t)) &&
         llvm::any_of(load.users(), takes_upper_word) && llvm::any_of(load.users(), takes_lower_word);
}

void load_pair(llvm::LoadInst* load) {
  llvm::IRBuilder<> builder(load);
  llvm::Type* const words = llvm::FixedVectorType::get(builder.getInt32Ty(), 2);
  llvm::LoadInst* const pair = builder.CreateAlignedLoad(words, load->getPointerOperand(), load->getAlign());
  for (const unsigned kind : {llvm::LLVMContext::MD_invariant_load, llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                              llvm::LLVMContext::MD_noalias}) {
    pair->setMetadata(kind, load->getMetadata(kind));
  }
  llvm::Value* const lower = builder.CreateExtractElement(pair, uint64_t{0});
  llvm::Value* const upper = builder.CreateZExt(builder.CreateExtractElement(pair, uint64_t{1}), load->getType());
  for (llvm::User* const user : llvm::SmallVector<llvm::User*, 4>(load->users())) {
    if (takes_lower_word(user) || takes_upper_word(user)) {
      user->replaceAllUsesWith(takes_lower_word(user) ? lower : upper);
      llvm::cast<llvm::Instruction>(user)->eraseFromParent();
    }
  }
  if (!load->use_empty()) {  // the whole, too
    load->replaceAllUsesWith(builder.CreateBitCast(pair, load->getType()));
  }
  load->eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses PairLoads::run(llvm::Function& function, llvm::FunctionAnalysisManager& /*analyses*/) {
  llvm::SmallVector<llvm::LoadInst*, 16> loads;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load != nullptr && is_of_pair(*load)) {
      loads.push_back(load);
    }
  }
  for (llvm::LoadInst* const load : loads) {
    load_pair(load);
  }
  return loads.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace phpc::gpu
