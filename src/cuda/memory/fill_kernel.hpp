#pragma once
#include <cstddef>

#include "phpc/exec/device.hpp"

namespace phpc::cuda {

/// Sets `rows` rows of `width` bytes, `pitch` bytes apart, in the memory of a GPU. Throws Error(device).
void fill_on_gpu(exec::Device device, void* begin, std::size_t pitch, std::size_t width, std::size_t rows, unsigned char value);

}  // namespace phpc::cuda
