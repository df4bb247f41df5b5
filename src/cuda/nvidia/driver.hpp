#pragma once
#include <cstddef>
#include <optional>

#include "phpc/cuda/detail/device_types.hpp"
#include "phpc/exec/device.hpp"

/// What NVIDIA's driver tells of a GPU beyond exec::DeviceProperties. Without the driver there is no answer.
namespace phpc::cuda::nvidia {

/// The driver's number of an NVIDIA device of exec; nothing where there is none of that name.
std::optional<int> ordinal_of(exec::Device device);
/// An attribute of a device.
std::optional<int> attribute(int ordinal, cudaDeviceAttr attribute);
/// A device's unique number.
std::optional<cudaUUID_t> uuid(int ordinal);
/// The newest CUDA that the driver can run, 12040 for 12.4.
std::optional<int> version();

/// Allocates memory of a device, aligned to 256 bytes; null where the driver refuses.
void* allocate(int ordinal, std::size_t bytes);
/// Frees what allocate() gave, when all work of the device is done.
void free(int ordinal, void* pointer) noexcept;

/// Locks memory of the host for transfers to and from a GPU, which then reaches it under the same address (libomptarget 22's own
/// function for it crashed on an H200). Returns false where the driver refuses.
bool lock(int ordinal, void* pointer, std::size_t bytes);
/// Undoes lock().
void unlock(int ordinal, void* pointer) noexcept;

}  // namespace phpc::cuda::nvidia
