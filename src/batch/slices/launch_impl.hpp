#pragma once
#include "batch/precond/identity.hpp"
#include "batch/precond/jacobi.hpp"
#include "batch/slices/launch.hpp"
#include "batch/slices/mixed_slice_kernel.hpp"
#include "batch/slices/slice_kernel.hpp"
#include "batch/slices/slice_shapes.hpp"

namespace phpc::batch {

/// A launch of KernelOf<Preconditioner, Rows, Slots, Tails> for the preconditioner and the shape, which is one of those with
/// `Registers` registers.
template <template <template <class> class, int, int, bool> class KernelOf, int Registers, bool OfDoubles, class Job>
void launch_slice_kernel(exec::Device device, std::string_view preconditioner, const SliceShape& shape, std::size_t scratch_bytes,
                         const Job& job) {
  const exec::LaunchShape launch{.groups = job.matrix.systems, .scratch_bytes = scratch_bytes, .team_size = shape.threads};
  for_each_slice_row([&](auto row) {
    if constexpr (row.registers == Registers && (OfDoubles || row.use == SliceUse::any)) {
      if (shape.rows_of_a_thread == row.rows && shape.slots == row.slots && shape.tails == row.tails) {
        if (preconditioner == "jacobi") {
          exec::launch_on_gpu(device, launch, KernelOf<JacobiPreconditioner, row.rows, row.slots, row.tails>{job});
        } else {
          exec::launch_on_gpu(device, launch, KernelOf<IdentityPreconditioner, row.rows, row.slots, row.tails>{job});
        }
      }
    }
  });
}

/// The kernels of one method, as templates for launch_slice_kernel().
template <class T, class Method>
struct SliceKernels {
  template <template <class> class Preconditioner, int Rows, int Slots, bool Tails>
  using Plain = SliceKernel<T, Method, Preconditioner, Rows, Slots, Tails>;
  template <template <class> class Preconditioner, int Rows, int Slots, bool Tails>
  using Mixed = MixedSliceKernel<Method, Preconditioner, Rows, Slots, Tails>;
};

template <class T, class Method, int Registers>
void launch_slices(exec::Device device, std::string_view preconditioner, const SliceShape& shape, std::size_t scratch_bytes,
                   const SliceJob<T>& job) {
  launch_slice_kernel<SliceKernels<T, Method>::template Plain, Registers, sizeof(T) == sizeof(double)>(device, preconditioner,
                                                                                                       shape, scratch_bytes, job);
}

template <class Method>
void launch_mixed_slices(exec::Device device, std::string_view preconditioner, const SliceShape& shape, std::size_t scratch_bytes,
                         const SliceJob<double>& job) {
  launch_slice_kernel<SliceKernels<double, Method>::template Mixed, capped_slice_registers, false>(device, preconditioner, shape,
                                                                                                   scratch_bytes, job);
}

}  // namespace phpc::batch
