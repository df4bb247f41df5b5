#pragma once
#include "batch/method_launch.hpp"
#include "batch/method_tables.hpp"
#include "batch/solve_kernel.hpp"

namespace phpc::batch {

template <class T, class Method>
void launch_general_teams(exec::Device device, int team_size, const SolveJob<T>& job) {
  with_general_preconditioner<Method>([&]<template <class> class P>(PreconditionerRow<P>) {
    for_each_general_team_size([&](auto team) {
      if (team.size == team_size) {
        exec::launch(device, solve_shape(job), SolveKernel<T, Method, P, decltype(team)::size, true>{job});
      }
    });
  });
}

}  // namespace phpc::batch
