#pragma once
#include "batch/mixed_kernel.hpp"
#include "batch/mixed_launch_impl.hpp"

namespace phpc::batch {

template <class Method>
void launch_mixed_teams(exec::Device device, std::string_view preconditioner, int team_size, const SolveJob<double>& job) {
  with_plain_preconditioner<Method>(preconditioner, [&]<template <class> class P>(PreconditionerRow<P>) {
    const exec::LaunchShape shape{.groups = job.matrix.systems, .scratch_bytes = job.placement.scratch_bytes};
    switch (team_size) {
      case mixed_team_sizes[0]:
        return exec::launch(device, shape, MixedSolveKernel<Method, P, mixed_team_sizes[0]>{job});
      case mixed_team_sizes[1]:
        return exec::launch(device, shape, MixedSolveKernel<Method, P, mixed_team_sizes[1]>{job});
      default:
        return exec::launch(device, shape, MixedSolveKernel<Method, P, mixed_team_sizes[2]>{job});
    }
  });
}

}  // namespace phpc::batch
