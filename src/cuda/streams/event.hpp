#pragma once
#include <chrono>
#include <memory>
#include <mutex>

#include "cuda/streams/stream.hpp"

namespace phpc::cuda {

/// A place in a stream's work that an event recorded.
struct Moment {
  Dependency mark;                             ///< what to wait for; nothing where the record was captured
  std::chrono::steady_clock::time_point time;  ///< when it was reached; read after the wait
  std::shared_ptr<Capture> capture;            ///< the capture that recorded it
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
