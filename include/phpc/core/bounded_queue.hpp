#pragma once
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

namespace phpc {

/// A queue between threads that holds at most `capacity` elements, first in, first out: who pushes waits for room, who pops waits
/// for an element. The side that pushes ends it by close(), the side that pops by cancel(). All calls on any thread.
template <class T>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}
  BoundedQueue(const BoundedQueue&) = delete;
  BoundedQueue& operator=(const BoundedQueue&) = delete;

  /// Waits until there is room; false where the queue has ended. The next push does not wait where only one thread pushes.
  bool wait_for_room() {
    std::unique_lock lock(mutex_);
    return wait_for_room(lock);
  }

  /// Waits for room and appends `element`; drops it and returns false where the queue has ended.
  bool push(T element) {
    {
      std::unique_lock lock(mutex_);
      if (!wait_for_room(lock)) {
        return false;
      }
      elements_.push_back(std::move(element));
    }
    changed_.notify_all();
    return true;
  }

  /// Waits for an element and takes it out. After the last one of a queue that has ended: throws the error that it was closed
  /// with, or returns nothing.
  std::optional<T> pop() {
    std::optional<T> first;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return has_ended_ || !elements_.empty(); });
      if (elements_.empty()) {
        if (error_ != nullptr) {
          std::rethrow_exception(error_);
        }
        return first;
      }
      first.emplace(std::move(elements_.front()));
      elements_.pop_front();
    }
    changed_.notify_all();
    return first;
  }

  /// Ends the queue: elements that it holds can still be popped, no more are taken. `error` is what pop() then throws. Does
  /// nothing where the queue has ended.
  void close(std::exception_ptr error = nullptr) {
    {
      const std::scoped_lock lock(mutex_);
      if (!has_ended_) {
        has_ended_ = true;
        error_ = std::move(error);
      }
    }
    changed_.notify_all();
  }

  /// Ends the queue and drops what it holds. False where it had ended before.
  bool cancel() {
    std::deque<T> dropped;  // outside of the lock: destructors may take time
    bool was_open = false;
    {
      const std::scoped_lock lock(mutex_);
      was_open = !std::exchange(has_ended_, true);
      dropped.swap(elements_);
    }
    changed_.notify_all();
    return was_open;
  }

 private:
  bool wait_for_room(std::unique_lock<std::mutex>& lock) {
    changed_.wait(lock, [this] { return has_ended_ || elements_.size() < capacity_; });
    return !has_ended_;
  }

  const std::size_t capacity_;
  std::mutex mutex_;  ///< guards all below
  std::condition_variable changed_;
  std::deque<T> elements_;
  std::exception_ptr error_;
  bool has_ended_ = false;
};

}  // namespace phpc
