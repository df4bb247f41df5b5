#pragma once
#include "batch/method_launch.hpp"
#include "batch/method_tables.hpp"
#include "batch/solve_kernel.hpp"

namespace phpc::batch {

template <class T, class Method>
void launch_pattern_teams(exec::Device device, int team_size, const SolveJob<T>& job) {
  for_each_pattern_team_size([&](auto team) {
    if (team.size == team_size) {
      exec::launch(device, solve_shape(job), SolveKernel<T, Method, PatternPreconditioner, decltype(team)::size>{job});
    }
  });
}

}  // namespace phpc::batch
