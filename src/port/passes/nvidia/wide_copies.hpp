#pragma once
#include <llvm/IR/PassManager.h>

namespace phpc::gpu {

/// Copies and fills of known length become accesses as wide as their alignment allows, 16 bytes at most.
/// - Copies of 16 to 128 bytes aligned to 16, such as `to[i] = from[j]` of float4: clang 19 makes them of 8 bytes, as the widest
///   integer of NVIDIA GPUs has, which take twice as many instructions and, in shared memory, twice as many trips.
/// - Copies and fills of more than 128 bytes, such as `int counts[64] = {}`: clang 19 makes loops over single bytes of them.
struct WideCopies : llvm::PassInfoMixin<WideCopies> {
  static bool isRequired() { return true; }  // NOLINT(readability-identifier-naming): LLVM's name
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace phpc::gpu
