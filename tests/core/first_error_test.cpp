#include "phpc/core/first_error.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace phpc {
namespace {

TEST(FirstError, KeepsOneExceptionOfManyThreads) {
  FirstError error;
  std::atomic<int> calls = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] {
        error.guard([&] {
          ++calls;
          throw std::runtime_error("no");
        });
      });
    }
  }
  EXPECT_EQ(calls, 8);
  EXPECT_THROW(error.rethrow(), std::runtime_error);
  EXPECT_NO_THROW(error.rethrow()) << "an exception is thrown once";
}

TEST(FirstError, IsTheOneThatCameFirst) {
  FirstError error;
  error.guard([] {});
  EXPECT_NO_THROW(error.rethrow());
  error.guard([] { throw std::runtime_error("first"); });
  error.guard([] { throw std::runtime_error("second"); });
  try {
    error.rethrow();
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& thrown) {
    EXPECT_STREQ(thrown.what(), "first");
  }
}

}  // namespace
}  // namespace phpc
