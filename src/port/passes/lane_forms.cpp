// Which instructions have a form in lanes, and which variables each thread has for its own: a part of LaneFacts.
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "port/passes/lane_facts.hpp"

namespace phpc::lanes {

namespace {

bool is_number(const llvm::Type* type) {
  const llvm::Type* const element = type->getScalarType();
  return !llvm::isa<llvm::ScalableVectorType>(type) &&
         (element->isFloatTy() || element->isDoubleTy() || element->isHalfTy() || element->isPointerTy() ||
          (element->isIntegerTy() && element->getIntegerBitWidth() <= 64));
}

/// Numbers that lie in memory one behind another without gaps: integers of 1, 2, 4 or 8 bytes, floating point numbers, pointers.
bool is_word(const llvm::Type* type) {
  const llvm::Type* const element = type->getScalarType();
  return is_number(type) &&
         (!element->isIntegerTy() || (element->getIntegerBitWidth() >= 8 && llvm::isPowerOf2_32(element->getIntegerBitWidth())));
}

/// The pointers of an access to memory.
llvm::SmallVector<const llvm::Value*, 2> pointers_of(const llvm::Instruction& access) {
  if (const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&access)) {
    return {pointer};
  }
  if (const auto* const copy = llvm::dyn_cast<llvm::MemCpyInst>(&access)) {
    return {copy->getDest(), copy->getSource()};
  }
  if (const auto* const set = llvm::dyn_cast<llvm::MemSetInst>(&access)) {
    return {set->getDest()};
  }
  return {};
}

/// Bytes of each number that an access reads or writes; 0 for a memset, which fits any.
std::uint64_t element_bytes(const llvm::Instruction& access) {
  if (llvm::getLoadStorePointerOperand(&access) == nullptr) {
    return 0;
  }
  llvm::Type* const type = llvm::getLoadStoreType(const_cast<llvm::Instruction*>(&access))->getScalarType();
  return access.getDataLayout().getTypeStoreSize(type).getFixedValue();
}

/// The least alignment of the places that an access reads or writes.
std::uint64_t least_align(const llvm::Instruction& access) {
  if (const auto* const copy = llvm::dyn_cast<llvm::MemCpyInst>(&access)) {
    return std::min(copy->getDestAlign().valueOrOne(), copy->getSourceAlign().valueOrOne()).value();
  }
  if (const auto* const set = llvm::dyn_cast<llvm::MemSetInst>(&access)) {
    return set->getDestAlign().valueOrOne().value();
  }
  return llvm::getLoadStoreAlignment(const_cast<llvm::Instruction*>(&access)).value();
}

/// Whether an instruction may do more with what an operand points to than read it: write it, or let others know of it.
bool gives_away(const llvm::Use& pointer) {
  const auto* const instruction = llvm::cast<llvm::Instruction>(pointer.getUser());
  if (is_note(*instruction)) {
    return false;
  }
  if (const auto* const call = llvm::dyn_cast<llvm::CallBase>(instruction)) {
    const bool is_copied_from = llvm::isa<llvm::MemCpyInst>(call) && pointer.getOperandNo() == 1;
    return !is_copied_from && !(call->isArgOperand(&pointer) && call->onlyReadsMemory(pointer.getOperandNo()) &&
                                call->doesNotCapture(pointer.getOperandNo()));
  }
  return llvm::isa<llvm::StoreInst, llvm::PtrToIntInst, llvm::InsertElementInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(
      instruction);
}

constexpr llvm::Intrinsic::ID without_instructions[] = {
    llvm::Intrinsic::sin,  llvm::Intrinsic::cos,  llvm::Intrinsic::tan,   llvm::Intrinsic::asin,
    llvm::Intrinsic::acos, llvm::Intrinsic::atan, llvm::Intrinsic::sinh,  llvm::Intrinsic::cosh,
    llvm::Intrinsic::tanh, llvm::Intrinsic::exp,  llvm::Intrinsic::exp2,  llvm::Intrinsic::exp10,
    llvm::Intrinsic::log,  llvm::Intrinsic::log2, llvm::Intrinsic::log10, llvm::Intrinsic::pow};

}  // namespace

/// Calls that do nothing when the program runs.
bool is_note(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::DbgInfoIntrinsic, llvm::AssumeInst, llvm::NoAliasScopeDeclInst>(instruction) ||
         (llvm::isa<llvm::IntrinsicInst>(instruction) && llvm::cast<llvm::IntrinsicInst>(instruction).isLifetimeStartOrEnd());
}

