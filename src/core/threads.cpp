#include "phpc/core/threads.hpp"

#include <algorithm>
#include <system_error>

#include "phpc/core/error.hpp"

namespace phpc {

std::thread start_thread(std::function<void()> work) {
  try {
    return std::thread(std::move(work));
  } catch (const std::system_error& error) {
    fail_errno("cannot start a thread", error.code().value());
  }
}

int Threads::start(int count, const std::function<void()>& work) {
  const std::size_t before = threads_.size();
  threads_.reserve(before + static_cast<std::size_t>(std::max(count, 0)));
  try {
    for (int i = 0; i < count; ++i) {
      threads_.emplace_back(work);
    }
  } catch (const std::system_error&) {  // those that run must do
  }
  return static_cast<int>(threads_.size() - before);
}

void Threads::join() {
  for (std::thread& thread : threads_) {
    thread.join();
  }
  threads_.clear();
}

}  // namespace phpc
