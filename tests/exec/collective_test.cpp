#include "phpc/exec/collective.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "phpc/exec/launch.hpp"
#include "support/devices.hpp"
#include "support/launch_in_team.hpp"

namespace phpc::exec {
namespace {

constexpr int items = 1000;

/// Reduces `items` values a team three ways, twice each (scratch is reused), and broadcasts from the last thread.
template <int TeamSize>
struct ReduceKernel {
  static constexpr int team_size = TeamSize;
  struct Scratch {
    CollectiveScratch<std::int64_t, TeamSize> collective;
  };
  struct Result {
    std::int64_t sum, sum_again, largest, smallest, last_rank, disagreements;
  };
  const std::int64_t* in;
  Result* out;

  [[gnu::always_inline]] void operator()(const Team& team, Scratch& scratch) const {
    const std::int64_t* const own = in + team.league_rank() * items;
    std::int64_t sum = 0;
    std::int64_t largest = own[0];
    std::int64_t smallest = own[0];
    for (int i = team.rank(); i < items; i += team.size()) {
      sum += own[i];
      largest = Maximum{}(largest, own[i]);
      smallest = Minimum{}(smallest, own[i]);
    }
    Result result{};
    result.sum = team_reduce(team, sum, Plus{}, scratch.collective);
    result.largest = team_reduce(team, largest, Maximum{}, scratch.collective);
    result.smallest = team_reduce(team, smallest, Minimum{}, scratch.collective);
    result.sum_again = team_reduce(team, sum, Plus{}, scratch.collective);
    result.last_rank = team_broadcast<std::int64_t>(team, team.rank(), team.size() - 1, scratch.collective);
    // Every thread must hold the same results: count those that differ from thread 0's.
    const std::int64_t first = team_broadcast(team, result.sum, 0, scratch.collective);
    result.disagreements = team_reduce<std::int64_t>(team, first != result.sum, Plus{}, scratch.collective);
    if (team.rank() == team.size() - 1) {
      out[team.league_rank()] = result;
    }
  }
};

class Collective : public testing::TestWithParam<Device> {
 protected:
  template <int TeamSize>
  void check(int host_team_size) {
    constexpr int groups = 9;
    constexpr unsigned seed = 20261121;
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", team size " << TeamSize);
    std::mt19937_64 random(seed);
    std::vector<std::int64_t> values(groups * items);
    for (std::int64_t& value : values) {
      value = static_cast<std::int64_t>(random() >> 20) - (std::int64_t{1} << 43);
    }
    const Device device = GetParam();
    using Kernel = ReduceKernel<TeamSize>;
    const Buffer<std::int64_t> in(device, std::span<const std::int64_t>(values));
    Buffer<typename Kernel::Result> out(device, groups);
    test::launch_in_team(device, {.groups = groups}, host_team_size, Kernel{in.data(), out.data()});
    std::vector<typename Kernel::Result> results(groups);
    out.copy_to(results);
    for (int group = 0; group < groups; ++group) {
      const auto first = values.begin() + group * items;
      EXPECT_EQ(results[group].sum, std::accumulate(first, first + items, std::int64_t{0}));
      EXPECT_EQ(results[group].sum_again, results[group].sum);
      EXPECT_EQ(results[group].largest, *std::max_element(first, first + items));
      EXPECT_EQ(results[group].smallest, *std::min_element(first, first + items));
      EXPECT_EQ(results[group].last_rank, (device.is_host() ? host_team_size : TeamSize) - 1);
      EXPECT_EQ(results[group].disagreements, 0);
    }
  }
};

TEST_P(Collective, HostTeamsOfOne) {
  check<256>(1);
}
TEST_P(Collective, TeamsOf1) {
  check<1>(1);
}
TEST_P(Collective, TeamsOf3) {
  check<3>(3);
}
TEST_P(Collective, TeamsOf32) {
  check<32>(32);
}
TEST_P(Collective, TeamsOf65) {
  check<65>(65);
}
TEST_P(Collective, TeamsOf256) {
  check<256>(256);
}

INSTANTIATE_TEST_SUITE_P(Devices, Collective, testing::ValuesIn(test::devices()), test::DeviceName{});

}  // namespace
}  // namespace phpc::exec