unsigned parts_of(const llvm::Type* type) {
  const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector == nullptr ? 1 : vector->getNumElements();
}

std::uint64_t bytes_as_words(const llvm::CallInst& call, std::uint64_t word) {
  const auto* const set = llvm::dyn_cast<llvm::MemSetInst>(&call);
  const auto* const copy = llvm::dyn_cast<llvm::MemCpyInst>(&call);
  if ((set == nullptr && copy == nullptr) || llvm::cast<llvm::MemIntrinsic>(call).isVolatile() ||
      (set != nullptr && !llvm::isa<llvm::ConstantInt>(set->getValue()))) {
    return 0;
  }
  const auto* const length = llvm::dyn_cast<llvm::ConstantInt>(llvm::cast<llvm::MemIntrinsic>(call).getLength());
  constexpr std::uint64_t most = 32;
  return length != nullptr && length->getZExtValue() % word == 0 && length->getZExtValue() / word <= most ? length->getZExtValue()
                                                                                                          : 0;
}

llvm::AllocaInst* LaneFacts::own_array(const llvm::Value* pointer) const {
  auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(const_cast<llvm::Value*>(llvm::getUnderlyingObject(pointer, 0)));
  return variable != nullptr && own_arrays_.contains(variable) ? variable : nullptr;
}

std::uint64_t LaneFacts::own_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& [variable, array] : own_arrays_) {
    bytes += array.bytes;
  }
  return bytes;
}

/// Finds the variables of the frame that the loop writes. Returns false where lanes cannot have their own.
bool LaneFacts::find_own_arrays() {
  llvm::SmallSetVector<llvm::AllocaInst*, 4> written;
  llvm::SmallPtrSet<const llvm::Value*, 4> mixed;
  for (const llvm::BasicBlock* const block : order_) {
    for (const llvm::Instruction& instruction : *block) {
      for (const llvm::Use& pointer : instruction.operands()) {
        if (!pointer->getType()->isPointerTy()) {
          continue;
        }
        const bool is_accessed = llvm::is_contained(pointers_of(instruction), pointer.get());
        llvm::SmallVector<const llvm::Value*, 4> objects;
        llvm::getUnderlyingObjects(pointer.get(), objects, nullptr, 0);
        for (const llvm::Value* const object : objects) {
          auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(const_cast<llvm::Value*>(object));
          if (variable == nullptr) {
            continue;
          }
          if (is_accessed && (objects.size() > 1 || llvm::getUnderlyingObject(pointer.get(), 0) != object)) {
            mixed.insert(variable);
          }
          if (gives_away(pointer)) {
            written.insert(variable);
          }
        }
      }
    }
  }
  why_ = "a pointer leads to one of several variables";
  return llvm::all_of(written, [&](llvm::AllocaInst* variable) { return !mixed.contains(variable) && add_own_array(variable); });
}

bool LaneFacts::add_own_array(llvm::AllocaInst* variable) {
  constexpr std::uint64_t most_bytes = 8192;
  const auto size = variable->getAllocationSize(variable->getDataLayout());
  // Where its life begins within a turn of the loop, nothing goes from one turn to another through it.
  const bool begins_here = llvm::any_of(variable->users(), [&](const llvm::User* user) {
    const auto* const note = llvm::dyn_cast<llvm::IntrinsicInst>(user);
    return note != nullptr && note->getIntrinsicID() == llvm::Intrinsic::lifetime_start && loop_.contains(note);
  });
  OwnArray array{.bytes = size && !size->isScalable() ? size->getFixedValue() : 0, .element_bytes = 0};
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  llvm::SmallSetVector<const llvm::Value*, 8> pointers;
  pointers.insert(variable);
  for (unsigned next = 0; next < pointers.size(); ++next) {  // grows as pointers are made of pointers
    for (const llvm::User* const user : pointers[next]->users()) {
      const auto* const instruction = llvm::cast<llvm::Instruction>(user);
      if (llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst>(user)) {
        pointers.insert(user);
        continue;
      }
      const llvm::SmallVector<const llvm::Value*, 2> accessed = pointers_of(*instruction);
      const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user);
      if (is_note(*instruction) || llvm::isa<llvm::ICmpInst>(user)) {
        continue;
      }
      if (accessed.empty() || !(begins_here || loop_.contains(instruction)) ||
          (store != nullptr && store->getValueOperand() == pointers[next])) {
        llvm::raw_string_ostream(why_ = "a thread\'s own variable is used in a way that is not known: ") << *instruction;
        return false;
      }
      const std::uint64_t bytes = element_bytes(*instruction);
      if (bytes != 0 && array.element_bytes != 0 && bytes != array.element_bytes) {
        why_ = "a thread\'s own variable has numbers of several sizes";
        return false;
      }
      // Lanes' numbers lie between those of one thread, so that none may reach from one into the next.
      if (least_align(*instruction) < bytes) {
        why_ = "a thread's own variable has numbers that are not aligned";
        return false;
      }
      array.element_bytes = std::max(array.element_bytes, bytes);
      least = std::min(least, least_align(*instruction));
    }
  }
  if (std::min(least, variable->getAlign().value()) < array.element_bytes) {
    why_ = "a thread's own variable has numbers that are not aligned";
    return false;
  }
  own_arrays_[variable] = array;
  why_ = "a thread's own variable is too large";
  return array.bytes != 0 && array.bytes <= most_bytes && array.element_bytes != 0 && array.bytes % array.element_bytes == 0;
}

