// The calls that set memory to a value.
#include <optional>

#include "cuda/errors/failure.hpp"
#include "cuda/memory/allocations.hpp"
#include "cuda/memory/copies.hpp"
#include "cuda/memory/fill_kernel.hpp"
#include "cuda/memory/host_bytes.hpp"
#include "cuda/streams/context.hpp"
#include "phpc/cuda/runtime_api.hpp"

namespace phpc::cuda {

namespace {

/// Sets rows by a kernel on a GPU. The memory of other devices is in the host's reach, that of the x86_64 device too.
void fill_rows(exec::Device device, char* begin, std::size_t pitch, std::size_t width, std::size_t rows, int value) {
  if (device.is_gpu()) {
    fill_on_gpu(device, begin, pitch, width, rows, static_cast<unsigned char>(value));
    return;
  }
  for (std::size_t row = 0; row < rows; ++row) {
    fill_on_host(begin + row * pitch, value, width);
  }
}

void fill_box(exec::Device device, const Rows<char>& to, const Box& box, int value) {
  const std::size_t rows = box.height * box.depth;
  if (rows == 1 || (to.pitch == box.width && (box.depth == 1 || to.slice == box.width * box.height))) {
    fill_rows(device, to.begin, 0, box.width * rows, 1, value);
  } else if (to.slice == to.pitch * box.height) {
    fill_rows(device, to.begin, to.pitch, box.width, rows, value);
  } else {
    for (std::size_t z = 0; z < box.depth; ++z) {
      fill_rows(device, to.row(0, z), to.pitch, box.width, box.height, value);
    }
  }
}

}  // namespace

void fill(const Rows<char>& to, const Box& box, int value, cudaStream_t stream, bool wait) {
  Stream& in = stream_of(stream);
  in.context().require_health();
  if (box.width == 0 || box.height == 0 || box.depth == 0) {
    return;
  }
  const std::optional<Allocation> memory = allocations::find(to.begin);
  require(memory.has_value() && memory->holds(to.begin, span_of(to, box)), cudaErrorInvalidValue);
  const bool on_host = memory->kind == MemoryKind::pinned || memory->kind == MemoryKind::registered;
  const exec::Device device = on_host ? exec::Device::host() : context_of(memory->device).device();
  const Work work = [=] { fill_box(device, to, box, value); };
  const bool is_own = !on_host && &context_of(memory->device) == &in.context();
  if (device.is_gpu() && is_own && memory->kind == MemoryKind::device) {  // CUDA waits for no fill of a device's memory
    in.enqueue_launches(work);
  } else if (wait) {
    in.run(work);
    in.context().report_errors();
  } else {
    in.enqueue(work);
  }
}

}  // namespace phpc::cuda

using namespace phpc::cuda;

namespace {

void fill_volume(const cudaPitchedPtr& to, int value, const cudaExtent& extent, cudaStream_t stream, bool wait) {
  require(extent.width <= to.pitch, cudaErrorInvalidPitchValue);
  fill({static_cast<char*>(to.ptr), to.pitch, to.pitch * to.ysize}, {extent.width, extent.height, extent.depth}, value, stream,
       wait);
}

void fill_plane(void* to, std::size_t pitch, int value, const Box& box, cudaStream_t stream, bool wait) {
  require(box.height <= 1 || box.width <= pitch, cudaErrorInvalidPitchValue);
  fill({static_cast<char*>(to), pitch, pitch * box.height}, box, value, stream, wait);
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): CUDA's names.

cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  return guarded([&] { fill_plane(to, bytes, value, {bytes}, nullptr, true); });
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  return guarded([&] { fill_plane(to, bytes, value, {bytes}, stream, false); });
}

cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return guarded([&] { fill_plane(to, pitch, value, {width, height}, nullptr, true); });
}

cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                              cudaStream_t stream) {
  return guarded([&] { fill_plane(to, pitch, value, {width, height}, stream, false); });
}

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
  return guarded([&] { fill_volume(to, value, extent, nullptr, true); });
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream) {
  return guarded([&] { fill_volume(to, value, extent, stream, false); });
}

// NOLINTEND(readability-identifier-naming)
