#pragma once
#include <optional>

#include "phpc/exec/device.hpp"

namespace phpc::exec {

/// Loads the images of the program and of its libraries onto a GPU, some milliseconds of work that the calling thread's first
/// launch there would do otherwise. (NVIDIA's GPUs; elsewhere nothing.)
void prepare_launches(Device device);

/// A scope of its thread in which launch() may return before the teams are done. Launches on one device are done in their order,
/// and copies, the freeing of device memory, finish() and wait() wait for them: the host's wait, half of the time of a short
/// kernel, is there once for several launches. What a launch refers to must live until then. (NVIDIA's GPUs; elsewhere a launch
/// is done when it returns.)
class UnfinishedLaunches {
 public:
  UnfinishedLaunches();
  /// Does what finish() does; an error that nobody waited for is dropped.
  ~UnfinishedLaunches();
  UnfinishedLaunches(const UnfinishedLaunches&) = delete;
  UnfinishedLaunches& operator=(const UnfinishedLaunches&) = delete;

  /// Ends the object's effect: waits for the thread's launches, unless another such object lives in the thread. Throws
  /// Error(device) if one of them failed.
  void finish();

  /// Waits for the launches of the calling thread. Throws Error(device) if one of them failed.
  static void wait();

 private:
  bool is_finished_ = false;
};

/// The launches that one thread issues on one device, for any thread to wait for. (NVIDIA's GPUs.)
class IssuedLaunches {
 public:
  /// The launches of the calling thread; nothing where a launch is done when it returns.
  static std::optional<IssuedLaunches> of_this_thread(Device device);
  /// A scope after whose end, too, launches of the calling thread need not be done.
  class Scope {
   public:
    Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope();
  };
  /// Waits for the launches, in any thread. Throws Error(device) if one of them failed.
  void wait() const;
  bool operator==(const IssuedLaunches&) const = default;

 private:
  IssuedLaunches(void* gpu, void* stream) : gpu_(gpu), stream_(stream) {}
  void* gpu_;
  void* stream_;
};

}  // namespace phpc::exec
