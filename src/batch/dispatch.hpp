#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "batch/solve_job.hpp"
#include "phpc/exec/device.hpp"

/// From names to a kernel. dispatch.cpp has the table of methods; method_launch.hpp that of preconditioners and team sizes.
namespace phpc::batch {

/// The team size for systems of `rows` rows where the caller asks for none.
int default_team_size(exec::DeviceKind kind, index_t rows);

/// What a combination needs of scratch; the limits are left at 0. Throws Error(usage) for names or a team size that do not exist.
ScratchRequest scratch_request(const Options& options, int team_size, exec::DeviceKind kind, index_t rows, index_t entries,
                               std::size_t value_bytes);

/// Runs the job, whose placement was planned from scratch_request with the same arguments. Names and team size as there.
template <class T>
void dispatch(exec::Device device, std::string_view solver, std::string_view preconditioner, int team_size,
              const SolveJob<T>& job);

extern template void dispatch(exec::Device, std::string_view, std::string_view, int, const SolveJob<double>&);

}  // namespace phpc::batch
