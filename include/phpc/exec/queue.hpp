#pragma once
#include <functional>
#include <memory>

#include "phpc/exec/device.hpp"

namespace phpc::exec {

/// A queue of work on one device, done in order beside the calling thread: copies of one queue overlap the kernels of another.
///
/// On a device a worker thread issues the regions and copies. On NVIDIA's GPUs launches of one piece of work are queued behind
/// those of the one before (unfinished_launches.hpp; ten of them took 6 us each on an H100, and 14 us each with a wait between);
/// elsewhere a launch is done when it returns. (`nowait` + `depend` + `taskwait` took 15 us for one region and 30 us for two on
/// an H200: libomp's hidden helper threads.) On the host, where a queue could only fight the kernels for cores, enqueue runs the
/// work at once.
class Queue {
 public:
  /// `when_idle` is called by the worker each time there is no more work, and waits for its launches or leaves that
  /// to the queue.
  explicit Queue(Device device, std::function<void()> when_idle = {});
  /// Waits for the work; an error nobody waited for is dropped.
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  [[nodiscard]] Device device() const { return device_; }

  /// Appends work: any mix of launch(device(), ...) and copies. What it refers to must live until wait() returns, and what it
  /// writes is there then.
  void enqueue(std::function<void()> work);
  /// Returns when everything enqueued is done; throws the first error that the work threw (later work was then skipped).
  void wait();

 private:
  struct Worker;
  Device device_;
  std::unique_ptr<Worker> worker_;
};

}  // namespace phpc::exec
