#pragma once
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "phpc/core/threads.hpp"

namespace phpc {

/// A pipeline takes items through three stages: read, work and write. Items are read one at a time, in order, and written one at
/// a time, in the same order; which threads run the stages, and so what overlaps what, is chosen by run_with_workers() or
/// run_around_caller(). An item lies in a slot. There is a fixed number of slots, and each is used again for a later item, with
/// the memory that its Item holds: a stage waits where there is no slot for it.
///
/// The error of the earliest item wins: items before it are still written, later ones are dropped, and run throws the error when
/// all threads are joined. A derived class defines the stages, and runs once.
template <class Item>
class Pipeline {
 public:
  Pipeline() = default;
  virtual ~Pipeline() = default;
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  /// Reads and works on `threads` other threads, each with an item of its own, and writes on the caller's; two slots a thread.
  /// All three stages run on the caller's thread where `threads` is 1 or the system starts none.
  void run_with_workers(int threads) {
    if (threads > 1) {
      make_slots(2 * static_cast<std::size_t>(threads));
      Threads workers;
      Threads no_writer;
      Stopper stopper{*this};
      const bool has_workers = workers.start(threads, [this] { read_and_work(); }) > 0;
      if (has_workers) {
        finish_stage(Stage::worked, Stage::free, [this](Item& item) { write(item); });
      }
      stopper.is_over = true;
      if (has_workers) {
        end(no_writer, workers);
        return;
      }
    }
    run_serially();
  }

  /// Where run_around_caller() writes.
  enum class Writing { on_caller, on_own_thread };

  /// Works on the caller's thread, as OpenMP's regions want it, while another one reads; writes on a third thread, or on the
  /// caller's after the work. All stages run on the caller's thread where `slots` is 1 or the system starts no thread.
  void run_around_caller(std::size_t slots, Writing writing) {
    if (slots > 1) {
      make_slots(slots);
      Threads reader;
      Threads writer;
      Stopper stopper{*this};
      const bool has_reader = reader.start(1, [this] { read_all(); }) > 0;
      if (has_reader) {
        const bool has_writer = writing == Writing::on_own_thread && writer.start(1, [this] { write_all(); }) > 0;
        finish_stage(Stage::read, has_writer ? Stage::worked : Stage::free, [this, has_writer](Item& item) {
          work(item);
          if (!has_writer) {
            write(item);
          }
        });
      }
      stopper.is_over = true;
      if (has_reader) {
        end(writer, reader);
        return;
      }
    }
    run_serially();
  }

 protected:
  /// Fills the next item; false where there is none. One call at a time, in order.
  virtual bool read(Item& item) = 0;
  /// Called by several threads at once in run_with_workers(), each with an item of its own; else in order.
  virtual void work(Item& item) = 0;
  /// One call at a time, in order.
  virtual void write(Item& item) = 0;
  /// Called on each thread that the pipeline starts, before anything else. Must not throw.
  virtual void begin_thread() {}
  /// Called after an error, when all earlier items are written and another thread may still be in read(): ends a read() that
  /// waits for what may never come, with an exception or without.
  virtual void interrupt() {}

 private:
  /// What the item in a slot has gone through. `free`: there is none; `busy`: a thread has it in hand.
  enum class Stage { free, busy, read, worked };
  struct Slot {
    std::unique_ptr<Item> item;
    Stage stage = Stage::free;
  };

  /// Ends the pipeline where an exception passes, as when memory for a thread is short: threads that were started would wait for
  /// those that were not. To be destroyed before the threads are joined.
  struct Stopper {
    Pipeline& owner;
    bool is_over = false;
    ~Stopper() {
      if (!is_over) {
        owner.end_at(0, nullptr);
        owner.interrupt();
      }
    }
  };

  void make_slots(std::size_t count) { slots_ = std::vector<Slot>(count); }

  void run_serially() {
    slots_.clear();
    const auto item = std::make_unique<Item>();
    while (read(*item)) {
      work(*item);
      write(*item);
    }
  }

  /// Waits until item `number` has gone through `stage`, or its slot is free, and takes it in hand; nullptr where the item is not
  /// wanted.
  Slot* take(std::size_t number, Stage stage) {
    Slot& slot = slots_[number % slots_.size()];
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return number >= end_ || slot.stage == stage; });
    if (number >= end_) {
      return nullptr;
    }
    slot.stage = Stage::busy;
    return &slot;
  }

  void pass(Slot& slot, Stage stage) {
    {
      const std::scoped_lock lock(mutex_);
      slot.stage = stage;
    }
    changed_.notify_all();
  }

  /// No item from `number` on is wanted: there is none, or it failed.
  void end_at(std::size_t number, std::exception_ptr error) {
    {
      const std::scoped_lock lock(mutex_);
      if (number < end_) {
        end_ = number;
        error_ = std::move(error);
      }
    }
    changed_.notify_all();
  }

  /// False where `step` threw.
  template <class Step>
  bool attempt(std::size_t number, const Step& step) {
    try {
      step();
      return true;
    } catch (...) {
      end_at(number, std::current_exception());
      return false;
    }
  }

  /// Reads an item into the next slot, and sets its number; nullptr where no more are wanted. One call at a time.
  Slot* read_next(std::size_t& number) {
    number = next_read_++;
    Slot* const slot = take(number, Stage::free);
    bool is_there = false;
    const bool went_well = slot != nullptr && attempt(number, [&] {
                             if (slot->item == nullptr) {
                               slot->item = std::make_unique<Item>();
                             }
                             is_there = read(*slot->item);
                           });
    if (went_well && !is_there) {
      end_at(number, nullptr);
    }
    return is_there ? slot : nullptr;
  }

  void read_all() {
    begin_thread();
    std::size_t number = 0;
    while (Slot* const slot = read_next(number)) {
      pass(*slot, Stage::read);
    }
  }

  void read_and_work() {
    begin_thread();
    for (;;) {
      std::size_t number = 0;
      Slot* slot = nullptr;
      {
        const std::scoped_lock turn(read_mutex_);
        slot = read_next(number);
      }
      if (slot == nullptr || !attempt(number, [&] { work(*slot->item); })) {
        return;
      }
      pass(*slot, Stage::worked);
    }
  }

  void write_all() {
    begin_thread();
    finish_stage(Stage::worked, Stage::free, [this](Item& item) { write(item); });
  }

  /// Takes all items from one stage to another, in order, by `step`.
  template <class Step>
  void finish_stage(Stage from, Stage to, const Step& step) {
    for (std::size_t number = 0; Slot* const slot = take(number, from); ++number) {
      if (!attempt(number, [&] { step(*slot->item); })) {
        return;
      }
      pass(*slot, to);
    }
  }

  /// Joins all threads, those that read last: they may have to be interrupted. Throws the error.
  void end(Threads& writer, Threads& readers) {
    writer.join();
    if (error_ != nullptr) {  // no thread changes it any more: all earlier items are written
      interrupt();
    }
    readers.join();
    slots_.clear();
    if (error_ != nullptr) {
      std::rethrow_exception(std::exchange(error_, nullptr));
    }
  }

  std::vector<Slot> slots_;
  std::mutex read_mutex_;  ///< held while an item is read
  std::size_t next_read_ = 0;
  std::mutex mutex_;  ///< guards stages, end_ and error_
  std::condition_variable changed_;
  std::size_t end_ = std::numeric_limits<std::size_t>::max();  ///< number of the first item that is not wanted
  std::exception_ptr error_;                                   ///< of that item
};

}  // namespace phpc
