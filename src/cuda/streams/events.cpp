// The calls about events.
#include <set>

#include "cuda/errors/failure.hpp"
#include "cuda/streams/capture.hpp"
#include "cuda/streams/context.hpp"
#include "cuda/streams/event.hpp"
#include "phpc/cuda/runtime_api.hpp"

namespace phpc::cuda {
namespace {

/// The events that a program has, to tell a wrong handle from a right one.
struct Events {
  std::mutex mutex;
  std::set<cudaEvent_t> all;

  static Events& get() {
    static Events& events = *new Events;  // to the end of the process
    return events;
  }
};

CUevent_st& event_of(cudaEvent_t handle) {
  Events& events = Events::get();
  const std::scoped_lock lock(events.mutex);
  require(events.all.contains(handle), cudaErrorInvalidResourceHandle);
  return *handle;
}

std::shared_ptr<Moment> timed_moment(cudaEvent_t handle) {
  CUevent_st& event = event_of(handle);
  std::shared_ptr<Moment> moment = event.moment();
  require((event.flags & cudaEventDisableTiming) == 0 && moment != nullptr, cudaErrorInvalidResourceHandle);
  require(moment->capture == nullptr, cudaErrorCapturedEvent);
  require(moment->is_reached(), cudaErrorNotReady);
  return moment;
}

}  // namespace
}  // namespace phpc::cuda

using namespace phpc::cuda;

// NOLINTBEGIN(readability-identifier-naming): CUDA's names.

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return guarded([&] {
    constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    require(event != nullptr && (flags & ~known) == 0, cudaErrorInvalidValue);
    require((flags & cudaEventInterprocess) == 0, cudaErrorNotSupported);
    auto made = std::make_unique<CUevent_st>(healthy_context(), flags);
    Events& events = Events::get();
    const std::scoped_lock lock(events.mutex);
    events.all.insert(made.get());
    *event = made.release();
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return guarded([&] {
    CUevent_st& one = event_of(event);
    Stream& in = stream_of(stream);
    require(&one.context == &in.context(), cudaErrorInvalidResourceHandle);
    one.context.require_health();
    const auto moment = std::make_shared<Moment>();
    moment->capture = in.capture();
    moment->mark = in.note_place([kept = std::weak_ptr<Moment>(moment), device = in.context().device()] {
      const std::shared_ptr<Moment> here = kept.lock();
      if (here != nullptr && here->capture == nullptr) {  // else the event was recorded again or destroyed, or a graph does this
        here->note(device);
      }
    });
    const std::scoped_lock lock(one.mutex);
    one.last = moment;
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int /*flags*/) {
  return cudaEventRecord(event, stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int /*flags*/) {
  return guarded([&] {
    const std::shared_ptr<Moment> moment = event_of(event).moment();
    Stream& in = stream_of(stream);
    if (moment == nullptr) {
      return;
    }
    if (moment->capture != nullptr) {
      require(moment->capture->is_active(), cudaErrorCapturedEvent);
      in.set_capture(moment->capture);  // the stream's work joins that which is recorded
    } else if (!moment->is_reached()) {
      in.mark({}, moment->mark);
    }
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return guarded([&] {
    CUevent_st& one = event_of(event);
    if (const std::shared_ptr<Moment> moment = one.moment()) {
      require(moment->capture == nullptr, cudaErrorCapturedEvent);
      refuse_at_work();
      moment->wait();
    }
    one.context.report_errors();
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return guarded([&] {
    CUevent_st& one = event_of(event);
    one.context.require_health();
    if (const std::shared_ptr<Moment> moment = one.moment()) {
      require(moment->capture == nullptr, cudaErrorCapturedEvent);
      require(moment->is_reached(), cudaErrorNotReady);
      one.context.require_health();
    }
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  return guarded([&] {
    require(milliseconds != nullptr, cudaErrorInvalidValue);
    require(&event_of(begin).context == &event_of(end).context, cudaErrorInvalidResourceHandle);
    const std::shared_ptr<Moment> from = timed_moment(begin);
    const std::shared_ptr<Moment> to = timed_moment(end);
    *milliseconds = Moment::milliseconds(*from, *to);
  });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return guarded([&] {
    {
      Events& events = Events::get();
      const std::scoped_lock lock(events.mutex);
      require(events.all.erase(event) == 1, cudaErrorInvalidResourceHandle);
    }
    const std::unique_ptr<CUevent_st> last(event);
  });
}

// NOLINTEND(readability-identifier-naming)
