#pragma once
#include <functional>
#include <future>
#include <thread>
#include <utility>
#include <vector>

namespace phpc {

/// Starts a thread that runs `work`, which must not throw. Throws Error(io) where the system starts none (a limit of processes or
/// of memory).
std::thread start_thread(std::function<void()> work);

/// Threads that are joined at the end of the scope.
class Threads {
 public:
  Threads() = default;
  ~Threads() { join(); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  /// Starts `count` threads that run `work`, which must not throw, or as many as the system starts: perhaps none. Returns how
  /// many it started.
  int start(int count, const std::function<void()>& work);
  void join();

 private:
  std::vector<std::thread> threads_;
};

/// Runs `work` on a thread of its own, or, where the system starts none, on the thread that asks the future for its result.
/// Returns the future, whose destructor waits for the work.
template <class Work>
auto start_work(Work work) {
  return std::async(std::launch::async | std::launch::deferred, std::move(work));
}

}  // namespace phpc
