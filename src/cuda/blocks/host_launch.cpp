#include "phpc/cuda/detail/host_launch.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>

#include "phpc/core/first_error.hpp"
#include "phpc/exec/buffer.hpp"
#include "phpc/exec/device.hpp"
#include "phpc/exec/launch_trace.hpp"

namespace phpc::cuda::detail {

namespace {

/// A clock in units of its own, which is read in less time than a system's clock.
std::int64_t ticks() {
#if defined(__x86_64__)
  return static_cast<std::int64_t>(__builtin_ia32_rdtsc());
#else
  return std::chrono::steady_clock::now().time_since_epoch().count();
#endif
}

/// The ticks since an earlier time; 0 where a thread has moved to a processor whose clock is behind.
std::int64_t ticks_since(std::int64_t begin) {
  return std::max<std::int64_t>(0, ticks() - begin);
}

/// Memory for the scratch of a host thread, kept from one launch to the next.
class KeptScratch {
 public:
  exec::DynamicScratch of(std::size_t bytes) {
    if (bytes > bytes_) {
      memory_.reset();
      bytes_ = 0;
      memory_.reset(static_cast<std::byte*>(exec::allocate_bytes(exec::Device::host(), bytes)));
      bytes_ = bytes;
    }
    return {memory_.get(), bytes};
  }

 private:
  struct Free {
    void operator()(std::byte* pointer) const { exec::free_bytes(exec::Device::host(), pointer); }
  };
  std::unique_ptr<std::byte, Free> memory_;
  std::size_t bytes_ = 0;
};

thread_local KeptScratch kept_scratch;

/// How many host threads a launch from here would have.
int team_size() {
  return omp_get_active_level() >= omp_get_max_active_levels() ? 1 : omp_get_max_threads();
}

/// The ticks from the beginning of a parallel region to its end when nothing is done in it: the least of some times, the first of
/// which makes the threads. On two cores it was 19 us with OMP_WAIT_POLICY=passive, which has threads sleep in between.
[[gnu::noinline]] double cost_of_team() {
  static const double least = [] {
    constexpr int times = 3;
    std::atomic<int> threads = 0;  // or clang would remove the region
    std::int64_t least_ticks = INT64_MAX;
    for (int i = 0; i < times; ++i) {
      const std::int64_t begin = ticks();
#pragma omp parallel
      threads.fetch_add(1, std::memory_order_relaxed);
      least_ticks = std::min(least_ticks, ticks_since(begin));
    }
    return static_cast<double>(least_ticks);
  }();
  return least;
}

class Run {
 public:
  Run(const HostLaunch& launch, HostCost& cost) : launch_(launch), cost_(cost) {}

  /// Whether the calling thread is done with all blocks, going by the kernel's last launch, before a team of `threads` would be.
  [[nodiscard]] bool is_short(int threads) const {
    const double known = cost_.load(std::memory_order_relaxed);
    const double all = known * launch_.threads_of_block * static_cast<double>(launch_.blocks);
    return known != 0 && all * (threads - 1) < cost_of_team() * threads;
  }

  /// Runs blocks in the calling thread, and returns how many: all, unless they take far longer than was expected.
  index_t alone() {
    constexpr index_t looks = 16;
    constexpr double patience = 4;
    const index_t chunk = std::max<index_t>(1, launch_.blocks / looks);
    exec::DynamicScratch scratch = kept_scratch.of(launch_.scratch_bytes);
    const std::int64_t begin = ticks();
    index_t done = 0;
    do {
      const index_t end = std::min(done + chunk, launch_.blocks);
      launch_.run(launch_.kernel, done, end, launch_.blocks, scratch);
      done = end;
    } while (done < launch_.blocks && static_cast<double>(ticks_since(begin)) < patience * cost_of_team());
    note(begin, done);
    return done;
  }

  /// Runs the blocks from `first` on by a team of `threads`, which take them in small runs. (A function that calls OpenMP does so
  /// when it begins, by what clang makes of it.)
  [[gnu::noinline]] void by_team(index_t first, int threads) {
    constexpr index_t runs_of_thread = 16;
    const index_t chunk = std::max<index_t>(1, (launch_.blocks - first) / (runs_of_thread * threads));
    // Not OpenMP's dynamic schedule: the libomp of Debian 12's LLVM 19 formats lines for its debugger in each call of that.
    std::atomic<index_t> next = first;
    FirstError error;
#pragma omp parallel num_threads(threads)
    error.guard([&] {
      exec::DynamicScratch scratch = kept_scratch.of(launch_.scratch_bytes);
      const std::int64_t begin = ticks();
      index_t done = 0;
      for (;;) {
        const index_t from = next.fetch_add(chunk, std::memory_order_relaxed);
        if (from >= launch_.blocks) {
          break;
        }
        const index_t end = std::min(from + chunk, launch_.blocks);
        launch_.run(launch_.kernel, from, end, launch_.blocks, scratch);
        done += end - from;
      }
      if (omp_get_thread_num() == 0) {
        note(begin, done);
      }
    });
    error.rethrow();
  }

 private:
  /// Keeps what a thread of the kernel has taken in `blocks` blocks since `begin`.
  void note(std::int64_t begin, index_t blocks) {
    if (blocks > 0) {
      const double all = static_cast<double>(std::max<std::int64_t>(1, ticks_since(begin)));
      cost_.store(static_cast<float>(all / (static_cast<double>(blocks) * launch_.threads_of_block)), std::memory_order_relaxed);
    }
  }

  const HostLaunch& launch_;
  HostCost& cost_;
};

}  // namespace

void run_on_host(const HostLaunch& launch, HostCost& cost) {
  exec::LaunchTrace trace(exec::Device::host(), launch.type, launch.blocks);
  trace.teams(1, 1, launch.scratch_bytes);
  if (launch.blocks == 1) {  // without OpenMP, which takes up to 1 ms to begin
    exec::DynamicScratch scratch = kept_scratch.of(launch.scratch_bytes);
    launch.run(launch.kernel, 0, 1, 1, scratch);
    return;
  }
  Run run(launch, cost);
  const int threads = team_size();
  index_t done = 0;
  if (threads == 1 || run.is_short(threads)) {
    done = run.alone();
  }
  if (done < launch.blocks) {
    trace.teams(threads, 1, launch.scratch_bytes);
    run.by_team(done, threads);
  }
}

}  // namespace phpc::cuda::detail
