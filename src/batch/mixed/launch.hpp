#pragma once
#include <string_view>

#include "batch/registers/register_job.hpp"
#include "batch/system/solve_job.hpp"
#include "phpc/exec/device.hpp"

/// Launches of one method whose cycles compute in float, for systems of double; instantiated in a source for every
/// method (phpc_instances in CMakeLists.txt).
namespace phpc::batch {

/// Solves with a team for each system, on any device (teams.cpp.in).
template <class Method>
void launch_mixed_teams(exec::Device device, const SolveJob<double>& job);

/// Solves on host threads, a system in each lane of a pack (lanes.cpp.in).
template <class Method>
void launch_mixed_lanes(std::string_view preconditioner, const SolveJob<double>& job);

/// Solves tridiagonal systems in registers and scratch of a GPU, in a shape of krylov_chunk_shapes with the cap of
/// chunk_registers() (chunks.cpp.in). The preconditioner is jacobi or none.
template <class Method, int Registers>
void launch_mixed_chunks(exec::Device device, std::string_view preconditioner, const RegisterShape& shape,
                         const RegisterJob<double>& job);

}  // namespace phpc::batch
