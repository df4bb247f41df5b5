#pragma once
#include <atomic>
#include <exception>
#include <utility>

namespace phpc {

/// Keeps the first exception of several threads. An exception that leaves a parallel region, or the function of a thread, ends
/// the process: each thread runs its work inside guard(), and the thread that waits for them calls rethrow().
class FirstError {
 public:
  /// Calls work(); keeps what it throws, unless another thread was earlier. Any thread.
  template <class Work>
  void guard(const Work& work) noexcept {
    try {
      work();
    } catch (...) {
      if (!occurred_.exchange(true)) {
        error_ = std::current_exception();
      }
    }
  }

  /// Throws what was kept, if anything was. One thread, after all others are done.
  void rethrow() {
    if (error_ != nullptr) {
      occurred_ = false;
      std::rethrow_exception(std::exchange(error_, nullptr));
    }
  }

 private:
  std::atomic<bool> occurred_ = false;
  std::exception_ptr error_;
};

}  // namespace phpc
