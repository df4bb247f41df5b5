#include "phpc/core/pipeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>

#include "phpc/core/bounded_queue.hpp"

namespace phpc {
namespace {

std::atomic<int> numbers_alive = 0;

struct Number {
  Number() { ++numbers_alive; }
  ~Number() { --numbers_alive; }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  int value = 0;
};

enum class Where { nowhere, read, work, write };

/// How a pipeline runs, and what goes wrong in it.
struct Course {
  bool around_caller = false;
  int threads = 1;  ///< or slots, around the caller
  bool writes_beside = false;
  Where where = Where::nowhere;
  int at = 0;  ///< item that fails
};

/// Squares 0, 1, ... count - 1; throws in a stage of its own at one of them. Stages take a while by chance where there is a seed.
class Squares final : public Pipeline<Number> {
 public:
  explicit Squares(int count, Course run = {}, std::uint64_t seed = 0) : count_(count), run_(run), seed_(seed) {}

  void run() {
    if (run_.around_caller) {
      run_around_caller(static_cast<std::size_t>(run_.threads), run_.writes_beside ? Writing::on_own_thread : Writing::on_caller);
    } else {
      run_with_workers(run_.threads);
    }
  }

  std::vector<int> written;
  std::atomic<int> began = 0;       ///< threads
  std::atomic<int> interrupts = 0;  ///< calls
  std::atomic<int> most_at_once = 0;
  std::atomic<int> wrong_threads = 0;

 private:
  void pass(Where where, int value) {
    if (seed_ != 0) {
      std::mt19937_64 random(seed_ + 3 * static_cast<std::uint64_t>(value) + static_cast<std::uint64_t>(where));
      if (const auto chance = random() % 8; chance < 3) {
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 200));
      }
    }
    if (where == run_.where && value == run_.at) {
      throw std::runtime_error("at " + std::to_string(value));
    }
  }
  void expect_thread(bool is_callers) { wrong_threads += (std::this_thread::get_id() == caller_) == is_callers ? 0 : 1; }

  bool read(Number& number) override {
    most_at_once = std::max<int>(most_at_once, numbers_alive);
    if (next_ == count_) {
      return false;
    }
    number.value = next_++;
    expect_thread(run_.threads == 1);
    pass(Where::read, number.value);
    return true;
  }
  void work(Number& number) override {
    expect_thread(run_.threads == 1 || run_.around_caller);
    pass(Where::work, number.value);
    number.value *= number.value;
  }
  void write(Number& number) override {
    expect_thread(run_.threads == 1 || !run_.around_caller || !run_.writes_beside);
    pass(Where::write, static_cast<int>(written.size()));
    written.push_back(number.value);
  }
  void begin_thread() override { ++began; }
  void interrupt() override { ++interrupts; }

  const int count_;
  const Course run_;
  const std::uint64_t seed_;
  const std::thread::id caller_ = std::this_thread::get_id();
  int next_ = 0;
};

std::vector<Course> all_runs() {
  std::vector<Course> runs;
  for (const int threads : {1, 2, 3, 8}) {
    runs.push_back({.threads = threads});
    for (const bool writes_beside : {false, true}) {
      runs.push_back({.around_caller = true, .threads = threads, .writes_beside = writes_beside});
    }
  }
  return runs;
}

std::string name_of(const Course& run) {
  return (run.around_caller ? std::string("around the caller, slots ") : std::string("workers ")) + std::to_string(run.threads) +
         (run.writes_beside ? ", writes beside" : "") + ", stage " + std::to_string(static_cast<int>(run.where)) + " fails at " +
         std::to_string(run.at);
}

void expect_first_squares(const std::vector<int>& written, int count) {
  ASSERT_EQ(written.size(), static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ(written[static_cast<std::size_t>(i)], i * i);
  }
}

TEST(Pipeline, WritesEverythingInOrder) {
  for (const Course& run : all_runs()) {
    for (const int count : {0, 1, 5, 1000}) {
      SCOPED_TRACE(name_of(run));
      Squares squares(count, run);
      squares.run();
      expect_first_squares(squares.written, count);
      const int threads = run.threads == 1 ? 0 : run.around_caller ? 1 + (run.writes_beside ? 1 : 0) : run.threads;
      EXPECT_EQ(squares.began, threads);
      EXPECT_EQ(squares.interrupts, 0);
      EXPECT_EQ(squares.wrong_threads, 0);
      EXPECT_EQ(numbers_alive, 0);
      EXPECT_LE(squares.most_at_once, run.around_caller ? run.threads : 2 * run.threads);
    }
  }
}

TEST(Pipeline, ThrowsWhatAStageThrewAfterWhatCameBefore) {
  for (Course run : all_runs()) {
    for (const Where where : {Where::read, Where::work, Where::write}) {
      for (const int at : {0, 1, 57}) {
        run.where = where;
        run.at = at;
        SCOPED_TRACE(name_of(run));
        Squares squares(100, run);
        try {
          squares.run();
          ADD_FAILURE() << "no error";
        } catch (const std::runtime_error& error) {
          EXPECT_EQ(error.what(), "at " + std::to_string(at));
        }
        expect_first_squares(squares.written, at);
        EXPECT_EQ(squares.interrupts, run.threads == 1 ? 0 : 1);
        EXPECT_EQ(numbers_alive, 0);
      }
    }
  }
}

