#include "phpc/exec/unfinished_launches.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "phpc/exec/launch.hpp"
#include "support/devices.hpp"

namespace phpc::exec {
namespace {

/// values[i] = factor * values[i] + i: the order of launches shows in what they leave.
struct AffineKernel {
  static constexpr int team_size = 64;
  struct Scratch {};
  std::uint32_t* values;
  index_t count;
  std::uint32_t factor;

  [[gnu::always_inline]] void operator()(const Team& team, Scratch& /*scratch*/) const {
    for (index_t i = team.league_rank() * 64 + team.rank(); i < count && i < (team.league_rank() + 1) * 64; i += team.size()) {
      values[i] = factor * values[i] + static_cast<std::uint32_t>(i);
    }
  }
};

/// The same with a team's memory of a size known at the launch.
struct DynamicAffineKernel {
  static constexpr int team_size = 64;
  using Scratch = DynamicScratch;
  std::uint32_t* values;
  index_t count;
  std::uint32_t factor;

  [[gnu::always_inline]] void operator()(const Team& team, DynamicScratch& scratch) const {
    auto* const kept = reinterpret_cast<std::uint32_t*>(scratch.data);
    for (index_t i = team.rank(); i < 64; i += team.size()) {
      kept[i] = factor;
    }
    team.barrier();
    for (index_t i = team.league_rank() * 64 + team.rank(); i < count && i < (team.league_rank() + 1) * 64; i += team.size()) {
      values[i] = kept[63 - i % 64] * values[i] + static_cast<std::uint32_t>(i);
    }
  }
};

constexpr index_t count = 1000;

std::vector<std::uint32_t> expected(int launches) {
  std::vector<std::uint32_t> values(count);
  for (int k = 1; k <= launches; ++k) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<std::uint32_t>(k) * values[i] + static_cast<std::uint32_t>(i);
    }
  }
  return values;
}

void launch_some(Device device, Buffer<std::uint32_t>& buffer, int launches) {
  for (int k = 1; k <= launches; ++k) {
    const auto factor = static_cast<std::uint32_t>(k);
    if (k % 3 == 0) {
      launch(device, {.groups = ceil_div(count, 64), .scratch_bytes = k % 2 == 0 ? 256u : 48u * 1024u},
             DynamicAffineKernel{buffer.data(), count, factor});
    } else {
      launch(device, {.groups = ceil_div(count, 64)}, AffineKernel{buffer.data(), count, factor});
    }
  }
}

class UnfinishedLaunchesTest : public testing::TestWithParam<Device> {};

TEST_P(UnfinishedLaunchesTest, CopiesComeAfterTheLaunches) {
  const Device device = GetParam();
  const UnfinishedLaunches unfinished;
  Buffer<std::uint32_t> buffer(device, std::span<const std::uint32_t>(expected(0)));
  std::vector<std::uint32_t> result(count);
  launch_some(device, buffer, 20);
  buffer.copy_to(std::span<std::uint32_t>(result));
  EXPECT_EQ(result, expected(20));
}

TEST_P(UnfinishedLaunchesTest, OnlyTheOutermostWaits) {
  const Device device = GetParam();
  Buffer<std::uint32_t> buffer(device, std::span<const std::uint32_t>(expected(0)));
  std::vector<std::uint32_t> result(count);
  UnfinishedLaunches outer;
  {
    UnfinishedLaunches inner;
    launch_some(device, buffer, 3);
    inner.finish();
    inner.finish();
  }
  UnfinishedLaunches::wait();
  outer.finish();
  buffer.copy_to(std::span<std::uint32_t>(result));
  EXPECT_EQ(result, expected(3));
}

TEST_P(UnfinishedLaunchesTest, MemoryMayGoRightAfterALaunch) {
  const Device device = GetParam();
  Buffer<std::uint32_t> kept(device, std::span<const std::uint32_t>(expected(0)));
  std::vector<std::uint32_t> result(count);
  UnfinishedLaunches unfinished;
  for (int times = 0; times < 20; ++times) {
    Buffer<std::uint32_t> gone(device, std::span<const std::uint32_t>(expected(0)));
    launch_some(device, gone, 2);
  }
  launch_some(device, kept, 2);
  unfinished.finish();
  kept.copy_to(std::span<std::uint32_t>(result));
  EXPECT_EQ(result, expected(2));
}

TEST_P(UnfinishedLaunchesTest, ThreadsHaveTheirOwn) {
  const Device device = GetParam();
  std::vector<std::vector<std::uint32_t>> results(4, std::vector<std::uint32_t>(count));
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([&, number] {
      const UnfinishedLaunches unfinished;
      Buffer<std::uint32_t> buffer(device, std::span<const std::uint32_t>(expected(0)));
      launch_some(device, buffer, 10 + number);
      buffer.copy_to(std::span<std::uint32_t>(results[static_cast<std::size_t>(number)]));
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (int number = 0; number < 4; ++number) {
    EXPECT_EQ(results[static_cast<std::size_t>(number)], expected(10 + number));
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, UnfinishedLaunchesTest, testing::ValuesIn(test::devices()), test::DeviceName{});

}  // namespace
}  // namespace phpc::exec
