// How lanes go through branches and loops: a part of LaneCode.
#include <llvm/Analysis/VectorUtils.h>

#include "port/passes/lane_code.hpp"

namespace phpc::lanes {

void LaneCode::write_phi(llvm::PHINode& phi) {
  const Shape shape = facts_.shape(&phi);
  Lanes lanes;
  if (shape.kind == Shape::affine) {
    lanes.first = builder_.CreatePHI(phi.getType(), phi.getNumIncomingValues(), phi.getName());
  }
  if (!shape.uniform()) {
    if (shape.kind == Shape::affine) {
      lanes.straight = builder_.CreatePHI(builder_.getInt1Ty(), phi.getNumIncomingValues());
    }
    for (unsigned number = 0; number < parts_of(phi.getType()); ++number) {
      lanes.parts.push_back(builder_.CreatePHI(wide(phi.getType()), phi.getNumIncomingValues(), phi.getName()));
    }
  }
  values_[&phi] = std::move(lanes);
}

/// What lanes bring to a phi by one of its edges: from a loop of a region, what each had as it left.
LaneCode::Parts LaneCode::came_with(llvm::PHINode& phi, unsigned edge) {
  const auto found = came_with_.find({&phi, edge});
  return found != came_with_.end() ? found->second : parts(phi.getIncomingValue(edge));
}

/// A phi within a region: each lane has the value of the edge that it came by.
void LaneCode::join_phi(llvm::PHINode& phi) {
  Lanes lanes;
  if (facts_.shape(&phi).uniform()) {
    lanes.first = first_of(phi.getIncomingValue(0));
  } else {
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      llvm::Value* const came = edge_masks_.lookup({phi.getIncomingBlock(i), phi.getParent()});
      const Parts incoming = came_with(phi, i);
      for (unsigned number = 0; number < incoming.size(); ++number) {
        if (i == 0) {
          lanes.parts.push_back(incoming[number]);
        } else {
          lanes.parts[number] = builder_.CreateSelect(came, incoming[number], lanes.parts[number]);
        }
      }
    }
  }
  values_[&phi] = std::move(lanes);
}

/// What a phi at the end of a region gets from it, written before the end of the region's last block.
LaneCode::Parts LaneCode::chosen_in_region(llvm::PHINode& phi, const Region& region) {
  Parts chosen;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    if (facts_.region_of_edge(phi.getIncomingBlock(i), phi.getParent()) != &region) {
      continue;
    }
    llvm::Value* const came = edge_masks_.lookup({phi.getIncomingBlock(i), phi.getParent()});
    const Parts incoming = came_with(phi, i);
    if (chosen.empty()) {
      chosen = incoming;
      continue;
    }
    for (unsigned number = 0; number < incoming.size(); ++number) {
      chosen[number] = builder_.CreateSelect(came, incoming[number], chosen[number]);
    }
  }
  return chosen;
}

void LaneCode::end_phis() {
  for (llvm::BasicBlock* const block : facts_.order()) {
    if (!facts_.is_masked(block) && block != facts_.order().front()) {
      for (llvm::PHINode& phi : block->phis()) {
        end_phi(phi);
      }
    }
  }
}

void LaneCode::end_phi(llvm::PHINode& phi) {
  const Lanes lanes = values_.find(&phi)->second;
  llvm::SmallPtrSet<const Region*, 4> done;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    llvm::BasicBlock* const from = phi.getIncomingBlock(i);
    llvm::Value* const value = phi.getIncomingValue(i);
    const Region* const region = facts_.region_of_edge(from, phi.getParent());
    if (region != nullptr && !done.insert(region).second) {
      continue;
    }
    llvm::BasicBlock* const last = region != nullptr ? region_ends_.lookup(region) : edges_.lookup({from, phi.getParent()});
    builder_.SetInsertPoint(last->getTerminator());
    if (lanes.first != nullptr) {
      llvm::cast<llvm::PHINode>(lanes.first)->addIncoming(first_of(value), last);
    }
    if (lanes.straight != nullptr) {
      llvm::Value* const straight = straight_of(value);
      llvm::cast<llvm::PHINode>(lanes.straight)->addIncoming(straight == nullptr ? builder_.getTrue() : straight, last);
    }
    if (!lanes.parts.empty()) {
      const auto left_with = left_with_.find(&phi);
      const Parts incoming = region != nullptr               ? chosen_in_region(phi, *region)
                             : left_with != left_with_.end() ? left_with->second
                                                             : parts(value);
      for (unsigned number = 0; number < incoming.size(); ++number) {
        llvm::cast<llvm::PHINode>(lanes.parts[number])->addIncoming(incoming[number], last);
      }
    }
  }
}

