#pragma once
#include <cstddef>
#include <cstdint>
#include <typeinfo>

#include "phpc/core/types.hpp"
#include "phpc/exec/device.hpp"

namespace phpc::exec {

/// The trace of one launch: a line on standard error when it is destroyed, where the environment has PHPC_TRACE=1.
///   trace: device 0: phpc::fft::PassKernel<float, 256, ...>: 1024 groups in 1024 teams of 256, 33024 B of scratch, 12.4 us
/// The time is the host's, from before the launch until all teams are done.
class LaunchTrace {
 public:
  /// Whether the environment asked for it when the program first launched anything.
  [[nodiscard]] static bool is_on();

  LaunchTrace(Device device, const std::type_info& kernel, index_t groups)
      : device_(device), kernel_(kernel), groups_(groups), is_on_(is_on()) {
    if (is_on_) [[unlikely]] {
      begin_ = nanoseconds_now();
    }
  }
  LaunchTrace(const LaunchTrace&) = delete;
  LaunchTrace& operator=(const LaunchTrace&) = delete;
  ~LaunchTrace() {
    if (is_on_) [[unlikely]] {
      print();
    }
  }

  /// Notes the league that was planned.
  void teams(index_t teams, int threads, std::size_t scratch_bytes) {
    teams_ = teams;
    threads_ = threads;
    scratch_bytes_ = scratch_bytes;
  }

 private:
  /// The steady clock. <chrono> in this header was a fourth of the time to parse what a translated CUDA program includes.
  [[nodiscard]] static std::int64_t nanoseconds_now() noexcept;
  void print() const noexcept;

  Device device_;
  const std::type_info& kernel_;
  index_t groups_;
  index_t teams_ = 0;
  int threads_ = 1;
  std::size_t scratch_bytes_ = 0;
  bool is_on_;
  std::int64_t begin_ = 0;
};

}  // namespace phpc::exec
