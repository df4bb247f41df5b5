#pragma once
#include <llvm/IR/PassManager.h>

namespace phpc::gpu {

/// Copies of 16 to 128 bytes with the alignment of 16 bytes, such as `to[i] = from[j]` of float4, become loads and stores of 16
/// bytes each. clang 19 makes them of 8 bytes, as the widest integer of NVIDIA GPUs has, which take twice as many instructions
/// and, in shared memory, twice as many trips.
struct WideCopies : llvm::PassInfoMixin<WideCopies> {
  static bool isRequired() { return true; }  // NOLINT(readability-identifier-naming): LLVM's name
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace phpc::gpu
