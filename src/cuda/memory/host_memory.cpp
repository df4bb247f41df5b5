// The calls about the host's memory that devices reach, and advice about memory.
#include <cstdint>

#include "cuda/errors/failure.hpp"
#include "cuda/memory/memory.hpp"
#include "cuda/memory/target_memory.hpp"
#include "phpc/cuda/runtime_api.hpp"
#include "phpc/exec/buffer.hpp"

namespace phpc::cuda {
namespace {

Allocation host_allocation(const void* pointer) {
  const std::optional<Allocation> allocation = allocations::find(pointer);
  require(allocation.has_value() && allocation->kind != MemoryKind::device && allocation->kind != MemoryKind::symbol,
          cudaErrorInvalidValue);
  return *allocation;
}

void require_managed(const void* pointer, std::size_t bytes) {
  const std::optional<Allocation> allocation = allocations::find(pointer);
  require(allocation.has_value() && allocation->kind == MemoryKind::managed && allocation->holds(pointer, bytes),
          cudaErrorInvalidValue);
}

void require_device_or_host(int device) {
  if (device != cudaCpuDeviceId) {
    context_of(device);
  }
}

/// The number of the device that a location names, cudaCpuDeviceId for the host.
int number_of(cudaMemLocation location) {
  require(location.type >= cudaMemLocationTypeDevice && location.type <= cudaMemLocationTypeHostNumaCurrent,
          cudaErrorInvalidValue);
  return location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
}

}  // namespace
}  // namespace phpc::cuda

using namespace phpc::cuda;

// NOLINTBEGIN(readability-identifier-naming): CUDA's names.

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes, unsigned int flags) {
  return cudaHostAlloc(pointer, bytes, flags);
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned int flags) {
  return guarded([&] {
    constexpr unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    require(pointer != nullptr && (flags & ~known) == 0, cudaErrorInvalidValue);
    Context& context = healthy_context();
    *pointer = nullptr;
    if (bytes == 0) {
      return;
    }
    const std::size_t whole = pitch_of(bytes);
    *pointer = phpc::exec::allocate_pinned_bytes(context.device(), whole);
    allocations::add({.base = reinterpret_cast<std::uintptr_t>(*pointer),
                      .bytes = whole,
                      .kind = MemoryKind::pinned,
                      .device = context.number(),
                      .flags = flags});
  });
}

cudaError_t cudaFreeHost(void* pointer) {
  return guarded([&] {
    if (pointer == nullptr) {
      return;
    }
    const std::optional<Allocation> allocation = allocations::take(pointer, MemoryKind::pinned, MemoryKind::pinned);
    require(allocation.has_value(), cudaErrorInvalidValue);
    for (const std::unique_ptr<Context>& context : contexts()) {  // any of them may copy from it
      context->wait();
    }
    release(*allocation);
  });
}

cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned int flags) {
  return guarded([&] {
    constexpr unsigned known =
        cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
    require(pointer != nullptr && bytes != 0 && (flags & ~known) == 0, cudaErrorInvalidValue);
    Context& context = healthy_context();
    require(!allocations::find(pointer) && !allocations::find(static_cast<const char*>(pointer) + bytes - 1),
            cudaErrorHostMemoryAlreadyRegistered);
    lock_bytes(context.device(), pointer, bytes);
    allocations::add({.base = reinterpret_cast<std::uintptr_t>(pointer),
                      .bytes = bytes,
                      .kind = MemoryKind::registered,
                      .device = context.number(),
                      .flags = flags});
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return guarded([&] {
    require(pointer != nullptr, cudaErrorInvalidValue);
    const std::optional<Allocation> allocation = allocations::take(pointer, MemoryKind::registered, MemoryKind::registered);
    require(allocation.has_value(), cudaErrorHostMemoryNotRegistered);
    for (const std::unique_ptr<Context>& context : contexts()) {
      context->wait();
    }
    release(*allocation);
  });
}

cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned int flags) {
  return guarded([&] {
    require(device_pointer != nullptr && flags == 0, cudaErrorInvalidValue);
    *device_pointer = nullptr;
    host_allocation(host_pointer);
    *device_pointer = host_pointer;  // addresses are the same on the host and on devices
  });
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* host_pointer) {
  return guarded([&] {
    require(flags != nullptr, cudaErrorInvalidValue);
    *flags = host_allocation(host_pointer).flags;
  });
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, int device, cudaStream_t stream) {
  return guarded([&] {
    require_managed(pointer, bytes);
    require_device_or_host(device);
    stream_of(stream);
  });
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, cudaMemLocation location, unsigned int /*flags*/,
                                 cudaStream_t stream) {
  return guarded([&] {
    require_managed(pointer, bytes);
    require_device_or_host(number_of(location));
    stream_of(stream);
  });
}

cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, int device) {
  return guarded([&] {
    require(advice >= cudaMemAdviseSetReadMostly && advice <= cudaMemAdviseUnsetAccessedBy, cudaErrorInvalidValue);
    require_managed(pointer, bytes);
    if (advice > cudaMemAdviseUnsetReadMostly && advice != cudaMemAdviseUnsetPreferredLocation) {
      require_device_or_host(device);
    }
  });
}

cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, cudaMemLocation location) {
  return guarded([&] {
    require(advice >= cudaMemAdviseSetReadMostly && advice <= cudaMemAdviseUnsetAccessedBy, cudaErrorInvalidValue);
    require_managed(pointer, bytes);
    if (advice > cudaMemAdviseUnsetReadMostly && advice != cudaMemAdviseUnsetPreferredLocation) {
      require_device_or_host(number_of(location));
    }
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, std::size_t /*bytes*/, unsigned int /*flags*/) {
  return guarded([&] {
    require_managed(pointer, 0);
    stream_of(stream);
  });
}

// NOLINTEND(readability-identifier-naming)