/// A memset or memcpy of few words; to own arrays, of their elements, or a memset of any length.
bool LaneFacts::has_form_of_words(const llvm::CallInst& call) const {
  std::uint64_t word = 4;
  bool owned = false;
  for (const llvm::Value* const pointer : pointers_of(call)) {
    if (llvm::AllocaInst* const variable = own_array(pointer)) {
      const std::uint64_t bytes = own_arrays_.lookup(variable).element_bytes;
      if (owned && bytes != word) {
        return false;
      }
      word = bytes;
      owned = true;
    }
  }
  const auto* const length = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2));
  if (owned && llvm::isa<llvm::MemSetInst>(call) && length != nullptr && length->getZExtValue() % word == 0 &&
      shape(call.getArgOperand(0)).uniform() && shape(call.getArgOperand(1)).uniform() && !has_mask(call.getParent())) {
    return !llvm::cast<llvm::MemIntrinsic>(call).isVolatile();
  }
  return bytes_as_words(call, word) != 0;
}

bool LaneFacts::is_known_function(const llvm::CallInst& call) const {
  llvm::LibFunc function{};
  return call.getIntrinsicID() != llvm::Intrinsic::not_intrinsic ||
         analyses_.library.getLibFunc(*call.getCalledFunction(), function);
}

bool LaneFacts::has_vector_form(const llvm::CallInst& call) const {
  if (!call.doesNotAccessMemory()) {
    return false;
  }
  const llvm::Intrinsic::ID intrinsic = call.getIntrinsicID();
  if (analyses_.library.isFunctionVectorizable(call.getCalledFunction()->getName())) {
    return true;
  }
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    if (llvm::isVectorIntrinsicWithScalarOpAtArg(intrinsic, i) && !shape(call.getArgOperand(i)).uniform()) {
      return false;
    }
  }
  // Those that are functions of the C library, such as tanh, have no instructions.
  return intrinsic != llvm::Intrinsic::not_intrinsic && !llvm::is_contained(without_instructions, intrinsic);
}

bool LaneFacts::has_form(const llvm::CallInst& call) const {
  if (is_note(call)) {
    return true;
  }
  if (llvm::isa<llvm::MemIntrinsic>(call)) {
    return has_form_of_words(call);
  }
  if (call.isInlineAsm() || call.getCalledFunction() == nullptr || !call.doesNotThrow() || call.isConvergent() ||
      (!call.getType()->isVoidTy() && (!is_number(call.getType()) || call.getType()->isVectorTy())) || call.hasOperandBundles()) {
    return false;
  }
  if (call.doesNotAccessMemory() && shape(&call).uniform()) {
    return true;
  }
  const llvm::Intrinsic::ID intrinsic = call.getIntrinsicID();
  if (intrinsic != llvm::Intrinsic::not_intrinsic && !llvm::isTriviallyVectorizable(intrinsic) &&
      !llvm::is_contained(without_instructions, intrinsic)) {
    return false;
  }
  if (has_vector_form(call)) {
    return true;
  }
  // One call a lane.
  return (call.doesNotAccessMemory() && is_known_function(call)) ||
         (!has_mask(call.getParent()) && llvm::all_of(call.args(), [](const llvm::Use& argument) {
           return is_number(argument->getType()) && !argument->getType()->isVectorTy();
         }));
}

