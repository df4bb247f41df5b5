#pragma once
#include <string_view>

#include "batch/registers/register_job.hpp"
#include "phpc/exec/device.hpp"

namespace phpc::batch {

/// Solves systems in the registers of a GPU, in a shape of register_shapes.hpp whose cap is Registers
/// (rows.cpp.in). The preconditioner is jacobi or none.
template <class T, class Method, int Registers>
void launch_registers(exec::Device device, std::string_view preconditioner, const RegisterShape& shape,
                      const RegisterJob<T>& job);

/// The same for tridiagonal systems, in a shape of krylov_chunk_shapes with the cap of chunk_registers() (chunks.cpp.in).
template <class T, class Method, int Registers>
void launch_krylov_chunks(exec::Device device, std::string_view preconditioner, const RegisterShape& shape,
                          const RegisterJob<T>& job);

}  // namespace phpc::batch
