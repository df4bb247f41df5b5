#include <omp.h>
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>

#include "exec/nvidia/launches.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/exec/buffer.hpp"

#if PHPC_WITH_OFFLOAD
// libomptarget's own; not in omp.h.
extern "C" void* llvm_omp_target_alloc_host(std::size_t bytes, int device);
extern "C" void llvm_omp_target_free_host(void* pointer, int device);
#endif

namespace phpc::exec {

namespace {

constexpr std::size_t host_alignment = 128;
constexpr std::size_t huge_page = std::size_t{2} << 20;

[[noreturn]] void out_of_memory(Device device, std::size_t bytes) {
  const DeviceProperties& properties = device.properties();
  const std::uint64_t free_bytes = device.free_memory_bytes();
  std::string why = "asked for " + format_bytes(bytes);
  if (free_bytes != 0) {
    why += ", " + format_bytes(free_bytes) + " free";
  }
  if (properties.memory_bytes != 0) {
    why += " of " + format_bytes(properties.memory_bytes);
  }
  fail(ErrorKind::memory, "cannot allocate memory on " +
                              (device.is_host() ? "the host" : "device " + device.label() + " " + properties.name) + " (" + why +
                              "); give smaller input or more devices");
}

void* allocate_on_host(std::size_t bytes) {
  // Rounded up so that std::aligned_alloc accepts it; large arrays in transparent huge pages (3-35 % on FFTs of 64 MiB).
  const std::size_t alignment = bytes >= 2 * huge_page ? huge_page : host_alignment;
  if (bytes > SIZE_MAX - alignment) {
    return nullptr;
  }
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* const pointer = std::aligned_alloc(alignment, rounded);
  if (pointer != nullptr && alignment == huge_page) {
    madvise(pointer, rounded, MADV_HUGEPAGE);
  }
  return pointer;
}

}  // namespace

void* allocate_bytes(Device device, std::size_t bytes) {
  if (bytes == 0) {
    return nullptr;
  }
  void* pointer = nullptr;
  if (device.is_host()) {
    pointer = allocate_on_host(bytes);
  } else {
#if PHPC_WITH_OFFLOAD
    device.open();
    // Ask before: libomptarget prints lines of its own when the driver refuses.
    const std::uint64_t free_bytes = device.free_memory_bytes();
    if (free_bytes != 0 && bytes > free_bytes) {
      out_of_memory(device, bytes);
    }
    pointer = omp_target_alloc(bytes, device.omp_device());
#endif
  }
  if (pointer == nullptr) {
    out_of_memory(device, bytes);
  }
  return pointer;
}

void free_bytes(Device device, void* pointer) noexcept {
  if (pointer == nullptr) {
    return;
  }
  if (device.is_host()) {
    std::free(pointer);
  } else {
#if PHPC_WITH_OFFLOAD
    nvidia::wait_for_launches();
    omp_target_free(pointer, device.omp_device());
#endif
  }
}

void copy_bytes(Device to_device, void* to, Device from_device, const void* from, std::size_t bytes) {
  if (bytes == 0) {
    return;
  }
  if (to_device.is_host() && from_device.is_host()) {
    std::memcpy(to, from, bytes);
    return;
  }
#if PHPC_WITH_OFFLOAD
  if (to_device == from_device && nvidia::copy_within(to_device.omp_device(), to, from, bytes)) {
    return;
  }
  nvidia::finish_launches();
  if (to_device.is_host() != from_device.is_host() &&
      nvidia::copy_pageable((to_device.is_host() ? from_device : to_device).omp_device(), to, from, bytes, to_device.is_host())) {
    return;
  }
  if (const nvidia::Lane lane = nvidia::lane_of_scope(); lane.gpu != nullptr) {
    nvidia::wait_for(lane);
  }
  const int status = omp_target_memcpy(to, from, bytes, 0, 0, to_device.omp_device(), from_device.omp_device());
  PHPC_VALIDATE(status == 0, ErrorKind::device,
                "cannot copy " + format_bytes(bytes) + " from device " + from_device.label() + " to device " + to_device.label() +
                    " (the OpenMP run-time library gave status " + std::to_string(status) + ")");
#else
  fail(ErrorKind::device, "cannot copy to or from a device (this build is for the host only)");
#endif
}

void* address_on(Device device, const void* variable) {
  if (device.is_host()) {
    return const_cast<void*>(variable);
  }
#if PHPC_WITH_OFFLOAD
  device.open();
  if (void* const address = nvidia::variable_on(device.omp_device(), variable)) {
    return address;
  }
  return omp_get_mapped_ptr(variable, device.omp_device());
#else
  return nullptr;
#endif
}

void* allocate_pinned_bytes(Device device, std::size_t bytes) {
#if PHPC_WITH_OFFLOAD
  if (device.is_gpu() && bytes != 0) {
    device.open();
    void* const pointer = llvm_omp_target_alloc_host(bytes, device.omp_device());
    if (pointer == nullptr) {
      out_of_memory(Device::host(), bytes);
    }
    return pointer;
  }
#endif
  static_cast<void>(device);
  return allocate_bytes(Device::host(), bytes);
}

void free_pinned_bytes(Device device, void* pointer) noexcept {
#if PHPC_WITH_OFFLOAD
  if (device.is_gpu()) {
    if (pointer != nullptr) {
      llvm_omp_target_free_host(pointer, device.omp_device());
    }
    return;
  }
#endif
  static_cast<void>(device);
  free_bytes(Device::host(), pointer);
}

}  // namespace phpc::exec
