#pragma once
#include "batch/precond/identity.hpp"
#include "batch/precond/jacobi.hpp"
#include "batch/registers/chunk_kernel.hpp"
#include "batch/registers/launch.hpp"
#include "batch/registers/launch_impl.hpp"
#include "batch/solver/cycle.hpp"

namespace phpc::batch {

/// A launch with one preconditioner, of `vectors` vectors.
template <class T, class Method, template <class> class Preconditioner, int Vectors, int Registers>
void launch_krylov_chunks_with(exec::Device device, const RegisterShape& shape, const RegisterJob<T>& job) {
  RegisterShape uncapped = shape;
  uncapped.registers = 0;
  with_shape(krylov_chunk_shapes, uncapped, [&](auto k) {
    constexpr RegisterShape own = krylov_chunk_shapes[k];
    if constexpr (chunk_registers<T>(own.rows_of_a_thread, first_vector + Method::vectors + Vectors) == Registers) {
      using Kernel = ChunkKernel<T, Method, Preconditioner, own>;
      exec::launch_on_gpu(device, chunk_launch(Kernel{job}, Kernel::team_size / own.threads), Kernel{job});
    }
  });
}

template <class T, class Method, int Registers>
void launch_krylov_chunks(exec::Device device, std::string_view preconditioner, const RegisterShape& shape,
                          const RegisterJob<T>& job) {
  if (preconditioner == "jacobi") {
    launch_krylov_chunks_with<T, Method, JacobiPreconditioner, jacobi_vectors, Registers>(device, shape, job);
  } else {
    launch_krylov_chunks_with<T, Method, IdentityPreconditioner, 0, Registers>(device, shape, job);
  }
}

}  // namespace phpc::batch