void LaneCode::write_end(llvm::BasicBlock* block) {
  if (block == facts_.loop().getLoopLatch()) {
    builder_.CreateBr(done_);
    return;
  }
  llvm::BasicBlock* const last = builder_.GetInsertBlock();
  for (llvm::BasicBlock* const next : llvm::successors(block)) {
    edges_[{block, next}] = last;
  }
  const llvm::Loop* const thinning = facts_.thinning_loop(block);
  if (thinning != nullptr && thinning->getLoopLatch() == block) {
    end_thinning(*thinning);
    return;
  }
  if (const Region* const region = facts_.region_at(block)) {
    write_region(*region);
    return;
  }
  const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
  if (branch != nullptr && facts_.is_guard(block)) {
    write_guard(block, *branch);
    return;
  }
  llvm::Instruction* const copy = block->getTerminator()->clone();
  for (llvm::Use& operand : copy->operands()) {
    if (auto* const next = llvm::dyn_cast<llvm::BasicBlock>(operand.get())) {
      operand.set(blocks_.lookup(next));
    } else {
      operand.set(first_of(operand.get()));
    }
  }
  copy->dropUnknownNonDebugMetadata({llvm::LLVMContext::MD_prof});
  builder_.Insert(copy);
}

/// All lanes take one way or the other; if they part, threads run one after another.
void LaneCode::write_guard(llvm::BasicBlock* block, const llvm::BranchInst& branch) {
  llvm::Value* const condition = part(branch.getCondition(), 0);
  auto* const parted = llvm::BasicBlock::Create(function_.getContext(), block->getName() + ".none", &function_, done_);
  builder_.CreateCondBr(builder_.CreateAndReduce(condition), blocks_.lookup(branch.getSuccessor(0)), parted);
  builder_.SetInsertPoint(parted);
  builder_.CreateCondBr(builder_.CreateOrReduce(condition), in_turn_, blocks_.lookup(branch.getSuccessor(1)));
  edges_[{block, branch.getSuccessor(1)}] = parted;
}

llvm::Value* LaneCode::mask_of(const llvm::Loop* thinning) const {
  return thinning == nullptr ? nullptr : thinning_masks_.lookup(thinning);
}

/// Begins a loop that lanes leave one by one: its mask, and for each value that is used behind it what lanes left with.
void LaneCode::begin_thinning(const llvm::Loop& loop) {
  llvm::Type* const mask_type = wide(builder_.getInt1Ty());
  thinning_masks_[&loop] = builder_.CreatePHI(mask_type, 2, "running");
  for (llvm::PHINode& phi : loop.getExitBlock()->phis()) {
    const auto* const value = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValue(0));
    if (value != nullptr && loop.contains(value)) {
      for (unsigned number = 0; number < parts_of(phi.getType()); ++number) {
        left_with_[&phi].push_back(builder_.CreatePHI(wide(phi.getType()), 2));
      }
    }
  }
}

