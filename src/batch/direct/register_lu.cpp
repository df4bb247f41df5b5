#include "batch/direct/direct_shapes.hpp"
#include "batch/direct/launch.hpp"
#include "batch/direct/register_lu_kernel.hpp"
#include "batch/registers/launch_impl.hpp"

namespace phpc::batch {

template <class T>
void launch_register_lu(exec::Device device, const RegisterShape& shape, const RegisterJob<T>& job) {
  with_shape(lu_shapes<T>, shape, [&](auto k) {
    constexpr RegisterShape chosen = lu_shapes<T>[k];
    if constexpr (chosen.storage == RowStorage::dense) {
      const RegisterLuKernel<T, chosen> kernel{job};
      exec::launch_on_gpu(device, register_shape(kernel, 64 / chosen.threads), kernel);
    }
  });
}

template void launch_register_lu(exec::Device, const RegisterShape&, const RegisterJob<float>&);
template void launch_register_lu(exec::Device, const RegisterShape&, const RegisterJob<double>&);

}  // namespace phpc::batch
