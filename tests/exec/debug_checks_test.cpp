// The checks of debug builds are compiled into this source in every build.
#undef NDEBUG

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "phpc/exec/buffer.hpp"
#include "phpc/exec/launch.hpp"
#include "support/devices.hpp"

namespace phpc::exec {
namespace {

struct ExpectsTooMuch {
  static constexpr int team_size = 4;
  struct Scratch {};
  index_t most;

  [[gnu::always_inline]] void operator()([[maybe_unused]] const Team& team, Scratch& /*scratch*/) const {
    PHPC_EXPECT(team.league_rank() < most);
  }
};

/// Counts, for each group, the values of scratch that are no numbers before it writes them.
struct CountsUnwritten {
  static constexpr int team_size = 4;
  static constexpr int values = 100;
  struct Scratch {
    double value[values];
  };
  int* unwritten;

  [[gnu::always_inline]] void operator()(const Team& team, Scratch& scratch) const {
    if (team.rank() == 0) {
      int count = 0;
      for (double& value : scratch.value) {
        count += std::isnan(value) ? 1 : 0;
        value = 1;
      }
      unwritten[team.league_rank()] = count;
    }
  }
};

class DebugChecks : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (GetParam().is_gpu()) {
      GTEST_SKIP() << "code for GPUs has no checks";
    }
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
};

TEST_P(DebugChecks, ExpectationsHoldInKernels) {
  launch(GetParam(), {.groups = 3}, ExpectsTooMuch{3});
  EXPECT_DEATH(launch(GetParam(), {.groups = 3}, ExpectsTooMuch{2}), "broken expectation `team.league_rank\\(\\) < most`");
}

TEST_P(DebugChecks, ScratchIsSpoiltBeforeEachGroup) {
  constexpr index_t groups = 20;
  Buffer<int> unwritten(GetParam(), groups);
  launch(GetParam(), {.groups = groups, .teams = 3}, CountsUnwritten{unwritten.data()});
  std::vector<int> counts(groups);
  unwritten.copy_to(counts);
  EXPECT_EQ(counts, std::vector<int>(groups, CountsUnwritten::values));
}

INSTANTIATE_TEST_SUITE_P(Devices, DebugChecks, testing::ValuesIn(test::devices()), test::DeviceName{});

}  // namespace
}  // namespace phpc::exec
