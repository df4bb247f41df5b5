#pragma once
#include <atomic>
#include <deque>
#include <mutex>
#include <vector>

#include "phpc/exec/device.hpp"

namespace phpc::exec {

/// The table of the devices that OpenMP shows, in the project's order: GPUs first, then x86_64 ones. Built once, lazily: asking a
/// GPU what it is creates its context, which costs tenths of a second and memory, so a device is opened when it is first used.
class DeviceTable {
 public:
  static DeviceTable& get();

  /// The number of devices beside the host, and how many of these (the first ones) are GPUs.
  [[nodiscard]] int size() const { return static_cast<int>(entries_.size()); }
  [[nodiscard]] int gpus() const { return gpus_; }
  [[nodiscard]] DeviceKind kind(int number) const { return entries_[static_cast<std::size_t>(number)].kind; }
  [[nodiscard]] int omp_device(int number) const { return entries_[static_cast<std::size_t>(number)].omp_device; }
  [[nodiscard]] int driver_ordinal(int number) const { return entries_[static_cast<std::size_t>(number)].driver_ordinal; }
  /// What is known of the device without opening it.
  const DeviceProperties& properties(int number);

  /// Makes the device ready for its first allocation or region: spin-wait, and a probe of what it is. Once a device, cheap after
  /// that. Throws Error(device) when it cannot be used.
  void open(int number);

 private:
  struct Entry {
    int omp_device = 0;
    DeviceKind kind = DeviceKind::x86_64;
    int driver_ordinal = -1;  ///< NVIDIA's number of it
    std::atomic<bool> opened = false;
    std::atomic<bool> described = false;  ///< properties are there; read without the lock, on the way of every launch
    DeviceProperties properties;
  };

  DeviceTable();
  void describe(Entry& entry);

  std::mutex mutex_;
  std::deque<Entry> entries_;
  int gpus_ = 0;
};

/// Properties and free memory of the host.
const DeviceProperties& host_properties();
std::uint64_t host_free_memory_bytes();

}  // namespace phpc::exec
