#pragma once
#include <cstddef>

#include "cuda/memory/allocations.hpp"
#include "cuda/streams/context.hpp"

namespace phpc::cuda {

/// Allocates `bytes` of device memory, which the table of allocations knows; null for 0. Throws Failure or Error(memory).
void* allocate(Context& context, std::size_t bytes);
/// Frees an allocation that was taken out of the table.
void release(const Allocation& allocation) noexcept;
/// The distance of rows of `width` bytes, at which each is aligned.
std::size_t pitch_of(std::size_t width);

}  // namespace phpc::cuda
