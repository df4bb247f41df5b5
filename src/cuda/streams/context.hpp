#pragma once
#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "cuda/streams/stream.hpp"
#include "phpc/cuda/runtime_types.hpp"
#include "phpc/exec/device.hpp"

namespace phpc::cuda {

/// The context of one device: its streams, errors and settings, kept as long as the process lives.
class Context {
 public:
  Context(int number, exec::Device device);

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] exec::Device device() const { return device_; }
  [[nodiscard]] Stream& legacy() const { return *legacy_; }
  /// The properties, which the device is asked for once.
  [[nodiscard]] const cudaDeviceProp& properties();
  /// Properties of which those that limit launches are right. Those of the host are known without asking the system, which takes
  /// 0.4 ms, and OpenMP, which takes up to 1 ms to begin.
  [[nodiscard]] const cudaDeviceProp& launch_limits();
  /// Makes the device ready; once, before its first use.
  void prepare();
  /// Has prepare() of devices, not of the host, call a function first. One for the whole process, from a constructor of the
  /// program's.
  static void call_before_use(void (*function)(Context&)) { before_use = function; }

  /// Waits for the work of all streams. Throws Failure in a capture.
  void wait();
  /// Waits as wait() does, and throws Failure for an error of that work.
  void synchronise();
  /// Throws the failure of an earlier kernel, if there was one.
  void require_health() const;
  /// Throws that failure, or another error of work that nobody waited for until now.
  void report_errors();
  /// Keeps an error of work that nobody waits for: one after which CUDA's context is of no more use stays.
  void note(cudaError_t code);
  /// Keeps only an error after which the context is of no more use.
  void note_failure(cudaError_t code);
  [[nodiscard]] cudaError_t failure() const { return failure_; }
  void clear_errors();

  // What streams do with one another, under order().
  std::mutex& order() { return order_; }
  [[nodiscard]] const std::vector<Stream*>& streams() const { return streams_; }
  void add(Stream* stream);
  void remove(Stream* stream);

  // What was set and is only told again.
  std::mutex settings;
  std::map<cudaLimit, std::size_t> limits;
  cudaFuncCache cache_config = cudaFuncCachePreferNone;
  cudaSharedMemConfig bank_size = cudaSharedMemBankSizeFourByte;
  unsigned flags = 0;

 private:
  static inline void (*before_use)(Context&) = nullptr;
  int number_;
  exec::Device device_;
  std::mutex order_;
  std::vector<Stream*> streams_;  ///< the legacy stream among them
  std::unique_ptr<Stream> legacy_;
  std::atomic<cudaError_t> failure_ = cudaSuccess;
  std::atomic<cudaError_t> pending_ = cudaSuccess;
  std::once_flag described_;
  std::once_flag prepared_;
  cudaDeviceProp properties_{};
};

/// All devices that a program sees. The first call selects and opens them; throws Failure(cudaErrorNoDevice), with the reason,
/// where PHPC_DEVICE names none that is there.
const std::vector<std::unique_ptr<Context>>& contexts();

/// The context of a device's number; throws Failure(cudaErrorInvalidDevice).
Context& context_of(int number);

/// The context of the calling thread's device.
Context& current_context();
/// The current context; throws the failure of an earlier kernel, if there was one.
Context& healthy_context();
/// Makes a device the calling thread's.
void set_current(int number);

/// The limits of launches on the host and on the x86_64 device (devices/device_properties.cpp).
const cudaDeviceProp& usual_launch_limits();
/// The properties of a device in CUDA's terms (devices/device_properties.cpp).
cudaDeviceProp describe(int number, exec::Device device);

}  // namespace phpc::cuda
