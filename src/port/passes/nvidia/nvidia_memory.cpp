// The passes of clang's for code of NVIDIA GPUs: how it reads and copies memory, and keeps arrays out of it.
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>

#include "port/passes/nvidia/pair_loads.hpp"
#include "port/passes/nvidia/parameters_in_place.hpp"
#include "port/passes/nvidia/read_only_loads.hpp"
#include "port/passes/nvidia/unrolling.hpp"
#include "port/passes/nvidia/wide_copies.hpp"

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "phpc-nvidia-memory", "1", [](llvm::PassBuilder& builder) {
            builder.registerLateLoopOptimizationsEPCallback(
                [](llvm::LoopPassManager& passes, llvm::OptimizationLevel) { passes.addPass(phpc::gpu::Unrolling()); });
            // After inlining, when it is known what calls do with their arguments.
            builder.registerOptimizerEarlyEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
              passes.addPass(llvm::createModuleToFunctionPassAdaptor(phpc::gpu::ParametersInPlace()));
            });
            builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
              // Copies first: what they read may be read-only.
              passes.addPass(llvm::createModuleToFunctionPassAdaptor(phpc::gpu::WideCopies()));
              passes.addPass(phpc::gpu::ReadOnlyLoads());
              passes.addPass(llvm::createModuleToFunctionPassAdaptor(phpc::gpu::PairLoads()));
            });
          }};
}
