#pragma once
#include "batch/precond/preconditioner_rows.hpp"
#include "batch/teams/launch.hpp"
#include "batch/teams/solve_kernel.hpp"
#include "batch/teams/team_sizes.hpp"

namespace phpc::batch {

template <class T, class Method>
void launch_teams(exec::Device gpu, std::string_view preconditioner, int team_size, const SolveJob<T>& job) {
  with_plain_preconditioner<Method>(preconditioner, [&]<template <class> class P>(PreconditionerRow<P>) {
    for_each_team_size<T, Method>([&](auto team) {
      if (team.size == team_size) {
        exec::launch_on_gpu(gpu, solve_shape(job), SolveKernel<T, Method, P, decltype(team)::size, false>{job});
      }
    });
  });
}

}  // namespace phpc::batch
