#pragma once
#include "batch/precond/preconditioner_rows.hpp"
#include "batch/teams/launch.hpp"
#include "batch/teams/solve_kernel.hpp"
#include "batch/teams/team_sizes.hpp"

namespace phpc::batch {

template <class T, class Method>
void launch_general_teams(exec::Device device, const SolveJob<T>& job) {
  with_general_preconditioner<Method>([&]<template <class> class P>(PreconditionerRow<P>) {
    exec::launch(device, solve_shape(job), GeneralSolveKernel<T, Method, P, general_team_size>{{job}});
  });
}

}  // namespace phpc::batch
