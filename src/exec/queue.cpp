#include "phpc/exec/queue.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "exec/nvidia/devices.hpp"
#include "phpc/core/threads.hpp"
#include "phpc/exec/unfinished_launches.hpp"

namespace phpc::exec {

namespace {

/// How long a worker of a GPU looks for new work before it sleeps: waking it takes about as long.
constexpr auto looks_for = std::chrono::microseconds(50);

}  // namespace

struct Queue::Worker {
  Worker(Device device, std::function<void()> idle)
      : spins(device.is_gpu() && nvidia::may_spin()), when_idle(std::move(idle)), thread(start_thread([this] { run(); })) {}

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> pending;
  std::atomic<std::uint64_t> given = 0;  ///< pieces of work so far
  bool busy = false;
  bool closing = false;
  std::exception_ptr error;
  bool spins;
  std::function<void()> when_idle;
  std::thread thread;  // last: it uses all of the above

  /// Spins for a while until there is more work than `seen`.
  void look_for_work(std::uint64_t seen) const {
    const auto end = std::chrono::steady_clock::now() + looks_for;
    while (given.load(std::memory_order_relaxed) == seen && std::chrono::steady_clock::now() < end) {
    }
  }

  /// Runs a function of the queue's owner, and keeps the first error.
  template <class Work>
  void guard(const Work& work) {
    try {
      work();
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (error == nullptr) {
        error = std::current_exception();
      }
    }
  }

  void run() {
    UnfinishedLaunches unfinished;
    std::unique_lock lock(mutex);
    for (;;) {
      if (pending.empty() && spins && !closing) {
        const std::uint64_t seen = given;
        lock.unlock();
        look_for_work(seen);
        lock.lock();
      }
      changed.wait(lock, [this] { return closing || !pending.empty(); });
      if (pending.empty()) {
        return;
      }
      busy = true;
      while (!pending.empty()) {
        const std::function<void()> work = std::move(pending.front());
        pending.pop_front();
        const bool is_skipped = error != nullptr;
        lock.unlock();
        if (!is_skipped) {
          guard(work);
        }
        lock.lock();
        if (pending.empty()) {
          lock.unlock();
          if (when_idle) {
            when_idle();
          }
          guard([] { UnfinishedLaunches::wait(); });
          lock.lock();
        }
      }
      busy = false;
      changed.notify_all();
    }
  }
};

Queue::Queue(Device device, std::function<void()> when_idle) : device_(device) {
  if (!device.is_host()) {
    worker_ = std::make_unique<Worker>(device, std::move(when_idle));
  }
}

Queue::~Queue() {
  if (worker_ != nullptr) {
    {
      const std::scoped_lock lock(worker_->mutex);
      worker_->closing = true;
      ++worker_->given;
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
    ++worker_->given;
  }
  worker_->changed.notify_all();
}

void Queue::wait() {
  if (worker_ == nullptr) {
    return;
  }
  std::unique_lock lock(worker_->mutex);
  worker_->changed.wait(lock, [this] { return !worker_->busy && worker_->pending.empty(); });
  if (worker_->error != nullptr) {
    std::rethrow_exception(std::exchange(worker_->error, nullptr));
  }
}

}  // namespace phpc::exec
