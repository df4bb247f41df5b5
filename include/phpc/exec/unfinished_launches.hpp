#pragma once
#include <memory>

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

/// An order of launches on one device, of whichever threads: each is done after those that were issued here before it.
/// (NVIDIA's GPUs.)
class LaunchLane {
 public:
  /// A lane of its own; null where a launch is done when it returns.
  static std::shared_ptr<const LaunchLane> on(Device device);
  LaunchLane(const LaunchLane&) = delete;
  LaunchLane& operator=(const LaunchLane&) = delete;
  /// What was launched must be done.
  ~LaunchLane();

  /// A scope in which the calling thread's launches on the lane's device are issued there, and need not be done after its end.
  /// Its copies are done behind them; those from memory that is not pinned need not have arrived after its end, but were read,
  /// and those within the device's memory need not be done.
  class Scope {
   public:
    explicit Scope(const LaunchLane& lane);
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope();

   private:
    void* gpu_before_;
    void* stream_before_;
  };
  /// Waits for the launches, in any thread. Throws Error(device) if one of them failed.
  void wait() const;

 private:
  LaunchLane(void* gpu, void* stream) : gpu_(gpu), stream_(stream) {}
  void* gpu_;
  void* stream_;
};

/// The time, by a device's own clock, at which the launches before it were done. (NVIDIA's GPUs.)
class LaunchStamp {
 public:
  /// Behind the launches of the calling thread, or of the lane in whose scope it is; null where a launch is done when it returns.
  /// Throws Error(device).
  static std::unique_ptr<const LaunchStamp> behind_launches(Device device);
  LaunchStamp(const LaunchStamp&) = delete;
  LaunchStamp& operator=(const LaunchStamp&) = delete;
  ~LaunchStamp();

  /// Whether the launches before it are done. Throws Error(device) if one of them failed.
  [[nodiscard]] bool is_reached() const;
  /// Waits for them. Throws Error(device) if one of them failed.
  void wait() const;
  /// Milliseconds from the one to the other, on one device, both of which were reached. Throws Error(device).
  static float milliseconds(const LaunchStamp& begin, const LaunchStamp& end);

 private:
  LaunchStamp(void* gpu, void* event) : gpu_(gpu), event_(event) {}
  void* gpu_;
  void* event_;
};

}  // namespace phpc::exec
