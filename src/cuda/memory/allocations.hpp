#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "phpc/exec/device.hpp"

namespace phpc::cuda {

/// The kind of memory, by what made it known to the library.
enum class MemoryKind {
  device,      ///< cudaMalloc and its like
  symbol,      ///< a device variable
  managed,     ///< cudaMallocManaged: for the host and the device
  pinned,      ///< cudaMallocHost
  registered,  ///< cudaHostRegister: the program's own
};

/// A piece of memory that the library knows.
struct Allocation {
  std::uintptr_t base = 0;
  std::size_t bytes = 0;  ///< what may be copied, in units of allocation_unit where the library has allocated it
  MemoryKind kind = MemoryKind::device;
  int device = 0;  ///< CUDA's number of the device that was current
  unsigned flags = 0;
  bool is_variable = false;  ///< of kind managed: a managed variable, which is never freed
  void* block = nullptr;     ///< of kind device: what exec has allocated, in which it lies

  [[nodiscard]] void* pointer() const { return reinterpret_cast<void*>(base); }
  /// Whether `count` bytes from `from` on lie within it.
  [[nodiscard]] bool holds(const void* from, std::size_t count) const {
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(from) - base;
    return offset <= bytes && count <= bytes - offset;
  }
};

/// Device memory comes in multiples of this, as CUDA's: programs that run a little over the end of their memory, which goes
/// unseen there, do no harm here.
inline constexpr std::size_t allocation_unit = 512;

/// Device memory begins at a multiple of this, as CUDA's.
inline constexpr std::size_t allocation_alignment = 256;

/// The memory that the library knows, of all devices. Any thread.
namespace allocations {

void add(const Allocation& allocation);
/// The allocation that a pointer points into; nothing for other memory of the host.
std::optional<Allocation> find(const void* pointer);
/// Takes out and returns the allocation that begins at `pointer`, if it is of one of two kinds; nothing if there is none.
std::optional<Allocation> take(const void* pointer, MemoryKind kind, MemoryKind other);
/// Takes out and returns all of one device that are of kind device or managed.
std::vector<Allocation> take_all(int device);

}  // namespace allocations
}  // namespace phpc::cuda
