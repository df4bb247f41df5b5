#pragma once
#include "batch/direct/block_lu_kernel.hpp"
#include "batch/direct/direct_shapes.hpp"
#include "batch/direct/launch.hpp"
#include "batch/registers/launch_impl.hpp"

namespace phpc::batch {

template <class T, int Registers>
void launch_blocks(exec::Device device, const RegisterShape& shape, const RegisterJob<T>& job) {
  with_shape(lu_shapes<T>, shape, [&](auto k) {
    if constexpr (is_blocks(lu_shapes<T>[k]) && lu_shapes<T>[k].registers == Registers) {
      const BlockLuKernel<T, lu_shapes<T>[k]> kernel { job };
      exec::launch_on_gpu(device, kernel.shape(), kernel);
    }
  });
}

}  // namespace phpc::batch
