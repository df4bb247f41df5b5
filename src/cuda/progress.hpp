#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

namespace phpc::cuda {

/// How far the work of one stream is. Each piece of work has a ticket, 1, 2, ..., and they are done in that order.
class Progress {
 public:
  /// The next ticket. One caller at a time.
  std::uint64_t take() { return ++taken_; }
  /// The last ticket given; 0 = none.
  [[nodiscard]] std::uint64_t taken() const { return taken_; }
  [[nodiscard]] bool is_done(std::uint64_t ticket) const { return done_ >= ticket; }
  /// Returns when the work of `ticket` and all before it is done.
  void wait(std::uint64_t ticket);
  /// Says that the work of `ticket` is done; that before it was.
  void finish(std::uint64_t ticket);

 private:
  std::atomic<std::uint64_t> taken_ = 0;
  std::atomic<std::uint64_t> done_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
};

/// A piece of work that other work waits for.
struct Dependency {
  std::shared_ptr<Progress> progress;
  std::uint64_t ticket = 0;

  [[nodiscard]] bool is_done() const { return progress == nullptr || progress->is_done(ticket); }
  void wait() const {
    if (progress != nullptr) {
      progress->wait(ticket);
    }
  }
};

}  // namespace phpc::cuda
