#pragma once
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>

#include "cuda/streams/stream.hpp"
#include "phpc/core/error.hpp"

namespace phpc::cuda {

/// A place in a stream's work that an event recorded.
struct Moment {
  Dependency mark;                   ///< what to wait for; nothing where the record was captured
  std::shared_ptr<Capture> capture;  ///< the capture that recorded it

  /// Notes that the stream's work has come here or, on a device that has its own clock, that it will. Once.
  void note(exec::Device device) {
    stamp_ = exec::LaunchStamp::behind_launches(device);
    time_ = std::chrono::steady_clock::now();
    is_noted_.store(true, std::memory_order_release);
  }
  /// Whether the stream's work has come here.
  [[nodiscard]] bool is_reached() const {
    if (mark.is_done() || !has_stamp()) {
      return mark.is_done();
    }
    try {
      return stamp_->is_reached();
    } catch (const Error&) {
      mark.wait();  // which keeps the error for the context
      return true;
    }
  }
  /// Waits until it has; on a device with a stamp not for what was launched later.
  void wait() const {
    try {
      if (!mark.is_done() && has_stamp()) {
        stamp_->wait();
        return;
      }
    } catch (const Error&) {  // kept for the context by the wait below
    }
    mark.wait();
  }
  /// Milliseconds between two that were reached.
  static float milliseconds(const Moment& begin, const Moment& end) {
    if (begin.stamp_ != nullptr && end.stamp_ != nullptr) {
      return exec::LaunchStamp::milliseconds(*begin.stamp_, *end.stamp_);
    }
    return std::chrono::duration<float, std::milli>(end.time_ - begin.time_).count();
  }

 private:
  [[nodiscard]] bool has_stamp() const { return is_noted_.load(std::memory_order_acquire) && stamp_ != nullptr; }

  std::unique_ptr<const exec::LaunchStamp> stamp_;
  std::chrono::steady_clock::time_point time_;
  std::atomic<bool> is_noted_ = false;
};

}  // namespace phpc::cuda

/// An event, which holds the place where it was last recorded.
struct CUevent_st {
  CUevent_st(phpc::cuda::Context& of, unsigned with) : context(of), flags(with) {}
  [[nodiscard]] std::shared_ptr<phpc::cuda::Moment> moment() {
    const std::scoped_lock lock(mutex);
    return last;
  }
  phpc::cuda::Context& context;
  unsigned flags;
  std::mutex mutex;
  std::shared_ptr<phpc::cuda::Moment> last;  ///< null = never recorded
};
