#pragma once
#include <cstddef>

#include "cuda/memory/allocations.hpp"
#include "cuda/streams/context.hpp"

namespace phpc::cuda {

/// `bytes` of device memory that the table knows; null for 0. Throws Failure or Error(memory).
void* allocate(Context& context, std::size_t bytes);
/// Gives back what the table no longer knows.
void release(const Allocation& allocation) noexcept;
/// The distance of rows of `width` bytes, at which each is aligned.
std::size_t pitch_of(std::size_t width);

}  // namespace phpc::cuda
