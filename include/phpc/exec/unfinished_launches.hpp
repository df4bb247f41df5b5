#pragma once
#include "phpc/exec/device.hpp"

namespace phpc::exec {

/// Does what the calling thread's first launch on a GPU would do else, which takes some milliseconds: loads the images of the
/// program and of its libraries. (NVIDIA's GPUs; elsewhere nothing.)
void prepare_launches(Device device);

/// While one lives, launch() may return in its thread before the teams are done. Launches on one device are done in their order,
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

  /// The end of the object's effect: waits for the thread's launches, unless another such object lives in the thread. Throws
  /// Error(device) if one of them failed.
  void finish();

  /// Waits for the launches of the calling thread. Throws Error(device) if one of them failed.
  static void wait();

 private:
  bool is_finished_ = false;
};

}  // namespace phpc::exec
