#pragma once
#include <string_view>

#include "batch/system/solve_job.hpp"

/// Launches of one method on host threads, a system in each lane of a pack; instantiated in a source for every method
/// (phpc_instances in CMakeLists.txt).
namespace phpc::batch {

/// Solves the job's systems (lanes.cpp.in). The placement of the job is not used.
template <class T, class Method>
void launch_lanes(std::string_view preconditioner, const SolveJob<T>& job);

/// Makes the factors that the job's extras keep, of its sets of values (keep.cpp). Method is a direct one, or KeptPreconditioner.
template <class T, class Method>
void launch_keep_lanes(const SolveJob<T>& job);

}  // namespace phpc::batch
