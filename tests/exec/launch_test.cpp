#include "phpc/exec/launch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

#include "support/devices.hpp"
#include "support/launch_in_team.hpp"

namespace phpc::exec {
namespace {

/// Each team reverses its slice of the input through scratch: wrong without barriers, for any team size.
template <int TeamSize, int Slice>
struct ReverseKernel {
  static constexpr int team_size = TeamSize;
  struct Scratch {
    std::int32_t slice[Slice];
  };
  const std::int32_t* in;
  std::int32_t* out;
  std::int32_t* sizes;

  [[gnu::always_inline]] void operator()(const Team& team, Scratch& scratch) const {
    const index_t base = team.league_rank() * Slice;
    for (int i = team.rank(); i < Slice; i += team.size()) {
      scratch.slice[i] = in[base + i];
    }
    team.barrier();
    for (int i = team.rank(); i < Slice; i += team.size()) {
      out[base + i] = scratch.slice[Slice - 1 - i];
    }
    if (team.rank() == 0) {
      sizes[team.league_rank()] = team.size();
    }
  }
};

/// The same with scratch sized at run time.
template <int TeamSize>
struct DynamicReverseKernel {
  static constexpr int team_size = TeamSize;
  using Scratch = DynamicScratch;
  const std::int32_t* in;
  std::int32_t* out;
  int slice;

  [[gnu::always_inline]] void operator()(const Team& team, Scratch& scratch) const {
    auto* const memory = reinterpret_cast<std::int32_t*>(scratch.data);
    const index_t base = team.league_rank() * slice;
    for (int i = team.rank(); i < slice; i += team.size()) {
      memory[i] = in[base + i];
    }
    team.barrier();
    for (int i = team.rank(); i < slice; i += team.size()) {
      out[base + i] = memory[slice - 1 - i];
    }
  }
};

std::vector<std::int32_t> numbers(index_t count) {
  std::vector<std::int32_t> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 1);
  return values;
}

std::vector<std::int32_t> reversed_slices(std::vector<std::int32_t> values, index_t slice) {
  for (auto at = values.begin(); at != values.end(); at += slice) {
    std::reverse(at, at + slice);
  }
  return values;
}

class Launch : public testing::TestWithParam<Device> {
 protected:
  template <int TeamSize, int Slice = 300>
  void check_reverse(LaunchShape shape, int host_team_size = 1) {
    const Device device = GetParam();
    const std::vector<std::int32_t> input = numbers(shape.groups * Slice);
    const Buffer<std::int32_t> in(device, std::span<const std::int32_t>(input));
    Buffer<std::int32_t> out(device, in.size());
    Buffer<std::int32_t> sizes(device, shape.groups);
    test::launch_in_team(device, shape, host_team_size, ReverseKernel<TeamSize, Slice>{in.data(), out.data(), sizes.data()});
    std::vector<std::int32_t> result(input.size());
    std::vector<std::int32_t> seen(static_cast<std::size_t>(shape.groups));
    out.copy_to(result);
    sizes.copy_to(seen);
    EXPECT_EQ(result, reversed_slices(input, Slice));
    const int expected = device.is_host() ? host_team_size : TeamSize;
    EXPECT_EQ(seen, std::vector<std::int32_t>(seen.size(), expected)) << "teams were not of the size under test";
  }

  template <int TeamSize>
  void check_sizes() {
    check_reverse<TeamSize>({.groups = 1}, TeamSize);
    check_reverse<TeamSize>({.groups = 37});
    check_reverse<TeamSize>({.groups = 37, .teams = 5});
    check_reverse<TeamSize>({.groups = 3}, TeamSize);
  }
};

TEST_P(Launch, TeamsOf1) {
  check_sizes<1>();
}
TEST_P(Launch, TeamsOf3) {
  check_sizes<3>();
}
TEST_P(Launch, TeamsOf32) {
  check_sizes<32>();
}
TEST_P(Launch, TeamsOf65) {
  check_sizes<65>();
}
TEST_P(Launch, TeamsOf256) {
  check_sizes<256>();
}

// Wider than what runs bare on a GPU. The x86_64 device gives no more threads than OMP_NUM_THREADS.
TEST_P(Launch, TeamsOf512) {
  if (GetParam().kind() != exec::DeviceKind::x86_64) {
    check_sizes<512>();
  }
}

TEST_P(Launch, NoGroupsLaunchNothing) {
  launch(GetParam(), {.groups = 0}, ReverseKernel<32, 300>{nullptr, nullptr, nullptr});
}

TEST_P(Launch, ScratchOf100KilobytesIsTakenFromDynamicGroupMemory) {
  static_assert(detail::has_dynamic_scratch<ReverseKernel<65, 25600>>);
  check_reverse<65, 25600>({.groups = 7});
}

TEST_P(Launch, ScratchSizedAtRunTime) {
  const Device device = GetParam();
  for (const int slice : {1, 1000, 20001}) {
    const std::vector<std::int32_t> input = numbers(5 * slice);
    const Buffer<std::int32_t> in(device, std::span<const std::int32_t>(input));
    Buffer<std::int32_t> out(device, in.size());
    launch(device, {.groups = 5, .scratch_bytes = static_cast<std::size_t>(slice) * 4},
           DynamicReverseKernel<65>{in.data(), out.data(), slice});
    std::vector<std::int32_t> result(input.size());
    out.copy_to(result);
    EXPECT_EQ(result, reversed_slices(input, slice));
  }
}

TEST_P(Launch, ScratchBeyondTheDeviceIsAnErrorWithBothFigures) {
  const Device device = GetParam();
  if (!device.is_gpu()) {
    return;  // the host's scratch is ordinary memory
  }
  try {
    launch(device, {.groups = 1, .scratch_bytes = std::size_t{1} << 20}, DynamicReverseKernel<32>{nullptr, nullptr, 0});
    FAIL() << "a team cannot have 1 MiB";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::device);
    EXPECT_NE(std::string(error.what()).find("1.0 MiB"), std::string::npos) << error.what();
  }
}

// Allocated by each thread of a parallel region, out of which no exception may come.
TEST_P(Launch, ScratchThatNoMemoryHoldsIsAnError) {
  EXPECT_THROW(
      launch(GetParam(), {.groups = 9, .scratch_bytes = std::size_t{1} << 50}, DynamicReverseKernel<32>{nullptr, nullptr, 0}),
      Error);
}

INSTANTIATE_TEST_SUITE_P(Devices, Launch, testing::ValuesIn(test::devices()), test::DeviceName{});

}  // namespace
}  // namespace phpc::exec