void LaneCode::end_thinning(const llvm::Loop& loop) {
  const auto* const branch = llvm::cast<llvm::BranchInst>(loop.getLoopLatch()->getTerminator());
  llvm::PHINode* const running = thinning_masks_.lookup(&loop);
  llvm::BasicBlock* const before = edges_.lookup({loop.getLoopPreheader(), loop.getHeader()});
  llvm::BasicBlock* const last = builder_.GetInsertBlock();
  for (llvm::PHINode& phi : loop.getExitBlock()->phis()) {
    const auto found = left_with_.find(&phi);
    if (found == left_with_.end()) {
      continue;
    }
    const Parts now = parts(phi.getIncomingValue(0));
    for (unsigned number = 0; number < now.size(); ++number) {
      auto* const earlier = llvm::cast<llvm::PHINode>(found->second[number]);
      llvm::Value* const with = builder_.CreateSelect(running, now[number], earlier);
      earlier->addIncoming(llvm::PoisonValue::get(earlier->getType()), before);
      earlier->addIncoming(with, last);
      found->second[number] = with;
    }
  }
  llvm::Value* const condition = part(branch->getCondition(), 0);
  const bool goes_on = branch->getSuccessor(0) == loop.getHeader();
  llvm::Value* const still = builder_.CreateLogicalAnd(running, goes_on ? condition : builder_.CreateNot(condition));
  llvm::Value* const outer = mask_of(facts_.thinning_loop(loop.getLoopPreheader()));
  running->addIncoming(outer == nullptr ? llvm::Constant::getAllOnesValue(running->getType()) : outer, before);
  running->addIncoming(still, last);
  builder_.CreateCondBr(builder_.CreateOrReduce(still), blocks_.lookup(loop.getHeader()), blocks_.lookup(loop.getExitBlock()));
}

/// Notes which lanes leave a block by which of its edges.
void LaneCode::leave_block(const llvm::BasicBlock* block, llvm::Value* mask) {
  const auto* const branch = llvm::cast<llvm::BranchInst>(block->getTerminator());
  llvm::Value* const whether = branch->isConditional() ? part(branch->getCondition(), 0) : nullptr;
  for (unsigned way = 0; way < branch->getNumSuccessors(); ++way) {
    llvm::Value* const way_taken = whether == nullptr || way == 0 ? whether : builder_.CreateNot(whether);
    // Lanes that do not run the block may have anything in their condition.
    llvm::Value* taken = way_taken == nullptr ? mask : mask == nullptr ? way_taken : builder_.CreateLogicalAnd(mask, way_taken);
    if (taken == nullptr) {
      taken = llvm::Constant::getAllOnesValue(wide(builder_.getInt1Ty()));
    }
    llvm::Value*& edge = edge_masks_[{block, branch->getSuccessor(way)}];
    edge = edge == nullptr ? taken : builder_.CreateOr(edge, taken);
  }
}

/// The lanes that come to a block of a region, from those before it.
llvm::Value* LaneCode::mask_from(const llvm::BasicBlock* block) {
  llvm::Value* mask = nullptr;
  for (const llvm::BasicBlock* const from : llvm::predecessors(block)) {
    llvm::Value* const edge = edge_masks_.lookup({from, block});
    mask = mask == nullptr || mask == edge ? edge : builder_.CreateOr(mask, edge);
  }
  return mask;
}

void LaneCode::write_region(const Region& region) {
  llvm::Value* const before = mask_;
  leave_block(region.head, before);
  llvm::SmallVector<const llvm::Loop*, 4> around;  // the loops that the code is in
  const auto leave_loops = [&](const llvm::BasicBlock* next) {
    while (!around.empty() && (next == nullptr || !around.back()->contains(next))) {
      end_masked_loop(*around.pop_back_val());
    }
  };
  for (llvm::BasicBlock* const block : region.blocks) {
    leave_loops(block);
    const llvm::Loop* const loop = facts_.masked_loop(block);
    if (loop != nullptr && loop->getHeader() == block) {
      begin_masked_loop(*loop);
      around.push_back(loop);
      mask_ = masked_loops_.lookup(loop).running;
    } else {
      mask_ = mask_from(block);
    }
    write_block(block);
    leave_block(block, mask_);
  }
  leave_loops(nullptr);
  mask_ = before;
  region_ends_[&region] = builder_.GetInsertBlock();
  builder_.CreateBr(blocks_.lookup(region.join));
}

