#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::exec {

/// Where kernels run. `x86_64` is LLVM's host plugin: a real target region with separate memory, without a GPU.
enum class DeviceKind { host, x86_64, nvidia, amd };

/// "host", "x86_64", "nvidia", "amd".
std::string_view to_string(DeviceKind kind);

constexpr bool is_gpu(DeviceKind kind) {
  return kind == DeviceKind::nvidia || kind == DeviceKind::amd;
}

struct DeviceProperties {
  DeviceKind kind = DeviceKind::host;
  std::string name;                ///< the vendor's name of the device
  std::uint64_t memory_bytes = 0;  ///< all of its memory; 0 = not known
  std::size_t scratch_bytes = 0;   ///< the most scratch one team can have
  int max_team_size = 1;           ///< the most threads of one team
  int compute_units = 1;           ///< multiprocessors of a GPU, threads of the host
};

/// A handle on a device, cheap to copy. Devices of one machine are numbered 0, 1, ... GPUs first, then x86_64 ones; the host has
/// no number.
class Device {
 public:
  /// The host's threads.
  static Device host() { return Device(-1); }
  /// All devices, the host first. Opens none of them but a GPU.
  static std::vector<Device> all();

  [[nodiscard]] bool is_host() const { return number_ < 0; }
  /// The kind; opens no device beyond those that the answer needs.
  [[nodiscard]] DeviceKind kind() const;
  [[nodiscard]] bool is_gpu() const;
  /// What `--device` calls it: "host", "0", "1", ...
  [[nodiscard]] std::string label() const;
  [[nodiscard]] const DeviceProperties& properties() const;
  /// Free memory now, in bytes; 0 = not known.
  [[nodiscard]] std::uint64_t free_memory_bytes() const;
  /// The number that OpenMP gives it; the initial device's for the host.
  [[nodiscard]] int omp_device() const;
  /// Makes the device ready for use, which the first allocation or launch does otherwise. Throws Error(device) with the reason
  /// when it cannot be used.
  void open() const;

  friend bool operator==(Device a, Device b) { return a.number_ == b.number_; }

 private:
  explicit Device(int number) : number_(number) {}
  friend std::vector<Device> select_devices(std::string_view spec, const std::function<void(const std::string&)>& report);
  int number_;
};

/// Takes one line about a device that is left out.
using DeviceReport = std::function<void(const std::string&)>;

/// Devices for a `--device` value:
///   auto        the first GPU, or the host when there is none
///   host        the host's threads; also "cpu"
///   all         every GPU, or the host when there is none
///   N[,N...]    by number, as `portable-hpc devices` lists them
///   NAME        the first whose kind or name contains NAME, any case ("h200"); "gpu:1", "cuda:1", "hip:1": by number of the kind
/// Throws Error(usage) for a value that is none of these and Error(device) for a device that is absent: a named device is never
/// replaced. GPUs that cannot be opened are left out of `auto` and `all`, and `report` is told why; it is an error if `all` has
/// none left. With OMP_TARGET_OFFLOAD=MANDATORY in the environment the host is refused, by name or by `auto`.
std::vector<Device> select_devices(std::string_view spec, const DeviceReport& report = {});

/// select_devices for one device: more than one is Error(usage).
Device select_device(std::string_view spec, const DeviceReport& report = {});

/// The images that the executable holds: "x86_64, nvptx64 (sm_80,sm_90)"; empty for a host-only build.
std::string offload_targets();

/// One line about the GPUs that their drivers show and that the program holds no image for, with the way to get one; empty where
/// there is no such GPU.
std::string gpus_without_image();

/// The OpenMP version and run-time library in use.
std::string openmp_runtime();

/// Flushes C streams and ends the process. With offload images in several libraries, libomptarget 22's exit handlers run after
/// the CUDA driver's and print an error; a main function that has used devices returns through this instead.
[[noreturn]] void exit_process(int exit_status);

}  // namespace phpc::exec
