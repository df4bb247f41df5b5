#pragma once
#include <omp.h>

#include "phpc/exec/launch.hpp"

namespace phpc::test {

/// The team size of a kernel that is to be tested in teams of `size`. A build without device images never uses it, so that there
/// one instantiation of the kernel serves all sizes.
constexpr int kernel_team_size(int size) {
  return PHPC_WITH_OFFLOAD != 0 ? size : 256;
}

/// Runs every group on the host in a team of `team_size` threads, one group after another.
template <exec::TeamKernel K>
void launch_in_host_team(const exec::LaunchShape& shape, int team_size, const K& kernel) {
  FirstError error;
  exec::detail::HostScratch<K> scratch(exec::detail::scratch_bytes_of<K>(shape), error);
  error.rethrow();
  for (index_t group = 0; group < shape.groups; ++group) {
#pragma omp parallel num_threads(team_size)
    kernel(exec::Team(group, shape.groups, omp_get_thread_num(), omp_get_num_threads()), scratch.get());
  }
}

/// exec::launch, but a host team has `host_team_size` threads, so that barriers and races of a kernel show on the host too.
template <exec::TeamKernel K>
void launch_in_team(exec::Device device, const exec::LaunchShape& shape, int host_team_size, const K& kernel) {
  if (!device.is_host() || host_team_size == 1) {
    exec::launch(device, shape, kernel);
  } else {
    launch_in_host_team(shape, host_team_size, kernel);
  }
}

}  // namespace phpc::test