TEST(Pipeline, KeepsOrderAndErrorsWhateverStagesTake) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937_64 random(seed);
    const std::vector<Course> runs = all_runs();
    Course run = runs[random() % runs.size()];
    const int count = static_cast<int>(random() % 120);
    run.where = static_cast<Where>(random() % 4);
    run.at = static_cast<int>(random() % 120);
    SCOPED_TRACE(name_of(run));
    const bool fails = run.where != Where::nowhere && run.at < count;
    Squares squares(count, run, seed);
    if (fails) {
      EXPECT_THROW(squares.run(), std::runtime_error);
    } else {
      squares.run();
    }
    expect_first_squares(squares.written, fails ? run.at : count);
    EXPECT_EQ(numbers_alive, 0);
  }
}

/// Every item fails in a stage that chance chooses: the first item's error is thrown, whichever came first.
class Failing final : public Pipeline<Number> {
 public:
  explicit Failing(std::uint64_t seed) : random_(seed) {}
  using Pipeline::run_around_caller;
  using Pipeline::run_with_workers;
  using Pipeline::Writing;
  int written = 0;
  int first_failing = 7;

 private:
  void wait() {
    std::chrono::microseconds time;
    {
      const std::scoped_lock lock(mutex_);
      time = std::chrono::microseconds(random_() % 300);
    }
    std::this_thread::sleep_for(time);
  }
  bool read(Number& number) override {
    number.value = next_++;
    return true;
  }
  void work(Number& number) override {
    wait();
    if (number.value >= first_failing && number.value % 2 == 1) {
      throw std::runtime_error(std::to_string(number.value));
    }
  }
  void write(Number& number) override {
    wait();
    if (number.value >= first_failing) {
      throw std::runtime_error(std::to_string(number.value));
    }
    ++written;
  }

  std::mutex mutex_;
  std::mt19937_64 random_;
  int next_ = 0;
};

TEST(Pipeline, ThrowsTheErrorOfTheEarliestItem) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Failing pipeline(seed);
    pipeline.first_failing = static_cast<int>(seed % 9);
    try {
      if (seed % 2 == 0) {
        pipeline.run_with_workers(6);
      } else {
        pipeline.run_around_caller(4, Failing::Writing::on_own_thread);
      }
      ADD_FAILURE() << "no error";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), std::to_string(pipeline.first_failing));
    }
    EXPECT_EQ(pipeline.written, pipeline.first_failing);
  }
}

/// Reads from a queue that gives nothing after its first elements.
class Waiting final : public Pipeline<Number> {
 public:
  Waiting() {
    queue_.push(1);
    queue_.push(2);
  }
  using Pipeline::run_around_caller;
  using Pipeline::run_with_workers;
  using Pipeline::Writing;

 private:
  bool read(Number& number) override {
    number.value = queue_.pop().value_or(0);
    return number.value > 0;
  }
  void work(Number& number) override {
    if (number.value == 2) {
      throw std::runtime_error("enough");
    }
  }
  void write(Number& /*number*/) override {}
  void interrupt() override { queue_.cancel(); }

  BoundedQueue<int> queue_{4};
};

TEST(Pipeline, InterruptsAReaderThatWaits) {
  EXPECT_THROW(Waiting().run_with_workers(3), std::runtime_error);
  EXPECT_THROW(Waiting().run_around_caller(3, Waiting::Writing::on_own_thread), std::runtime_error);
  EXPECT_THROW(Waiting().run_around_caller(3, Waiting::Writing::on_caller), std::runtime_error);
}

/// Each stage waits until both others are at work: they overlap, or the test never ends.
class Meeting final : public Pipeline<Number> {
 public:
  using Pipeline::run_around_caller;
  using Pipeline::Writing;

 private:
  static constexpr int items = 6;
  /// Of item i, i + 1 and i + 2 in the stages write, work and read at once; the first and last items have fewer beside them.
  void meet(int round) {
    const int expected = std::min({3, round + 1, items + 2 - round});
    std::unique_lock lock(mutex_);
    ++arrived_[static_cast<std::size_t>(round)];
    changed_.notify_all();
    changed_.wait(lock, [&] { return arrived_[static_cast<std::size_t>(round)] == expected; });
  }
  bool read(Number& number) override {
    number.value = next_++;
    if (number.value == items) {
      return false;
    }
    meet(number.value);
    return true;
  }
  void work(Number& number) override { meet(number.value + 1); }
  void write(Number& number) override { meet(number.value + 2); }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<int> arrived_ = std::vector<int>(items + 2);
  int next_ = 0;
};

TEST(Pipeline, OverlapsAllThreeStagesWithThreeSlots) {
  Meeting().run_around_caller(3, Meeting::Writing::on_own_thread);
}

}  // namespace
}  // namespace phpc
