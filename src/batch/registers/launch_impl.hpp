#pragma once
#include <utility>

#include "batch/precond/identity.hpp"
#include "batch/precond/jacobi.hpp"
#include "batch/registers/launch.hpp"
#include "batch/registers/register_kernel.hpp"
#include "batch/registers/register_shapes.hpp"

namespace phpc::batch {

/// Calls run(std::integral_constant<int, k>) for the k with shapes[k] == shape.
template <std::size_t Count, class Run>
void with_shape(const RegisterShape (&shapes)[Count], const RegisterShape& shape, Run run) {
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    (void)((shapes[K] == shape && (run(std::integral_constant<std::size_t, K>{}), true)) || ...);
  }(std::make_index_sequence<Count>{});
}

/// A launch of the kernel of one shape.
template <class T, class Method, RegisterShape Shape>
void launch_registers_of(exec::Device device, std::string_view preconditioner, const RegisterJob<T>& job) {
  constexpr int systems_a_team = 64 / Shape.threads;
  if (preconditioner == "jacobi") {
    const RegisterKernel<T, Method, JacobiPreconditioner, Shape> kernel{job};
    exec::launch_on_gpu(device, register_shape(kernel, systems_a_team), kernel);
  } else {
    const RegisterKernel<T, Method, IdentityPreconditioner, Shape> kernel{job};
    exec::launch_on_gpu(device, register_shape(kernel, systems_a_team), kernel);
  }
}

template <class T, class Method, int Registers>
void launch_registers(exec::Device device, std::string_view preconditioner, const RegisterShape& shape,
                      const RegisterJob<T>& job) {
  with_shape(packed_shapes, shape, [&](auto k) {
    if constexpr (packed_shapes[k].registers == Registers) {
      launch_registers_of<T, Method, packed_shapes[k]>(device, preconditioner, job);
    }
  });
  with_shape(dense_shapes, shape, [&](auto k) {
    if constexpr (dense_shapes[k].registers == Registers) {
      launch_registers_of<T, Method, dense_shapes[k]>(device, preconditioner, job);
    }
  });
}

}  // namespace phpc::batch
