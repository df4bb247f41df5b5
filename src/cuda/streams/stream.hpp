#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "cuda/streams/progress.hpp"
#include "phpc/cuda/runtime_types.hpp"
#include "phpc/exec/buffer.hpp"
#include "phpc/exec/queue.hpp"
#include "phpc/exec/unfinished_launches.hpp"

namespace phpc::cuda {

class Context;
class Capture;

using Work = std::function<void()>;

/// Work of a caller's that is run where it is, or that gives a copy to be run later. Refers to both functions.
class WorkInPlace {
 public:
  template <class Run, class Copy>
  WorkInPlace(const Run& run, const Copy& copy)
      : run_(&run),
        copy_(&copy),
        call_run_([](const void* at) { (*static_cast<const Run*>(at))(); }),
        call_copy_([](const void* at) { return Work((*static_cast<const Copy*>(at))()); }) {}
  void operator()() const { call_run_(run_); }
  [[nodiscard]] Work copy() const { return call_copy_(copy_); }

 private:
  const void* run_;
  const void* copy_;
  void (*call_run_)(const void*);
  Work (*call_copy_)(const void*);
};

/// A stream: work on one device, done in order. On the host work runs at once, in the thread that enqueues it; a device has an
/// exec::Queue for it. Launches on a GPU, and the stamps of events, are issued by the thread that enqueues them, in a lane of the
/// stream's own, where nothing but such is before them: to wake the queue's worker took longer than most kernels (three of 65 us
/// together, after each of which the host computes for some milliseconds, took 177 us by it on an H100).
///
/// Streams of a device that block are ordered with its legacy stream: what is enqueued there waits for what they were given
/// before, and what they are given later waits for it. Work only waits for work that was enqueued before it, so no two wait for
/// each other.
class Stream {
 public:
  Stream(Context& context, unsigned flags, int priority);
  /// Waits for the work.
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  [[nodiscard]] Context& context() const { return context_; }
  [[nodiscard]] unsigned flags() const { return flags_; }
  [[nodiscard]] int priority() const { return priority_; }
  [[nodiscard]] bool is_blocking() const { return (flags_ & cudaStreamNonBlocking) == 0; }
  [[nodiscard]] const std::shared_ptr<Progress>& progress() const { return progress_; }

  /// Appends work. On a device, what it throws becomes an error of the context; on the host this call throws Failure. While the
  /// stream is captured the work is recorded instead, and must then be fit to run more than once.
  void enqueue(const Work& work);
  /// Appends work that is nothing but launches: on a GPU the next such work may be issued before they are done.
  void enqueue_launches(const WorkInPlace& work);
  void enqueue_launches(const Work& work);
  /// Runs work in the calling thread, after all that was enqueued; throws Failure. Not in a capture.
  void run(const Work& work);
  /// What run_copies() copies, and what is done when it returns: the last three are copies to the device.
  enum class Copies {
    to_host,      ///< the copies, and all that was enqueued before
    read,         ///< the host's memory was read
    read_behind,  ///< it was read, and all that was enqueued before is done
    arrived,      ///< the copies, and all that was enqueued before
  };
  /// Does what run() does with work that is nothing but copies between this device's memory and memory that is not pinned: on a
  /// GPU behind launches that were issued, without a wait for them before.
  void run_copies(const Work& work, Copies copies);
  /// Appends work that is done even after a kernel has failed, perhaps not before `after`. Returns what to wait for.
  Dependency mark(const Work& work, const Dependency& after = {});
  /// Appends such work that does nothing but note where the stream is: on a GPU a stamp may be issued behind launches before
  /// they are done.
  Dependency note_place(const Work& work);
  /// Waits for what was enqueued, in the legacy stream also for that of the streams that block. Not in a capture.
  void wait();
  [[nodiscard]] bool is_idle();

  /// Memory of the device for the parameters of a launch, in work that is issued in a stream's lane: the stream's, for one launch
  /// after another, each of which is copied there behind the one before. Null in other work. Throws Error(memory).
  static void* parameter_memory(std::size_t bytes);

  /// The capture that records this stream's work, or null; the second under the context's order.
  [[nodiscard]] std::shared_ptr<Capture> capture() const;
  [[nodiscard]] const std::shared_ptr<Capture>& capture_in_order() const { return capture_; }
  /// Records no more for `capture`. Under the context's order.
  void leave_in_order(const Capture& capture) {
    if (capture_.get() == &capture) {
      capture_ = nullptr;
    }
  }
  void set_capture(std::shared_ptr<Capture> capture);

 private:
  /// The place of a piece of work in the order of a device's work.
  struct Turn {
    std::uint64_t ticket = 0;
    std::vector<Dependency> after;
  };
  /// How work is done.
  struct Manner {
    bool always = false;      ///< even after a kernel has failed
    bool unattended = false;  ///< on a thread of the library's, with nobody who would get its error
    bool launches = false;    ///< nothing but launches
    bool stamps = false;      ///< nothing but a stamp behind what was launched
  };
  /// The stream's side of its queue's worker, which alone touches it.
  struct Worker {
    Context& context;
    std::shared_ptr<Progress> progress;
    std::uint64_t issued = 0;  ///< the last ticket whose launches were issued; done once they are waited for
    void perform(const Turn& turn, const Work& work, const Manner& manner);
    void settle();
  };
  Turn take_turn();
  /// Whether the stream's next work may be issued in its lane, which is there then. Under the context's order.
  bool is_issuable(const Turn& turn);
  /// Issues launches or a stamp by the calling thread; false where they are the worker's. Under the context's order.
  template <class AnyWork>
  bool issue(const Turn& turn, const AnyWork& work, const Manner& manner);
  [[nodiscard]] std::vector<Dependency> others() const;
  template <class AnyWork>
  Dependency append(const AnyWork& work, const Manner& manner, const Dependency& after);
  template <class AnyWork>
  static cudaError_t perform(Context& context, Progress& progress, const Turn& turn, const AnyWork& work, const Manner& manner);
  template <class AnyWork>
  static cudaError_t run_work(Context& context, const AnyWork& work, const Manner& manner);
  void refuse_in_capture();

  Context& context_;
  unsigned flags_;
  int priority_;
  std::shared_ptr<Progress> progress_ = std::make_shared<Progress>();
  std::shared_ptr<Capture> capture_;                ///< guarded by the context's order
  std::shared_ptr<const exec::LaunchLane> lane_;    ///< of launches that callers issued; guarded by the context's order
  std::shared_ptr<const Progress::Settle> settle_;  ///< waits for them
  exec::Buffer<std::byte> parameters_;              ///< of launches in the lane; guarded by the context's order
  std::unique_ptr<Worker> worker_;
  std::optional<exec::Queue> queue_;  ///< of a device, once something was enqueued
};

/// Throws Failure(cudaErrorNotPermitted) in a thread that is doing a stream's work: callbacks must not wait for streams.
void refuse_at_work();

/// The stream of a handle: of null, the current device's legacy stream. Throws Failure for one that there is not.
Stream& stream_of(cudaStream_t handle);

}  // namespace phpc::cuda
