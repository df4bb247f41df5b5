#include "cuda/memory/copies.hpp"

#include <optional>

#include "cuda/errors/failure.hpp"
#include "cuda/memory/allocations.hpp"
#include "cuda/memory/host_bytes.hpp"
#include "cuda/streams/context.hpp"
#include "phpc/cuda/runtime_api.hpp"
#include "phpc/exec/buffer.hpp"

namespace phpc::cuda {

namespace {

/// The device of exec that an allocation is copied by: the one that has it, or the host.
exec::Device place_of(const std::optional<Allocation>& allocation) {
  if (!allocation) {
    return exec::Device::host();
  }
  const exec::Device device = context_of(allocation->device).device();
  switch (allocation->kind) {
    case MemoryKind::device:
    case MemoryKind::symbol:
      return device;
    case MemoryKind::managed:
      return device.is_gpu() ? device : exec::Device::host();
    case MemoryKind::pinned:
    case MemoryKind::registered:
      break;
  }
  return exec::Device::host();
}

void copy_row(exec::Device to_device, char* to, exec::Device from_device, const char* from, std::size_t bytes) {
  if (to_device.is_host() && from_device.is_host()) {
    copy_on_host(to, from, bytes);
  } else {
    exec::copy_bytes(to_device, to, from_device, from, bytes);
  }
}

/// Copies a box at once, slice by slice or row by row, as rows and slices follow one another without gaps on both sides.
void copy_box(exec::Device to_device, const Rows<char>& to, exec::Device from_device, const Rows<const char>& from,
              const Box& box) {
  const bool rows_touch = box.height == 1 || (to.pitch == box.width && from.pitch == box.width);
  const std::size_t slice = box.width * box.height;
  const bool slices_touch = rows_touch && (box.depth == 1 || (to.slice == slice && from.slice == slice));
  if (slices_touch) {
    copy_row(to_device, to.begin, from_device, from.begin, slice * box.depth);
    return;
  }
  for (std::size_t z = 0; z < box.depth; ++z) {
    if (rows_touch) {
      copy_row(to_device, to.row(0, z), from_device, from.row(0, z), slice);
      continue;
    }
    for (std::size_t y = 0; y < box.height; ++y) {
      copy_row(to_device, to.row(y, z), from_device, from.row(y, z), box.width);
    }
  }
}

/// Waits for the legacy stream of an allocation's device, where that is not the stream's own.
void wait_elsewhere(const std::optional<Allocation>& allocation, const Stream& in) {
  if (allocation && allocation->device != in.context().number()) {
    context_of(allocation->device).legacy().wait();
  }
}

/// Whether it is memory that only the stream's own device is to read and write.
bool is_devices(const std::optional<Allocation>& allocation, const Stream& in) {
  return allocation && allocation->device == in.context().number() &&
         (allocation->kind == MemoryKind::device || allocation->kind == MemoryKind::symbol);
}

/// Runs copies one side of which is not pinned. As CUDA documents it, cudaMemcpy to a device returns when the stream's earlier
/// work is done, and with up to 64 KiB the bytes may then still be on their way; cudaMemcpyAsync waits for neither.
void run_pageable(Stream& in, const Work& work, bool to_device, bool from_device, std::size_t bytes, bool wait) {
  constexpr std::size_t small = std::size_t{64} << 10;
  if (from_device && !to_device) {
    in.run_copies(work, Stream::Copies::to_host);
  } else if (to_device && !from_device) {
    in.run_copies(work, !wait ? Stream::Copies::read : bytes > small ? Stream::Copies::arrived : Stream::Copies::read_behind);
  } else {
    in.run(work);
  }
}

bool is_within(const std::optional<Allocation>& allocation, const void* begin, std::size_t bytes) {
  return !allocation || allocation->holds(begin, bytes);
}

}  // namespace

void copy(const Rows<char>& to, const Rows<const char>& from, const Box& box, cudaMemcpyKind kind, cudaStream_t stream,
          bool wait) {
  require(kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault, cudaErrorInvalidMemcpyDirection);
  Stream& in = stream_of(stream);
  in.context().require_health();
  if (box.width == 0 || box.height == 0 || box.depth == 0) {
    return;
  }
  require(to.begin != nullptr && from.begin != nullptr, cudaErrorInvalidValue);
  const std::optional<Allocation> to_memory = allocations::find(to.begin);
  const std::optional<Allocation> from_memory = allocations::find(from.begin);
  // With one address space for all, a pointer to a device's memory is right in place of one to the host's; not the other way.
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  require((to_memory || !to_device) && (from_memory || !from_device), cudaErrorInvalidValue);
  require(is_within(to_memory, to.begin, span_of(to, box)) && is_within(from_memory, from.begin, span_of(from, box)),
          cudaErrorInvalidValue);
  const Work work = [=, to_place = place_of(to_memory), from_place = place_of(from_memory)] {
    copy_box(to_place, to, from_place, from, box);
  };
  if (wait) {
    wait_elsewhere(to_memory, in);
    wait_elsewhere(from_memory, in);
  }
  // The host does not wait for a copy within a GPU's memory, as CUDA documents it: the copy goes among the launches, and fails as
  // they do.
  if (in.context().device().kind() == exec::DeviceKind::nvidia && is_devices(to_memory, in) && is_devices(from_memory, in)) {
    in.enqueue_launches(Work([work] { run_launch(work); }));
    if (wait) {
      in.context().report_errors();
    }
    return;
  }
  const bool is_pageable = !to_memory || !from_memory;
  if (wait || (is_pageable && in.capture() == nullptr)) {
    if (is_pageable) {
      run_pageable(in, work, is_devices(to_memory, in), is_devices(from_memory, in), box.width * box.height * box.depth, wait);
    } else {
      in.run(work);
    }
    if (wait) {
      in.context().report_errors();
    }
  } else {
    in.enqueue(work);
  }
}

}  // namespace phpc::cuda

