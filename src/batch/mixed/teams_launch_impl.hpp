#pragma once
#include "batch/mixed/launch.hpp"
#include "batch/mixed/mixed_kernel.hpp"
#include "batch/precond/preconditioner_rows.hpp"
#include "batch/teams/team_sizes.hpp"

namespace phpc::batch {

template <class Method>
void launch_mixed_teams(exec::Device device, const SolveJob<double>& job) {
  with_general_preconditioner<Method>([&]<template <class> class P>(PreconditionerRow<P>) {
    const exec::LaunchShape shape{.groups = job.matrix.systems, .scratch_bytes = job.placement.scratch_bytes};
    exec::launch(device, shape, MixedSolveKernel<Method, P, general_team_size>{job});
  });
}

}  // namespace phpc::batch
