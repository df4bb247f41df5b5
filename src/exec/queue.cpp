#include "phpc/exec/queue.hpp"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "phpc/core/threads.hpp"

namespace phpc::exec {

struct Queue::Worker {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> pending;
  bool busy = false;
  bool closing = false;
  std::exception_ptr error;
  std::thread thread = start_thread([this] { run(); });

  void run() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return closing || !pending.empty(); });
      if (pending.empty()) {
        return;
      }
      const std::function<void()> work = std::move(pending.front());
      pending.pop_front();
      if (error != nullptr) {
        continue;
      }
      busy = true;
      lock.unlock();
      std::exception_ptr thrown;
      try {
        work();
      } catch (...) {
        thrown = std::current_exception();
      }
      lock.lock();
      busy = false;
      error = thrown;
      changed.notify_all();
    }
  }
};

Queue::Queue(Device device) : device_(device) {
  if (!device.is_host()) {
    worker_ = std::make_unique<Worker>();
  }
}

Queue::~Queue() {
  if (worker_ != nullptr) {
    {
      const std::scoped_lock lock(worker_->mutex);
      worker_->closing = true;
    }
    worker_->changed.notify_all();
    worker_->thread.join();
  }
}

void Queue::enqueue(std::function<void()> work) {
  if (worker_ == nullptr) {
    work();
    return;
  }
  {
    const std::scoped_lock lock(worker_->mutex);
    worker_->pending.push_back(std::move(work));
  }
  worker_->changed.notify_all();
}

void Queue::wait() {
  if (worker_ == nullptr) {
    return;
  }
  std::unique_lock lock(worker_->mutex);
  worker_->changed.wait(lock, [this] { return !worker_->busy && (worker_->pending.empty() || worker_->error != nullptr); });
  if (worker_->error != nullptr) {
    worker_->pending.clear();
    std::rethrow_exception(std::exchange(worker_->error, nullptr));
  }
}

}  // namespace phpc::exec