bool LaneFacts::has_form(const llvm::Instruction& instruction) const {
  if (const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    return has_form(*call);
  }
  if (instruction.isTerminator()) {
    return llvm::isa<llvm::BranchInst, llvm::SwitchInst>(instruction);
  }
  if (const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    return load->isSimple() && is_word(load->getType());
  }
  if (const auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    return store->isSimple() && is_word(store->getValueOperand()->getType());
  }
  if (llvm::isa<llvm::AtomicRMWInst>(instruction)) {
    // In a loop, a thread might wait with what it reads for what another writes.
    return is_number(instruction.getType()) && !instruction.getType()->isVectorTy() &&
           (instruction.use_empty() || analyses_.loops.getLoopFor(instruction.getParent()) == &loop_);
  }
  if (!is_number(instruction.getType()) || instruction.mayReadOrWriteMemory() || llvm::isa<llvm::AllocaInst>(instruction)) {
    return false;
  }
  if (shape(&instruction).uniform()) {
    return true;
  }
  if (instruction.isIntDivRem() && instruction.getType()->isVectorTy() && !llvm::isa<llvm::Constant>(instruction.getOperand(1))) {
    return false;
  }
  if (llvm::isa<llvm::InsertElementInst, llvm::ExtractElementInst>(instruction)) {
    return llvm::isa<llvm::ConstantInt>(instruction.getOperand(instruction.getNumOperands() - 1));
  }
  if (llvm::isa<llvm::CastInst>(instruction)) {
    return parts_of(instruction.getType()) == parts_of(instruction.getOperand(0)->getType());
  }
  if (llvm::isa<llvm::GetElementPtrInst>(instruction)) {
    return !instruction.getType()->isVectorTy();
  }
  return llvm::isa<llvm::PHINode, llvm::BinaryOperator, llvm::UnaryOperator, llvm::CmpInst, llvm::SelectInst, llvm::FreezeInst,
                   llvm::ShuffleVectorInst>(instruction);
}

const llvm::SmallVectorImpl<llvm::StoreInst*>* LaneFacts::row_of(const llvm::StoreInst* store) const {
  const auto found = rows_.find(store);
  return found == rows_.end() ? nullptr : &found->second;
}

namespace {

/// The stores from `first` on with nothing between them that reads or writes memory, by their distance in numbers from `first`,
/// as long as each is a number of the same type in the same row.
llvm::SmallVector<std::pair<std::int64_t, llvm::StoreInst*>, 8> neighbours(llvm::StoreInst& first) {
  const llvm::DataLayout& layout = first.getDataLayout();
  const auto place = [&](const llvm::StoreInst& store) {
    llvm::APInt offset(64, 0);
    const llvm::Value* const base = store.getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
    return std::pair(base, offset.getSExtValue());
  };
  llvm::Type* const type = first.getValueOperand()->getType();
  const auto bytes = static_cast<std::int64_t>(layout.getTypeStoreSize(type).getFixedValue());
  const auto [base, begin] = place(first);
  llvm::SmallVector<std::pair<std::int64_t, llvm::StoreInst*>, 8> found;
  for (auto next = first.getIterator(); next != first.getParent()->end(); ++next) {
    if (!next->mayReadOrWriteMemory() || is_note(*next)) {
      continue;
    }
    auto* const store = llvm::dyn_cast<llvm::StoreInst>(&*next);
    if (store == nullptr || !store->isSimple() || store->getValueOperand()->getType() != type) {
      break;
    }
    const auto [store_base, at] = place(*store);
    const bool is_known = llvm::any_of(found, [&](const auto& one) { return one.first == (at - begin) / bytes; });
    if (store_base != base || (at - begin) % bytes != 0 || is_known) {
      break;
    }
    found.emplace_back((at - begin) / bytes, store);
  }
  return found;
}

}  // namespace

/// Finds the stores that together fill a row of 2, 4 or 8 numbers, where the next lane's row follows.
void LaneFacts::find_rows() {
  for (llvm::BasicBlock* const block : order_) {
    if (has_mask(block)) {
      continue;
    }
    for (llvm::Instruction& instruction : *block) {
      auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if (store == nullptr || waits_for_row(store) || rows_.contains(store) || !store->isSimple()) {
        continue;
      }
      const std::size_t count = rows_apart(store->getPointerOperand(), store->getValueOperand()->getType());
      auto row = neighbours(*store);
      if (count == 0 || !llvm::isPowerOf2_64(count) || row.size() < count) {
        continue;
      }
      row.truncate(count);
      llvm::StoreInst* const last = row.back().second;
      llvm::sort(row);
      if (row.back().first - row.front().first != static_cast<std::int64_t>(count) - 1) {
        continue;
      }
      for (const auto& [place, one] : row) {
        rows_[last].push_back(one);
        if (one != last) {
          waiting_stores_.insert(one);
        }
      }
    }
  }
}

}  // namespace phpc::lanes