/// Begins a loop of a region: its mask, its phis, and for each edge out of it the lanes that have left by it, and with what.
void LaneCode::begin_masked_loop(const llvm::Loop& loop) {
  llvm::Value* const entering = edge_masks_.lookup({loop.getLoopPreheader(), loop.getHeader()});
  auto* const begin =
      llvm::BasicBlock::Create(function_.getContext(), loop.getHeader()->getName() + ".masked", &function_, done_);
  MaskedLoop& masked = masked_loops_[&loop];
  masked.before = builder_.GetInsertBlock();
  masked.begin = begin;
  builder_.CreateBr(begin);
  builder_.SetInsertPoint(begin);
  llvm::Type* const mask_type = wide(builder_.getInt1Ty());
  masked.running = builder_.CreatePHI(mask_type, 2, "running");
  masked.running->addIncoming(entering, masked.before);
  for (llvm::PHINode& phi : loop.getHeader()->phis()) {
    write_phi(phi);
  }
  llvm::SmallVector<llvm::Loop::Edge, 4> edges;
  loop.getExitEdges(edges);
  for (const llvm::Loop::Edge& edge : edges) {
    Exit exit{.edge = edge, .left = builder_.CreatePHI(mask_type, 2, "left"), .with = {}};
    exit.left->addIncoming(llvm::Constant::getNullValue(mask_type), masked.before);
    for (llvm::PHINode& phi : edge.second->phis()) {
      Parts with;
      for (unsigned number = 0; number < parts_of(phi.getType()); ++number) {
        llvm::PHINode* const one = builder_.CreatePHI(wide(phi.getType()), 2);
        one->addIncoming(llvm::PoisonValue::get(one->getType()), masked.before);
        with.push_back(one);
      }
      exit.with.emplace_back(&phi, with);
    }
    masked.exits.push_back(exit);
  }
}

/// Brings what a phi has by an edge to its copy for lanes; written before the end of `by`.
void LaneCode::bring(llvm::PHINode& phi, llvm::Value* value, llvm::BasicBlock* by) {
  const Lanes lanes = values_.find(&phi)->second;
  if (lanes.first != nullptr) {
    llvm::cast<llvm::PHINode>(lanes.first)->addIncoming(first_of(value), by);
  }
  if (lanes.straight != nullptr) {
    llvm::Value* const straight = straight_of(value);
    llvm::cast<llvm::PHINode>(lanes.straight)->addIncoming(straight == nullptr ? builder_.getTrue() : straight, by);
  }
  const Parts incoming = lanes.parts.empty() ? Parts() : parts(value);
  for (unsigned number = 0; number < incoming.size(); ++number) {
    llvm::cast<llvm::PHINode>(lanes.parts[number])->addIncoming(incoming[number], by);
  }
}

void LaneCode::end_masked_loop(const llvm::Loop& loop) {
  const MaskedLoop masked = masked_loops_.lookup(&loop);
  llvm::BasicBlock* const header = loop.getHeader();
  llvm::SmallVector<std::pair<llvm::PHINode*, llvm::Value*>, 16> nexts;
  for (const Exit& exit : masked.exits) {
    llvm::Value*& mask = edge_masks_[exit.edge];
    for (const auto& [phi, earlier] : exit.with) {
      const auto edge = static_cast<unsigned>(phi->getBasicBlockIndex(exit.edge.first));
      const Parts now = came_with(*phi, edge);
      Parts& with = came_with_[{phi, edge}];
      with.clear();
      for (unsigned number = 0; number < now.size(); ++number) {
        with.push_back(builder_.CreateSelect(mask, now[number], earlier[number]));
        nexts.emplace_back(llvm::cast<llvm::PHINode>(earlier[number]), with.back());
      }
    }
    mask = builder_.CreateOr(exit.left, mask);
    nexts.emplace_back(exit.left, mask);
  }
  llvm::Value* const still = edge_masks_.lookup({loop.getLoopLatch(), header});
  llvm::BasicBlock* const last = builder_.GetInsertBlock();
  for (llvm::PHINode& phi : header->phis()) {
    bring(phi, phi.getIncomingValueForBlock(loop.getLoopLatch()), last);
  }
  auto* const after = llvm::BasicBlock::Create(function_.getContext(), header->getName() + ".left", &function_, done_);
  builder_.CreateCondBr(builder_.CreateOrReduce(still), masked.begin, after);
  masked.running->addIncoming(still, last);
  for (const auto& [phi, value] : nexts) {
    phi->addIncoming(value, last);
  }
  builder_.SetInsertPoint(masked.before->getTerminator());
  for (llvm::PHINode& phi : header->phis()) {
    bring(phi, phi.getIncomingValueForBlock(loop.getLoopPreheader()), masked.before);
  }
  builder_.SetInsertPoint(after);
}

}  // namespace phpc::lanes
