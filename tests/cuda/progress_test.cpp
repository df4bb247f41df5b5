// Who waits for a stream's work, and how it learns that it is done.
#include "cuda/streams/progress.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <thread>

namespace phpc::test {
namespace {

using cuda::Progress;
using std::chrono::milliseconds;
using std::chrono::seconds;

/// Waits for a ticket in a thread of its own, which has come to sleep when this returns.
std::future<void> sleeper(Progress& progress, std::uint64_t ticket) {
  std::future<void> woken = std::async(std::launch::async, [&progress, ticket] { progress.wait(ticket); });
  std::this_thread::sleep_for(milliseconds(20));
  return woken;
}

TEST(CudaProgress, WhoSleepsSettlesWhatIsIssued) {
  Progress progress;
  std::atomic<int> settled = 0;
  const std::uint64_t ticket = progress.take();
  std::future<void> woken = sleeper(progress, ticket);
  EXPECT_FALSE(progress.is_done(ticket));
  progress.issue(ticket, std::make_shared<const Progress::Settle>([&] { ++settled; }));
  EXPECT_EQ(woken.wait_for(seconds(20)), std::future_status::ready);
  EXPECT_EQ(settled, 1);
  EXPECT_TRUE(progress.is_done(ticket));
  progress.finish(ticket);  // for a sleeper that was not woken
}

TEST(CudaProgress, WhoSleepsWakesWhenItIsDone) {
  Progress progress;
  const std::uint64_t first = progress.take();
  const std::uint64_t second = progress.take();
  std::future<void> woken = sleeper(progress, second);
  progress.issue(first, std::make_shared<const Progress::Settle>([] {}));
  EXPECT_EQ(woken.wait_for(milliseconds(20)), std::future_status::timeout) << "the second is not issued";
  progress.wait(first);
  EXPECT_FALSE(progress.is_done(second));
  progress.finish(second);
  EXPECT_EQ(woken.wait_for(seconds(20)), std::future_status::ready);
}

}  // namespace
}  // namespace phpc::test