using namespace phpc::cuda;

namespace {

/// One row of so many bytes.
template <class Byte, class Pointer>
Rows<Byte> line(Pointer* begin, std::size_t bytes) {
  return {static_cast<Byte*>(begin), bytes, bytes};
}

void copy_line(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
  copy(line<char>(to, bytes), line<const char>(from, bytes), {bytes}, kind, stream, wait);
}

void copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, const Box& box, cudaMemcpyKind kind,
               cudaStream_t stream, bool wait) {
  require(box.width <= to_pitch && box.width <= from_pitch, cudaErrorInvalidPitchValue);
  copy({static_cast<char*>(to), to_pitch, to_pitch * box.height},
       {static_cast<const char*>(from), from_pitch, from_pitch * box.height}, box, kind, stream, wait);
}

/// The corner of a box in pitched memory.
Rows<char> rows_at(const cudaPitchedPtr& memory, const cudaPos& at, const Box& box) {
  require(memory.pitch == 0 || box.width + at.x <= memory.pitch, cudaErrorInvalidPitchValue);
  const Rows<char> all{static_cast<char*>(memory.ptr), memory.pitch, memory.pitch * memory.ysize};
  return {memory.ptr == nullptr ? nullptr : all.row(at.y, at.z) + at.x, all.pitch, all.slice};
}

template <class Parameters>
void copy_volume(const Parameters* what, cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
  require(what != nullptr, cudaErrorInvalidValue);
  require(what->srcArray == nullptr && what->dstArray == nullptr, cudaErrorNotSupported);
  const Box box{what->extent.width, what->extent.height, what->extent.depth};
  const Rows<char> from = rows_at(what->srcPtr, what->srcPos, box);
  copy(rows_at(what->dstPtr, what->dstPos, box), {from.begin, from.pitch, from.slice}, box, kind, stream, wait);
}

void require_devices(int one, int other) {
  context_of(one);
  context_of(other);
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): CUDA's names.

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return guarded([&] { copy_line(to, from, bytes, kind, nullptr, true); });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return guarded([&] { copy_line(to, from, bytes, kind, stream, false); });
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t bytes) {
  return guarded([&] {
    require_devices(to_device, from_device);
    copy_line(to, from, bytes, cudaMemcpyDefault, nullptr, true);
  });
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                cudaStream_t stream) {
  return guarded([&] {
    require_devices(to_device, from_device);
    copy_line(to, from, bytes, cudaMemcpyDefault, stream, false);
  });
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind) {
  return guarded([&] { copy_rows(to, to_pitch, from, from_pitch, {width, height}, kind, nullptr, true); });
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                              std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return guarded([&] { copy_rows(to, to_pitch, from, from_pitch, {width, height}, kind, stream, false); });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* what) {
  return guarded([&] { copy_volume(what, what == nullptr ? cudaMemcpyDefault : what->kind, nullptr, true); });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* what, cudaStream_t stream) {
  return guarded([&] { copy_volume(what, what == nullptr ? cudaMemcpyDefault : what->kind, stream, false); });
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* what) {
  return guarded([&] { copy_volume(what, cudaMemcpyDefault, nullptr, true); });
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* what, cudaStream_t stream) {
  return guarded([&] { copy_volume(what, cudaMemcpyDefault, stream, false); });
}

// NOLINTEND(readability-identifier-naming)
