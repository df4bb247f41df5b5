// Launches on the host: each block runs once, whatever the launches before it took, and wide copies and fills do all their bytes.
#include "phpc/cuda/detail/host_launch.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <limits>
#include <random>
#include <thread>
#include <vector>

#include "cuda/memory/host_bytes.hpp"
#include "phpc/core/error.hpp"

namespace phpc::test {
namespace {

using cuda::detail::HostCost;
using cuda::detail::HostLaunch;

/// A kernel that counts how often each block ran, and writes all of its scratch.
struct CountingKernel {
  std::vector<std::atomic<int>>* counts;
  std::chrono::microseconds pause{0};

  static void run(const void* kernel, index_t first, index_t last, index_t blocks, exec::DynamicScratch& scratch) {
    const auto& self = *static_cast<const CountingKernel*>(kernel);
    EXPECT_EQ(blocks, static_cast<index_t>(self.counts->size()));
    std::memset(scratch.data, 0x5a, scratch.bytes);
    for (index_t block = first; block < last; ++block) {
      ++(*self.counts)[static_cast<std::size_t>(block)];
      if (self.pause.count() != 0) {
        std::this_thread::sleep_for(self.pause);
      }
    }
  }
};

HostLaunch launch_of(const CountingKernel& kernel, int threads_of_block, std::size_t scratch_bytes) {
  return {.run = CountingKernel::run,
          .kernel = &kernel,
          .type = typeid(CountingKernel),
          .blocks = static_cast<index_t>(kernel.counts->size()),
          .threads_of_block = threads_of_block,
          .scratch_bytes = scratch_bytes};
}

void expect_each_once(const std::vector<std::atomic<int>>& counts) {
  EXPECT_TRUE(std::all_of(counts.begin(), counts.end(), [](const std::atomic<int>& count) { return count == 1; }));
}

TEST(HostLaunch, RunsEachBlockOnceWhateverWasExpected) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  const float costs[] = {0, 1e-6F, 1, 1e3F, 1e12F, std::numeric_limits<float>::infinity()};
  for (int i = 0; i < 300; ++i) {
    const auto blocks = std::uniform_int_distribution<std::size_t>(1, i % 3 == 0 ? 5 : 3000)(random);
    const auto bytes = std::uniform_int_distribution<std::size_t>(1, 100'000)(random);
    HostCost cost = costs[random() % std::size(costs)];
    std::vector<std::atomic<int>> counts(blocks);
    const CountingKernel kernel{&counts};
    run_on_host(launch_of(kernel, 1 + static_cast<int>(random() % 1024), bytes), cost);
    expect_each_once(counts);
    EXPECT_GE(cost, 0);
  }
}

TEST(HostLaunch, TakesTheOtherThreadsWhereBlocksTakeLongerThanExpected) {
  std::vector<std::atomic<int>> counts(40);
  const CountingKernel kernel{&counts, std::chrono::milliseconds(1)};
  HostCost cost = 1e-6F;  // next to nothing
  run_on_host(launch_of(kernel, 256, 64), cost);
  expect_each_once(counts);
  EXPECT_GT(cost, 1);  // what it took is known now
}

TEST(HostLaunch, RunsShortLaunchesInTheCallingThread) {
  static std::atomic<bool> was_elsewhere = false;
  static const std::thread::id here = std::this_thread::get_id();
  const HostLaunch launch{
      .run = [](const void*, index_t, index_t, index_t,
                exec::DynamicScratch&) { was_elsewhere = was_elsewhere || std::this_thread::get_id() != here; },
      .kernel = nullptr,
      .type = typeid(void),
      .blocks = 4,
      .threads_of_block = 1,
      .scratch_bytes = 64};
  HostCost cost = 1e-6F;
  run_on_host(launch, cost);
  EXPECT_FALSE(was_elsewhere);
}

TEST(HostLaunch, RunsInParallelRegionsOfTheProgram) {
  std::atomic<int> all = 0;
#pragma omp parallel num_threads(3)
  {
    std::vector<std::atomic<int>> counts(100);
    const CountingKernel kernel{&counts};
    HostCost cost = 0;
    run_on_host(launch_of(kernel, 32, 64), cost);
    for (const std::atomic<int>& count : counts) {
      all += count;
    }
  }
  EXPECT_EQ(all % 100, 0);
  EXPECT_GE(all, 100);
}

TEST(HostLaunch, SaysWhereThereIsNoMemory) {
  std::vector<std::atomic<int>> counts(20);
  const CountingKernel kernel{&counts};
  HostCost cost = 0;
  EXPECT_THROW(run_on_host(launch_of(kernel, 32, std::size_t{1} << 62), cost), Error);
  run_on_host(launch_of(kernel, 32, 64), cost);
  expect_each_once(counts);
}

TEST(HostBytes, LongCopiesAndFillsDoAllOfThem) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  constexpr std::size_t most = std::size_t{40} << 20;
  constexpr std::size_t margin = 64;
  std::vector<unsigned char> from(most + 2 * margin);
  std::generate(from.begin(), from.end(),
                [&, i = 0U]() mutable { return static_cast<unsigned char>((i++ * 2654435761U) >> 24U); });
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, (std::size_t{16} << 20) - 1, std::size_t{16} << 20,
                                  std::uniform_int_distribution<std::size_t>(std::size_t{16} << 20, most)(random), most}) {
    SCOPED_TRACE(testing::Message() << bytes << " bytes");
    std::vector<unsigned char> to(bytes + 2 * margin, 7);
    std::vector<unsigned char> wanted = to;
    cuda::copy_on_host(to.data() + margin, from.data() + margin, bytes);
    std::copy_n(from.begin() + margin, bytes, wanted.begin() + margin);
    EXPECT_TRUE(to == wanted);
    cuda::fill_on_host(to.data() + margin, 0x1c3, bytes);
    std::fill_n(wanted.begin() + margin, bytes, static_cast<unsigned char>(0xc3));
    EXPECT_TRUE(to == wanted);
  }
}

}  // namespace
}  // namespace phpc::test
