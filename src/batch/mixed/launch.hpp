#pragma once
#include <string_view>

#include "batch/system/solve_job.hpp"
#include "phpc/exec/device.hpp"

/// Launches of one method whose cycles compute in float, for systems of double; defined in a source for every method.
namespace phpc::batch {

/// Solves with a team for each system, on any device (teams_<method>.cpp).
template <class Method>
void launch_mixed_teams(exec::Device device, const SolveJob<double>& job);

/// Solves on host threads, a system in each lane of a pack (lanes_<method>.cpp).
template <class Method>
void launch_mixed_lanes(std::string_view preconditioner, const SolveJob<double>& job);

}  // namespace phpc::batch
