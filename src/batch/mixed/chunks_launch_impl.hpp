#pragma once
#include "batch/mixed/chunk_cycle.hpp"
#include "batch/mixed/launch.hpp"
#include "batch/precond/identity.hpp"
#include "batch/precond/jacobi.hpp"
#include "batch/registers/chunk_kernel.hpp"
#include "batch/registers/launch_impl.hpp"
#include "batch/registers/register_shapes.hpp"

namespace phpc::batch {

/// A launch with one preconditioner, of `vectors` vectors.
template <class Method, template <class> class Preconditioner, int Vectors, int Registers>
void launch_mixed_chunks_with(exec::Device device, const RegisterShape& shape, const RegisterJob<double>& job) {
  RegisterShape uncapped = shape;
  uncapped.registers = 0;
  with_shape(krylov_chunk_shapes, uncapped, [&](auto k) {
    constexpr RegisterShape own = krylov_chunk_shapes[k];
    constexpr int vectors = first_vector + Method::vectors + Vectors + mixed_chunk_vectors;
    if constexpr (chunk_registers<float>(own.rows_of_a_thread, vectors) == Registers) {
      using Kernel = ChunkKernel<double, ChunkCycle<Method, Preconditioner>, IdentityPreconditioner, own>;
      exec::launch_on_gpu(device, chunk_launch(Kernel{job}, Kernel::team_size / own.threads), Kernel{job});
    }
  });
}

template <class Method, int Registers>
void launch_mixed_chunks(exec::Device device, std::string_view preconditioner, const RegisterShape& shape,
                         const RegisterJob<double>& job) {
  if (preconditioner == "jacobi") {
    launch_mixed_chunks_with<Method, JacobiPreconditioner, jacobi_vectors, Registers>(device, shape, job);
  } else {
    launch_mixed_chunks_with<Method, IdentityPreconditioner, 0, Registers>(device, shape, job);
  }
}

}  // namespace phpc::batch
