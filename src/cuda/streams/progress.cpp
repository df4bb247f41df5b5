#include "cuda/streams/progress.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace phpc::cuda {

void Progress::wait(std::uint64_t ticket) {
  if (!is_done(ticket)) {
    wait_until_issued(ticket);
    settle_issued(ticket);
  }
}

void Progress::wait_until_issued(std::uint64_t ticket) {
  const auto is_over = [&] { return issued_ >= ticket || is_done(ticket); };
  if (is_over()) {
    return;
  }
  // Short work is waited for in less time than a thread takes to sleep and wake, where another core can do it. A launch and the
  // wait for it took 12 us on an H200, and 41 us in one run of several, when 20 us were spun.
  static const bool may_spin = std::thread::hardware_concurrency() > 4;
  if (may_spin) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(100);
    while (std::chrono::steady_clock::now() < end) {
      if (is_over()) {
        return;
      }
    }
  }
  std::unique_lock lock(mutex_);
  changed_.wait(lock, is_over);
}

void Progress::finish(std::uint64_t ticket) {
  {
    const std::scoped_lock lock(mutex_);
    done_ = std::max(done_.load(), ticket);
  }
  changed_.notify_all();
}

void Progress::issue(std::uint64_t ticket, std::shared_ptr<const Settle> settle) {
  {
    const std::scoped_lock lock(mutex_);
    settle_ = std::move(settle);
    issued_ = ticket;
  }
  changed_.notify_all();  // who waits for the ticket may have come before it was issued
}

void Progress::settle_issued(std::uint64_t ticket) {
  std::unique_lock lock(mutex_);
  const std::uint64_t issued = issued_;
  const std::shared_ptr<const Settle> settle = settle_;
  lock.unlock();
  if (issued >= ticket && !is_done(ticket)) {
    (*settle)();
    finish(issued);
  }
}

}  // namespace phpc::cuda
