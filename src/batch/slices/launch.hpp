#pragma once
#include <cstddef>
#include <string_view>

#include "batch/slices/slice_job.hpp"
#include "phpc/exec/device.hpp"

namespace phpc::batch {

/// Solves systems of any pattern in teams of a GPU with vectors in registers, in a shape of slice_shapes.hpp that has `Registers`
/// registers a thread (slices.cpp.in). The preconditioner is jacobi or none.
template <class T, class Method, int Registers>
void launch_slices(exec::Device device, std::string_view preconditioner, const SliceShape& shape, std::size_t scratch_bytes,
                   const SliceJob<T>& job);

/// The same with cycles of float (mixed.cpp.in).
template <class Method>
void launch_mixed_slices(exec::Device device, std::string_view preconditioner, const SliceShape& shape, std::size_t scratch_bytes,
                         const SliceJob<double>& job);

}  // namespace phpc::batch
