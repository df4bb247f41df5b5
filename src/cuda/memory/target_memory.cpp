#include "cuda/memory/target_memory.hpp"

#include <omp.h>

#include <optional>

#include "cuda/nvidia/driver.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/exec/buffer.hpp"

#if PHPC_WITH_OFFLOAD
// libomptarget's own; not in omp.h.
extern "C" void* llvm_omp_target_alloc_shared(std::size_t bytes, int device);
extern "C" void llvm_omp_target_free_shared(void* pointer, int device);
extern "C" void* llvm_omp_target_lock_mem(void* pointer, std::size_t bytes, int device);
extern "C" void llvm_omp_target_unlock_mem(void* pointer, int device);
#endif

namespace phpc::cuda {

void* allocate_device_bytes(exec::Device device, std::size_t bytes) {
#if PHPC_WITH_OFFLOAD
  if (device.kind() == exec::DeviceKind::nvidia) {
    device.open();
    if (const std::optional<int> ordinal = nvidia::ordinal_of(device)) {
      void* const pointer = nvidia::allocate(*ordinal, bytes);
      PHPC_VALIDATE(pointer != nullptr, ErrorKind::memory,
                    "cannot allocate " + format_bytes(bytes) + " on device " + device.label() + " (" +
                        format_bytes(device.free_memory_bytes()) + " free)");
      return pointer;
    }
  }
#endif
  return exec::allocate_bytes(device, bytes);
}

void free_device_bytes(exec::Device device, void* pointer) noexcept {
#if PHPC_WITH_OFFLOAD
  if (device.kind() == exec::DeviceKind::nvidia) {
    if (const std::optional<int> ordinal = nvidia::ordinal_of(device)) {
      nvidia::free(*ordinal, pointer);
      return;
    }
  }
#endif
  exec::free_bytes(device, pointer);
}

void* allocate_shared_bytes(exec::Device device, std::size_t bytes) {
#if PHPC_WITH_OFFLOAD
  if (device.is_gpu() && bytes != 0) {
    device.open();
    void* const pointer = llvm_omp_target_alloc_shared(bytes, device.omp_device());
    PHPC_VALIDATE(pointer != nullptr, ErrorKind::memory,
                  "cannot allocate " + format_bytes(bytes) + " of memory shared by the host and device " + device.label());
    return pointer;
  }
#endif
  static_cast<void>(device);  // the x86_64 device reaches all memory of the process
  return exec::allocate_bytes(exec::Device::host(), bytes);
}

void free_shared_bytes(exec::Device device, void* pointer) noexcept {
#if PHPC_WITH_OFFLOAD
  if (device.is_gpu()) {
    if (pointer != nullptr) {
      llvm_omp_target_free_shared(pointer, device.omp_device());
    }
    return;
  }
#endif
  static_cast<void>(device);
  exec::free_bytes(exec::Device::host(), pointer);
}

void* lock_bytes([[maybe_unused]] exec::Device device, void* pointer, [[maybe_unused]] std::size_t bytes) {
#if PHPC_WITH_OFFLOAD
  if (device.is_gpu()) {
    device.open();
    if (device.kind() == exec::DeviceKind::nvidia) {
      const std::optional<int> ordinal = nvidia::ordinal_of(device);
      PHPC_VALIDATE(ordinal && nvidia::lock(*ordinal, pointer, bytes), ErrorKind::memory,
                    "cannot lock " + format_bytes(bytes) + " of the host's memory");
      return pointer;
    }
    void* const locked = llvm_omp_target_lock_mem(pointer, bytes, device.omp_device());
    PHPC_VALIDATE(locked != nullptr, ErrorKind::memory, "cannot lock " + format_bytes(bytes) + " of the host's memory");
    return locked;
  }
#endif
  return pointer;
}

void unlock_bytes([[maybe_unused]] exec::Device device, [[maybe_unused]] void* pointer) noexcept {
#if PHPC_WITH_OFFLOAD
  if (device.kind() == exec::DeviceKind::nvidia) {
    if (const std::optional<int> ordinal = nvidia::ordinal_of(device)) {
      nvidia::unlock(*ordinal, pointer);
    }
  } else if (device.is_gpu()) {
    llvm_omp_target_unlock_mem(pointer, device.omp_device());
  }
#endif
}

}  // namespace phpc::cuda
