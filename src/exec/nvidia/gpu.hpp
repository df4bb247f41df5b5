#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

#include "exec/nvidia/devices.hpp"
#include "exec/nvidia/driver.hpp"

/// What launches on one of NVIDIA's GPUs need of the driver: the images of this program as modules, their kernels, streams.
#if PHPC_WITH_OFFLOAD
namespace phpc::exec::nvidia {

/// A kernel in a module.
struct Kernel {
  Function function = nullptr;
  std::atomic<std::uint32_t> dynamic_bytes = 0;  ///< the most that it was told it may be given
};

/// One GPU: its images as modules, its kernels, and streams and events that nobody uses. Any thread may call.
class Gpu {
 public:
  Gpu(int ordinal, Context context, const Facts& facts) : ordinal_(ordinal), context_(context), facts_(facts) {}

  [[nodiscard]] Context context() const { return context_; }
  [[nodiscard]] int ordinal() const { return ordinal_; }

  /// Whether there is any library with an image that the driver takes.
  [[nodiscard]] bool has_images();
  /// Loads the images of all libraries; else a library's first kernel does.
  void load_images();
  /// The kernel of a bare region; null for another, and where there is none in an image that the driver takes.
  Kernel* kernel(const void* region);
  /// Whether a region is of a library that has no image for this GPU.
  [[nodiscard]] bool lacks_image_of(const void* region);
  /// Where the variable of an image is that the host knows by `address`; null where it is not known.
  void* variable(const void* address);
  /// Lends a stream until give_back().
  Stream stream();
  void give_back(Stream stream);
  /// Lends an event that notes times until give_back(). Throws Error(device).
  Event event();
  void give_back(Event event);

 private:
  Module module_of(int library);

  int ordinal_;
  Context context_;
  Facts facts_;
  std::shared_mutex mutex_;
  std::unordered_map<const void*, Kernel*> kernels_;
  std::deque<Kernel> all_kernels_;
  std::unordered_map<int, Module> modules_;
  std::vector<Stream> idle_streams_;
  std::vector<Event> idle_events_;
};

/// The GPU of OpenMP's number; null where none is kept. GPUs are kept as long as the process lives.
Gpu* gpu_of(std::int64_t omp_device);
/// Whether gpu_of can give one of that number.
bool may_keep_gpu(int omp_device);
void keep_gpu(int omp_device, std::unique_ptr<Gpu> gpu);

/// Throws Error(device): a kernel failed there.
[[noreturn]] void refuse(Status code, int ordinal);

}  // namespace phpc::exec::nvidia
#endif
