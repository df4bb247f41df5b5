// The calls that allocate device memory, and those that tell what a pointer points to.
#include "cuda/memory/memory.hpp"

#include <cstdint>

#include "cuda/errors/failure.hpp"
#include "cuda/memory/target_memory.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/cuda/runtime_api.hpp"
#include "phpc/exec/buffer.hpp"

namespace phpc::cuda {

namespace {

std::size_t product(std::size_t a, std::size_t b) {
  std::size_t result = 0;
  require(!__builtin_mul_overflow(a, b, &result), cudaErrorMemoryAllocation);
  return result;
}

std::size_t in_units(std::size_t bytes) {
  require(bytes <= SIZE_MAX - 2 * allocation_unit, cudaErrorMemoryAllocation);
  return (bytes + allocation_unit - 1) / allocation_unit * allocation_unit;
}

/// Refuses what the host has not: it promises more memory than it has, and ends the process that takes it.
void require_host_memory(exec::Device device, std::size_t bytes) {
  constexpr std::size_t large = std::size_t{256} << 20;
  if (device.is_host() && bytes >= large) {
    const std::uint64_t free_bytes = device.free_memory_bytes();
    if (free_bytes != 0 && bytes > free_bytes) {
      refuse(cudaErrorMemoryAllocation,
             "cannot allocate memory on the host (asked for " + format_bytes(bytes) + ", " + format_bytes(free_bytes) + " free)");
    }
  }
}

}  // namespace

std::size_t pitch_of(std::size_t width) {
  return in_units(width);
}

void* allocate(Context& context, std::size_t bytes) {
  if (bytes == 0) {
    return nullptr;
  }
  const std::size_t whole = in_units(bytes);
  require_host_memory(context.device(), whole);
  // GPUs' memory is aligned; the host's is to 128 bytes, and that of the x86_64 device to 16.
  const std::size_t spare = context.device().is_gpu() ? 0 : allocation_alignment;
  void* const block = allocate_device_bytes(context.device(), whole + spare);
  const auto begin = reinterpret_cast<std::uintptr_t>(block);
  const std::uintptr_t base = spare == 0 ? begin : (begin + spare - 1) / spare * spare;
  allocations::add({.base = base, .bytes = whole, .device = context.number(), .block = block});
  return reinterpret_cast<void*>(base);
}

void release(const Allocation& allocation) noexcept {
  const exec::Device device = contexts()[static_cast<std::size_t>(allocation.device)]->device();
  switch (allocation.kind) {
    case MemoryKind::device:
      free_device_bytes(device, allocation.block);
      break;
    case MemoryKind::managed:
      free_shared_bytes(device, allocation.pointer());
      break;
    case MemoryKind::pinned:
      exec::free_pinned_bytes(device, allocation.pointer());
      break;
    case MemoryKind::registered:
      unlock_bytes(device, allocation.pointer());
      break;
    case MemoryKind::symbol:
      break;
  }
}

}  // namespace phpc::cuda

using namespace phpc::cuda;

// NOLINTBEGIN(readability-identifier-naming): CUDA's names.

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  return guarded([&] {
    require(pointer != nullptr, cudaErrorInvalidValue);
    *pointer = allocate(healthy_context(), bytes);
  });
}

cudaError_t cudaFree(void* pointer) {
  return guarded([&] {
    if (pointer == nullptr) {
      healthy_context();  // a common way to have the device opened
      return;
    }
    const std::optional<Allocation> known = allocations::find(pointer);
    require(known.has_value(), cudaErrorInvalidValue);
    Context& context = context_of(known->device);
    context.wait();
    const std::optional<Allocation> allocation = allocations::take(pointer, MemoryKind::device, MemoryKind::managed);
    require(allocation.has_value(), cudaErrorInvalidValue);
    release(*allocation);
    context.require_health();
  });
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned int flags) {
  return guarded([&] {
    require(pointer != nullptr && bytes != 0 && (flags == cudaMemAttachGlobal || flags == cudaMemAttachHost),
            cudaErrorInvalidValue);
    Context& context = healthy_context();
    const std::size_t whole = in_units(bytes);
    require_host_memory(context.device(), whole);
    *pointer = allocate_shared_bytes(context.device(), whole);
    allocations::add({.base = reinterpret_cast<std::uintptr_t>(*pointer),
                      .bytes = whole,
                      .kind = MemoryKind::managed,
                      .device = context.number(),
                      .flags = flags});
  });
}

cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
  return guarded([&] {
    require(pointer != nullptr && pitch != nullptr, cudaErrorInvalidValue);
    const std::size_t distance = pitch_of(width);
    *pointer = allocate(healthy_context(), product(distance, height));
    *pitch = distance;
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  return guarded([&] {
    require(pointer != nullptr, cudaErrorInvalidValue);
    const std::size_t distance = pitch_of(extent.width);
    void* const begin = allocate(healthy_context(), product(product(distance, extent.height), extent.depth));
    *pointer = make_cudaPitchedPtr(begin, distance, extent.width, extent.height);
  });
}

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
  return guarded([&] {
    require(pointer != nullptr, cudaErrorInvalidValue);
    Context& context = stream_of(stream).context();
    context.require_health();
    *pointer = allocate(context, bytes);
  });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return guarded([&] {
    Stream& one = stream_of(stream);
    if (pointer == nullptr) {
      return;
    }
    if (one.capture() != nullptr) {
      require(allocations::find(pointer).has_value(), cudaErrorInvalidValue);
      return;  // each launch of the graph needs it
    }
    const std::optional<Allocation> allocation = allocations::take(pointer, MemoryKind::device, MemoryKind::managed);
    require(allocation.has_value(), cudaErrorInvalidValue);
    one.mark([gone = *allocation] { release(gone); });
  });
}

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  return guarded([&] {
    Context& context = healthy_context();
    const std::size_t total = context.properties().totalGlobalMem;
    if (total_bytes != nullptr) {
      *total_bytes = total;
    }
    if (free_bytes != nullptr) {
      const std::uint64_t left = context.device().free_memory_bytes();
      *free_bytes = left != 0 ? left : total;
    }
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return guarded([&] {
    require(attributes != nullptr, cudaErrorInvalidValue);
    contexts();
    void* const address = const_cast<void*>(pointer);
    const std::optional<Allocation> allocation = allocations::find(pointer);
    if (!allocation) {
      *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, address};
      return;
    }
    switch (allocation->kind) {
      case MemoryKind::device:
      case MemoryKind::symbol:
        *attributes = {cudaMemoryTypeDevice, allocation->device, address, nullptr};
        break;
      case MemoryKind::managed:
        *attributes = {cudaMemoryTypeManaged, allocation->device, address, address};
        break;
      case MemoryKind::pinned:
      case MemoryKind::registered:
        *attributes = {cudaMemoryTypeHost, allocation->device, address, address};
        break;
    }
  });
}

// NOLINTEND(readability-identifier-naming)
