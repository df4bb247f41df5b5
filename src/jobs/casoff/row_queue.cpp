#include "jobs/casoff/row_queue.hpp"

#include <algorithm>
#include <utility>

#include "jobs/processors.hpp"
#include "phpc/core/threads.hpp"

namespace phpc::jobs {

namespace {

/// Enough to make a thread's way to it worth while, and few enough for all threads to get some of a chunk's.
constexpr std::size_t block_sites = 2048;
constexpr std::size_t most_waiting = 64;

}  // namespace

RowQueue::RowQueue(int threads, Steps steps) : threads_(threads), steps_(std::move(steps)) {}

RowQueue::~RowQueue() {
  close();
  if (putter_.joinable()) {
    putter_.join();
  }
}

void RowQueue::push(std::span<const casoff::Site> sites, const std::shared_ptr<const casoff::GenomeChunk>& chunk) {
  while (!sites.empty()) {
    const auto some = sites.first(std::min(block_sites, sites.size()));
    Waiting block{chunk, {some.begin(), some.end()}};
    sites = sites.subspan(some.size());
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return finished_ || (!closed_ && waiting_.size() < most_waiting); });
      if (error_ != nullptr) {
        std::rethrow_exception(error_);
      }
      waiting_.push_back(std::move(block));
      ++pushed_;
    }
    changed_.notify_all();
    if (!putter_.joinable()) {
      putter_ = start_thread([this] { run_all(); });
    }
  }
}

void RowQueue::flush() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return finished_ || (!closed_ && put_ == pushed_); });
  if (error_ != nullptr) {
    std::rethrow_exception(error_);
  }
}

void RowQueue::run_all() {
  use_all_processors();
  std::exception_ptr error;
  try {
    run(threads_);
  } catch (...) {
    error = std::current_exception();
  }
  {
    const std::scoped_lock lock(mutex_);
    error_ = error;
    finished_ = true;
  }
  changed_.notify_all();
}

void RowQueue::close() {
  {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    waiting_.clear();
  }
  changed_.notify_all();
}

/// Threads that wait for blocks must hear of an error, or nobody would hear of it.
template <class Step>
void RowQueue::guarded(Step step) {
  try {
    step();
  } catch (...) {
    close();
    throw;
  }
}

bool RowQueue::begin(RowBlock& rows) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
    if (closed_) {
      return false;
    }
    rows.chunk = std::move(waiting_.front().chunk);
    rows.sites = std::move(waiting_.front().sites);
    waiting_.pop_front();
    rows.made = 0;
  }
  changed_.notify_all();
  try {
    guarded([&] { steps_.begin(rows); });
  } catch (...) {
    rows.chunk = nullptr;
    throw;
  }
  return true;
}

void RowQueue::work(RowBlock& rows) {
  const auto chunk = std::exchange(rows.chunk, nullptr);
  rows.is_partial = false;
  guarded([&] { steps_.make(rows, *chunk); });
  rows.chunk = rows.is_partial ? chunk : nullptr;
}

void RowQueue::deliver(RowBlock& rows) {
  guarded([&] { steps_.put(rows); });
  while (rows.is_partial) {
    work(rows);
    guarded([&] { steps_.put(rows); });
  }
  {
    const std::scoped_lock lock(mutex_);
    ++put_;
  }
  changed_.notify_all();
}

}  // namespace phpc::jobs
