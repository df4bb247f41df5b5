#include "cuda/progress.hpp"

#include <chrono>
#include <thread>

namespace phpc::cuda {

void Progress::wait(std::uint64_t ticket) {
  if (is_done(ticket)) {
    return;
  }
  // Short work is waited for in less time than a thread takes to sleep and wake, where another core can do it. A launch and the
  // wait for it took 12 us on an H200, and 41 us in one run of several, when 20 us were spun.
  static const bool may_spin = std::thread::hardware_concurrency() > 4;
  if (may_spin) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(100);
    while (std::chrono::steady_clock::now() < end) {
      if (is_done(ticket)) {
        return;
      }
    }
  }
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_done(ticket); });
}

void Progress::finish(std::uint64_t ticket) {
  {
    const std::scoped_lock lock(mutex_);
    done_ = ticket;
  }
  changed_.notify_all();
}

}  // namespace phpc::cuda
