#pragma once
#include <string_view>

#include "batch/system/solve_job.hpp"
#include "phpc/exec/device.hpp"

/// Launches of one method with a team for each system, matrix and vectors in memory; instantiated in a source for every
/// method (phpc_instances in CMakeLists.txt).
namespace phpc::batch {

/// Solves with a plain preconditioner, neither scaled nor with histories, in teams of a GPU (plain.cpp.in).
template <class T, class Method>
void launch_teams(exec::Device gpu, std::string_view preconditioner, int team_size, const SolveJob<T>& job);

/// Solves with whatever the job asks for and any preconditioner, on any device (general.cpp.in). Teams have
/// general_team_size threads on a GPU, elsewhere one.
template <class T, class Method>
void launch_general_teams(exec::Device device, const SolveJob<T>& job);

/// Makes the factors that the job's extras keep, of its sets of values, on any device (keep.cpp). Method is a direct one, or
/// KeptPreconditioner.
template <class T, class Method>
void launch_keep_teams(exec::Device device, const SolveJob<T>& job);

}  // namespace phpc::batch
