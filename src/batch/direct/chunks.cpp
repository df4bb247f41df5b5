#include "batch/direct/chunk_elimination.hpp"
#include "batch/direct/direct_shapes.hpp"
#include "batch/direct/launch.hpp"
#include "batch/precond/identity.hpp"
#include "batch/registers/chunk_kernel.hpp"
#include "batch/registers/launch_impl.hpp"

namespace phpc::batch {

template <class T>
void launch_chunks(exec::Device device, const RegisterShape& shape, const RegisterJob<T>& job) {
  with_shape(chunk_shapes, shape, [&](auto k) {
    using Kernel = ChunkKernel<T, ChunkElimination, IdentityPreconditioner, chunk_shapes[k]>;
    exec::launch_on_gpu(device, chunk_launch(Kernel{job}, Kernel::team_size / chunk_shapes[k].threads), Kernel{job});
  });
}

template void launch_chunks(exec::Device, const RegisterShape&, const RegisterJob<float>&);
template void launch_chunks(exec::Device, const RegisterShape&, const RegisterJob<double>&);

}  // namespace phpc::batch
