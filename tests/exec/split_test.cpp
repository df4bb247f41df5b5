#include "phpc/exec/split.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <stdexcept>

namespace phpc::exec {
namespace {

TEST(SplitEvenly, RangesAdjoinAndDifferByAtMostOne) {
  for (const index_t count : {0, 1, 2, 7, 100, 101}) {
    for (const index_t parts : {1, 2, 3, 7, 200}) {
      index_t next = 0;
      for (index_t part = 0; part < parts; ++part) {
        const Range range = split_evenly(count, parts, part);
        EXPECT_EQ(range.begin, next);
        EXPECT_GE(range.size(), count / parts);
        EXPECT_LE(range.size(), count / parts + 1);
        next = range.end;
      }
      EXPECT_EQ(next, count);
    }
  }
}

TEST(SplitEvenly, DoesNotOverflow) {
  constexpr index_t huge = std::numeric_limits<index_t>::max();
  EXPECT_EQ(split_evenly(huge, 1000, 999).end, huge);
}

TEST(ForEachDevice, CoversEverythingOnceOverSeveralDevices) {
  const std::vector<Device> devices(3, Device::host());
  std::vector<int> touched(10, 0);
  for_each_device(devices, 10, [&](Device, Range range) {
    for (index_t i = range.begin; i < range.end; ++i) {
      ++touched[static_cast<std::size_t>(i)];
    }
  });
  EXPECT_EQ(touched, std::vector<int>(10, 1));
}

TEST(ForEachDevice, SkipsEmptyRangesAndThrowsTheFirstErrorByDevice) {
  const std::vector<Device> devices(4, Device::host());
  std::atomic<int> calls = 0;
  for_each_device(devices, 2, [&](Device, Range) { ++calls; });
  EXPECT_EQ(calls, 2);
  try {
    for_each_device(devices, 4, [&](Device, Range range) { throw std::runtime_error(std::to_string(range.begin)); });
    FAIL() << "no error came through";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "0");
  }
}

}  // namespace
}  // namespace phpc::exec
