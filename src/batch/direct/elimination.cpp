#include "batch/direct/direct_shapes.hpp"
#include "batch/direct/launch.hpp"
#include "batch/direct/register_lu_kernel.hpp"
#include "batch/registers/launch_impl.hpp"

namespace phpc::batch {

template <class T>
void launch_elimination(exec::Device device, const RegisterShape& shape, const RegisterJob<T>& job) {
  with_shape(elimination_shapes<T>, shape, [&](auto k) {
    constexpr RegisterShape chosen = elimination_shapes<T>[k];
    if constexpr (chosen.storage == RowStorage::dense) {
      const RegisterLuKernel<T, chosen> kernel{job};
      exec::launch_on_gpu(device, register_shape(kernel, 64 / chosen.threads), kernel);
    }
  });
}

template void launch_elimination(exec::Device, const RegisterShape&, const RegisterJob<float>&);
template void launch_elimination(exec::Device, const RegisterShape&, const RegisterJob<double>&);

}  // namespace phpc::batch
