#include "jobs/casoff/row_queue.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "jobs/processors.hpp"
#include "phpc/core/threads.hpp"

namespace phpc::jobs {

namespace {

/// Enough to make a thread's way to it worth while, and few enough for all threads to get some of a chunk's.
constexpr std::size_t block_sites = 2048;
constexpr std::size_t most_waiting = 64;

}  // namespace

RowQueue::RowQueue(int threads, Steps steps) : threads_(threads), steps_(std::move(steps)), waiting_(most_waiting) {}

RowQueue::~RowQueue() {
  waiting_.cancel();
  if (putter_.joinable()) {
    putter_.join();
  }
}

void RowQueue::push(std::span<const casoff::Site> sites, const std::shared_ptr<const casoff::GenomeChunk>& chunk) {
  while (!sites.empty()) {
    const auto some = sites.first(std::min(block_sites, sites.size()));
    if (!waiting_.push({chunk, {some.begin(), some.end()}})) {
      wait_until_put(std::numeric_limits<std::size_t>::max());  // for the error that ended the queue
    }
    sites = sites.subspan(some.size());
    ++pushed_;
    if (!putter_.joinable()) {
      putter_ = start_thread([this] { run_all(); });
    }
  }
}

void RowQueue::flush() {
  wait_until_put(pushed_);
}

void RowQueue::wait_until_put(std::size_t blocks) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return finished_ || put_ >= blocks; });
  if (error_ != nullptr) {
    std::rethrow_exception(error_);
  }
}

void RowQueue::run_all() {
  use_all_processors();  // also for the threads that it starts
  std::exception_ptr error;
  try {
    run_with_workers(threads_);
  } catch (...) {
    error = std::current_exception();
  }
  waiting_.cancel();  // chunks go back, so that nobody waits for one
  {
    const std::scoped_lock lock(mutex_);
    error_ = error;
    finished_ = true;
  }
  changed_.notify_all();
}

bool RowQueue::read(RowBlock& rows) {
  std::optional<Waiting> next = waiting_.pop();
  if (!next) {
    return false;
  }
  rows.chunk = std::move(next->chunk);
  rows.sites = std::move(next->sites);
  rows.made = 0;
  steps_.begin(rows);
  return true;
}

void RowQueue::work(RowBlock& rows) {
  const auto chunk = std::exchange(rows.chunk, nullptr);
  rows.is_partial = false;
  steps_.make(rows, *chunk);
  rows.chunk = rows.is_partial ? chunk : nullptr;
}

void RowQueue::write(RowBlock& rows) {
  steps_.put(rows);
  while (rows.is_partial) {
    work(rows);
    steps_.put(rows);
  }
  {
    const std::scoped_lock lock(mutex_);
    ++put_;
  }
  changed_.notify_all();
}

void RowQueue::interrupt() {
  waiting_.cancel();
}

}  // namespace phpc::jobs
