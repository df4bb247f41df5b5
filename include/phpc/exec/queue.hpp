#pragma once
#include <functional>
#include <memory>

#include "phpc/exec/device.hpp"

namespace phpc::exec {

/// Work on one device that runs in order, beside the calling thread: copies of one queue overlap the kernels of another.
///
/// On a device a worker thread issues the (synchronous) regions and copies: measured on an H200, a region takes 9.5 us that way,
/// while `nowait` + `depend` + `taskwait` takes 15 us for one and 30 us for two (libomp's hidden helper threads). On the host,
/// where a queue could only fight the kernels for cores, enqueue runs the work at once.
class Queue {
 public:
  explicit Queue(Device device);
  /// Waits for the work; an error nobody waited for is dropped.
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  [[nodiscard]] Device device() const { return device_; }

  /// Appends work: any mix of launch(device(), ...) and copies. What it refers to must live until wait() returns.
  void enqueue(std::function<void()> work);
  /// Returns when everything enqueued is done; throws the first error that the work threw (later work was then skipped).
  void wait();

 private:
  struct Worker;
  Device device_;
  std::unique_ptr<Worker> worker_;
};

}  // namespace phpc::exec
