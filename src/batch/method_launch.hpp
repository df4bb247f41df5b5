#pragma once
#include <string_view>

#include "batch/solve_job.hpp"
#include "phpc/exec/device.hpp"

/// The launches of one method, each defined in a source of its own for every method: many kernels, compiled side by side.
namespace phpc::batch {

/// Systems in teams, a launch for all (kernels_<method>.cpp).
template <class T, class Method>
void launch_teams(exec::Device device, std::string_view preconditioner, int team_size, const SolveJob<T>& job);

/// Systems in the lanes of host packs (host_<method>.cpp). The placement of the job is not used.
template <class T, class Method>
void launch_lanes(std::string_view preconditioner, const SolveJob<T>& job);

}  // namespace phpc::batch
