#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

/// What only NVIDIA's driver knows or can set. Loads libcuda at run time; without it there are zero devices and every call is
/// harmless. Ordinals are the driver's, 0-based (CUDA_VISIBLE_DEVICES applies).
namespace phpc::exec::nvidia {

/// How many devices there are.
int device_count();

/// What the driver says of a device.
struct Facts {
  std::string name;
  int major = 0;  ///< compute capability 9.0: 9 and 0
  int minor = 0;
  std::uint64_t memory_bytes = 0;
  std::size_t scratch_bytes = 0;
  int max_team_size = 0;
  int multiprocessors = 0;
};
Facts facts(int ordinal);

std::uint64_t free_memory_bytes(int ordinal);

/// The device that an address of device memory belongs to; nothing for other memory.
std::optional<int> ordinal_of(const void* memory);

/// Whether threads may spin while they wait: PHPC_SPIN_WAIT=0 in the environment says no (fewer cores than waiting threads).
bool may_spin();

/// Makes the host spin while it waits for this device: 9 us a region instead of 18, and steady timings. libomptarget would set
/// the primary context to blocking waits, but keeps the flags of a context that is active when it first touches the device;
/// so this must come before. Retains the context for the life of the process.
void enable_spin_wait(int ordinal);

}  // namespace phpc::exec::nvidia
