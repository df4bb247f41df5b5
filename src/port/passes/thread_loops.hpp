#pragma once
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>

namespace phpc::lanes {

/// Whether the source says of a loop that its turns may run in lanes, whatever they read and write.
bool is_over_threads(const llvm::Loop& loop);

/// Brings loops over threads to a form that has more in common with lanes, none of which changes what a program does: switches
/// become branches, branches into what cannot be reached go, structures in registers are taken apart, and variables that no
/// thread has set before it reads them bring nothing from one thread to the next. Returns whether anything has changed.
bool prepare_thread_loops(llvm::Function& function, const llvm::LoopInfo& loops);

}  // namespace phpc::lanes
