#pragma once
#include "batch/registers/register_job.hpp"
#include "phpc/exec/device.hpp"

/// Launches of direct methods on a GPU, which eliminate in registers and scratch.
namespace phpc::batch {

/// LU of dense systems in registers (register_lu.cpp), in a dense shape of lu_shapes.
template <class T>
void launch_register_lu(exec::Device device, const RegisterShape& shape, const RegisterJob<T>& job);

/// LU of larger dense systems, by blocks of columns (blocks.cpp.in), in a shape of lu_shapes with
/// that cap on registers.
template <class T, int Registers>
void launch_blocks(exec::Device device, const RegisterShape& shape, const RegisterJob<T>& job);

/// Elimination of tridiagonal systems by chunks of rows (chunks.cpp), in a shape of chunk_shapes.
template <class T>
void launch_chunks(exec::Device device, const RegisterShape& shape, const RegisterJob<T>& job);

}  // namespace phpc::batch
