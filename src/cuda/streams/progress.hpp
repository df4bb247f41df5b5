#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

namespace phpc::cuda {

/// The progress of one stream's work. Each piece of work has a ticket, 1, 2, ..., and they are done in that order.
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

  /// Waits for work that was issued, by whichever thread, and keeps its errors.
  using Settle = std::function<void()>;
  /// Says that the work of `ticket` was issued to the device, in the order of what is not done before it. Who waits for it is to
  /// call `settle`.
  void issue(std::uint64_t ticket, std::shared_ptr<const Settle> settle);
  /// The last ticket whose work was issued; 0 = none.
  [[nodiscard]] std::uint64_t issued() const { return issued_; }
  /// Whether the last ticket given is of work that was issued and that nobody has waited for.
  [[nodiscard]] bool ends_in_issued() const { return issued_ == taken_ && !is_done(issued_); }

 private:
  /// Returns when the work of `ticket` is done, or was issued.
  void wait_until_issued(std::uint64_t ticket);
  /// Waits for what was issued, if that is up to `ticket` or further.
  void settle_issued(std::uint64_t ticket);

  std::atomic<std::uint64_t> taken_ = 0;
  std::atomic<std::uint64_t> done_ = 0;
  std::atomic<std::uint64_t> issued_ = 0;
  std::shared_ptr<const Settle> settle_;  ///< of what was issued
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
