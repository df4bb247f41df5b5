#include "phpc/core/threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace phpc {
namespace {

TEST(Threads, AllRunAndAreJoined) {
  std::atomic<int> runs = 0;
  {
    Threads threads;
    EXPECT_EQ(threads.start(3, [&runs] { ++runs; }), 3);
    EXPECT_EQ(threads.start(0, [&runs] { ++runs; }), 0);
    EXPECT_EQ(threads.start(-1, [&runs] { ++runs; }), 0);
    EXPECT_EQ(threads.start(2, [&runs] { ++runs; }), 2);
  }
  EXPECT_EQ(runs, 5);
}

TEST(Threads, WorkGivesItsValueAndWhatItThrew) {
  EXPECT_EQ(start_work([] { return 7; }).get(), 7);
  EXPECT_THROW(start_work([] { throw std::runtime_error("no"); }).get(), std::runtime_error);
}

}  // namespace
}  // namespace phpc
