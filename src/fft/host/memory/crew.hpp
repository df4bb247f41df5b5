#pragma once
#include <algorithm>
#include <cstddef>
#include <utility>

#include "phpc/core/types.hpp"

namespace phpc::fft {

/// The host threads that work on the same transforms: all of a parallel region, or one alone. An object is one thread's view.
struct Crew {
  int rank = 0;
  int size = 1;

  /// This thread's part [first, second) of `count` pieces of work.
  [[nodiscard]] std::pair<index_t, index_t> share(index_t count) const {
    return {count * rank / size, count * (rank + 1) / size};
  }

  /// Waits for the others.
  void wait() const {
    if (size > 1) {
#pragma omp barrier
    }
  }
};

/// Fetches memory that will be read next into the second-level cache, step by step while something else is computed. The
/// processor's own prefetcher does not see that one transform's rows end where the next one's begin.
class Prefetcher {
 public:
  Prefetcher() = default;
  /// Fetches all `bytes` in `steps` calls of step().
  Prefetcher(const void* first, std::size_t bytes, index_t steps)
      : next_(static_cast<const char*>(first)),
        end_(next_ + bytes),
        step_((bytes / static_cast<std::size_t>(std::max<index_t>(steps, 1)) / line + 1) * line) {}

  [[gnu::always_inline]] void step() {
    const char* const stop = next_ + std::min<std::size_t>(step_, static_cast<std::size_t>(end_ - next_));
    for (; next_ < stop; next_ += line) {
      __builtin_prefetch(next_, 0, 2);
    }
    next_ = std::min(next_, end_);
  }

 private:
  static constexpr std::size_t line = 64;
  const char* next_ = nullptr;
  const char* end_ = nullptr;
  std::size_t step_ = 0;
};

}  // namespace phpc::fft
