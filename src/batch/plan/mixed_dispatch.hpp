#pragma once
#include "batch/system/scratch_plan.hpp"
#include "batch/system/solve_job.hpp"
#include "phpc/exec/device.hpp"

/// From the names of a method and a preconditioner to a kernel whose cycles are of float, for systems of double
/// (Options::inner_precision).
namespace phpc::batch {

/// The scratch that a combination needs, in values of float; the limits are left at 0. Throws Error(usage) for names that do not
/// exist or have no such kernels.
ScratchRequest mixed_scratch_request(const Options& options, exec::DeviceKind kind, index_t rows, index_t entries,
                                     const std::int32_t* table);

/// Bytes of global memory that a system needs beside the placement of that request.
std::size_t mixed_workspace_bytes(index_t rows, index_t entries, Memory matrix);

/// Runs the job, whose placement was planned from mixed_scratch_request and whose workspace has what mixed_workspace_bytes says.
void dispatch_mixed(exec::Device device, const Options& options, const SolveJob<double>& job);

}  // namespace phpc::batch
