#include "jobs/processors.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

namespace phpc::jobs {
namespace {

int count_of_mine() {
  cpu_set_t mine;
  return sched_getaffinity(0, sizeof mine, &mine) == 0 ? CPU_COUNT(&mine) : -1;
}

/// A thread that was started by one that is bound to a single processor.
TEST(Processors, AreAllGivenBackToAThread) {
  const int all = count_of_mine();
  remember_processors();
  std::thread([all] {
    cpu_set_t mine;
    ASSERT_EQ(sched_getaffinity(0, sizeof mine, &mine), 0);
    int first = 0;
    while (!CPU_ISSET(first, &mine)) {
      ++first;
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    std::thread([all] {
      EXPECT_EQ(count_of_mine(), 1);
      use_all_processors();
      EXPECT_EQ(count_of_mine(), all);
    }).join();
  }).join();
}

}  // namespace
}  // namespace phpc::jobs
