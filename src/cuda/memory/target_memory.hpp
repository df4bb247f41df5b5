#pragma once
#include <cstddef>

#include "phpc/exec/device.hpp"

/// Memory of devices, also such as is not exec's: what host and device share, what a program has made itself, and device
/// variables.
namespace phpc::cuda {

/// Memory of `device`. Throws Error(memory). (NVIDIA's GPUs: by the driver, as CUDA does; libomptarget must first be asked
/// whether there is so much, for it prints lines of its own where there is not.)
void* allocate_device_bytes(exec::Device device, std::size_t bytes);
/// Frees what allocate_device_bytes gave.
void free_device_bytes(exec::Device device, void* pointer) noexcept;

/// Memory that the host and `device` both reach. Throws Error(memory).
void* allocate_shared_bytes(exec::Device device, std::size_t bytes);
/// Frees what allocate_shared_bytes gave.
void free_shared_bytes(exec::Device device, void* pointer) noexcept;

/// Fixes pages of the program's own memory, from which a GPU then copies faster. Returns the address that the device has it at,
/// which is the same where nothing was done.
void* lock_bytes(exec::Device device, void* pointer, std::size_t bytes);
/// Undoes lock_bytes.
void unlock_bytes(exec::Device device, void* pointer) noexcept;

}  // namespace phpc::cuda
