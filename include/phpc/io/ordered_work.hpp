#pragma once
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "phpc/core/threads.hpp"

namespace phpc::io {

/// Work that is begun and delivered in order and done by several threads at once: reading a file block by block, say.
/// `Item` holds a block's memory and is used again.
template <class Item>
class OrderedWork {
 public:
  virtual ~OrderedWork() = default;

  /// Calls begin, work and deliver for every item until begin says that there is none. With one thread everything happens on the
  /// caller's; else begin and work on `threads` others, or as many as can be started, and deliver on the caller's. Throws what
  /// any of them threw, in order: items before the one that failed are delivered.
  void run(int threads) {
    if (threads > 1) {
      slots_ = std::vector<Slot>(2 * static_cast<std::size_t>(threads));
      const SlotsCleared cleared{*this};
      Threads workers;
      Stopper stopper{*this};  // the workers are joined after it
      const bool has_workers = workers.start(threads, [this] { serve(); }) > 0;
      if (has_workers) {
        deliver_all();
      }
      stopper.is_complete = true;
      if (has_workers) {
        return;
      }
    }
    const auto item = std::make_unique<Item>();
    while (begin(*item)) {
      work(*item);
      deliver(*item);
    }
  }

 protected:
  /// Says what the item is; false when there is no more. On one thread at a time, in order.
  virtual bool begin(Item& item) = 0;
  /// On several threads at once, each with an item of its own.
  virtual void work(Item& item) = 0;
  /// On one thread, in order.
  virtual void deliver(Item& item) = 0;
  /// After an error, while other threads may be in begin() and work(): makes a begin() throw that waits for others' input, which
  /// may never come.
  virtual void interrupt() {}

 private:
  enum class Stage { free, busy, done, last };
  struct Slot {
    std::unique_ptr<Item> item;
    std::exception_ptr error;
    Stage stage = Stage::free;
  };
  /// Lets go of what items hold.
  struct SlotsCleared {
    OrderedWork& owner;
    ~SlotsCleared() { owner.slots_.clear(); }
  };
  struct Stopper {
    OrderedWork& owner;
    bool is_complete = false;
    ~Stopper() {
      {
        const std::scoped_lock lock(owner.mutex_);
        owner.stopped_ = true;
      }
      owner.changed_.notify_all();
      if (!is_complete) {
        owner.interrupt();
      }
    }
  };

  /// Waits for a free slot and begins an item in it; nullptr when there is nothing more to begin.
  Slot* begin_next() {
    const std::scoped_lock turn(begin_mutex_);
    if (begun_all_) {
      return nullptr;
    }
    Slot& slot = slots_[next_ % slots_.size()];
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stopped_ || slot.stage == Stage::free; });
      if (stopped_) {
        return nullptr;
      }
      slot.stage = Stage::busy;
    }
    ++next_;
    try {
      if (slot.item == nullptr) {
        slot.item = std::make_unique<Item>();
      }
      if (begin(*slot.item)) {
        return &slot;
      }
    } catch (...) {
      slot.error = std::current_exception();
    }
    begun_all_ = true;
    finish(slot, Stage::last);
    return nullptr;
  }

  void serve() {
    while (Slot* const slot = begin_next()) {
      try {
        work(*slot->item);
      } catch (...) {
        slot->error = std::current_exception();
      }
      finish(*slot, Stage::done);
    }
  }

  void finish(Slot& slot, Stage stage) {
    {
      const std::scoped_lock lock(mutex_);
      slot.stage = stage;
    }
    changed_.notify_all();
  }

  void deliver_all() {
    for (std::size_t at = 0;; ++at) {
      Slot& slot = slots_[at % slots_.size()];
      Stage stage;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return slot.stage == Stage::done || slot.stage == Stage::last; });
        stage = slot.stage;
      }
      if (slot.error != nullptr) {
        std::rethrow_exception(slot.error);
      }
      if (stage == Stage::last) {
        return;
      }
      deliver(*slot.item);
      finish(slot, Stage::free);
    }
  }

  std::vector<Slot> slots_;
  std::mutex begin_mutex_;  ///< held while an item is begun
  std::mutex mutex_;        ///< guards stages and stopped_
  std::condition_variable changed_;
  std::size_t next_ = 0;
  bool begun_all_ = false;
  bool stopped_ = false;
};

}  // namespace phpc::io
