#pragma once
#include "batch/system/scratch_plan.hpp"
#include "batch/system/solve_job.hpp"
#include "phpc/exec/device.hpp"

/// From names to the kernels whose cycles are float, for systems of double (Options::inner_precision).
namespace phpc::batch {

/// What a combination needs of scratch, in values of float; the limits are left at 0. Throws Error(usage) for names
/// that do not exist or have no such kernels.
ScratchRequest mixed_scratch_request(const Options& options, exec::DeviceKind kind, index_t rows, index_t entries,
                                     const std::int32_t* table);

/// Global memory that a system takes beside the placement of that request, in bytes.
std::size_t mixed_workspace_bytes(index_t rows, index_t entries, Memory matrix);

/// Runs the job, whose placement was planned from mixed_scratch_request and whose workspace has what mixed_workspace_bytes says.
void dispatch_mixed(exec::Device device, const Options& options, const SolveJob<double>& job);

}  // namespace phpc::batch
