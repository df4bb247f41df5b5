#pragma once
#include <chrono>

namespace phpc::jobs {

/// The clock that jobs tell their times by.
using Clock = std::chrono::steady_clock;

/// Returns the seconds that have passed since `start`.
inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace phpc::jobs
