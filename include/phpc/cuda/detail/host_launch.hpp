#pragma once
#include <atomic>
#include <cstddef>
#include <typeinfo>

#include "phpc/core/types.hpp"
#include "phpc/exec/team.hpp"

/// A launch on the host as the library runs it, without knowing the kernel's type.
namespace phpc::cuda::detail {

/// What a thread of a kernel took in the kernel's last launch on the host, in ticks of the processor's clock; 0 before the first.
/// Each kernel has one.
using HostCost = std::atomic<float>;

/// A kernel with all that a launch on the host needs.
struct HostLaunch {
  /// Runs the blocks first .. last - 1 of `blocks`, one after another in the calling thread.
  void (*run)(const void* kernel, index_t first, index_t last, index_t blocks, exec::DynamicScratch& scratch);
  const void* kernel;
  const std::type_info& type;
  index_t blocks;  ///< at least 1
  int threads_of_block;
  std::size_t scratch_bytes;  ///< of each host thread that takes part, more than 0
};

/// Runs all blocks of a launch on the host's OpenMP threads and waits for them. A launch that is over before other threads would
/// have begun, going by `cost`, is run by the calling thread alone. Throws Error(memory) where there is none for scratch.
void run_on_host(const HostLaunch& launch, HostCost& cost);

}  // namespace phpc::cuda::detail
