#include "phpc/exec/queue.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "phpc/exec/launch.hpp"
#include "support/devices.hpp"

namespace phpc::exec {
namespace {

struct DoubleKernel {
  static constexpr int team_size = 64;
  struct Scratch {};
  std::int32_t* values;
  index_t count;

  [[gnu::always_inline]] void operator()(const Team& team, Scratch& /*scratch*/) const {
    for (index_t i = team.league_rank() * 64 + team.rank(); i < count && i < (team.league_rank() + 1) * 64; i += team.size()) {
      values[i] *= 2;
    }
  }
};

class QueueTest : public testing::TestWithParam<Device> {};

TEST_P(QueueTest, RunsCopiesAndKernelsInOrder) {
  const Device device = GetParam();
  constexpr index_t count = 1000;
  PinnedBuffer<std::int32_t> host(device, count);
  for (index_t i = 0; i < count; ++i) {
    host.span()[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i);
  }
  Buffer<std::int32_t> buffer(device, count);
  Queue queue(device);
  queue.enqueue([&] { buffer.copy_from(host.span()); });
  for (int times = 0; times < 5; ++times) {
    queue.enqueue([&] { launch(device, {.groups = ceil_div(count, 64)}, DoubleKernel{buffer.data(), count}); });
  }
  queue.enqueue([&] { buffer.copy_to(host.span()); });
  queue.wait();
  for (index_t i = 0; i < count; ++i) {
    ASSERT_EQ(host.span()[static_cast<std::size_t>(i)], 32 * i);
  }
}

TEST_P(QueueTest, ErrorsComeThroughWaitOnceAndSkipLaterWork) {
  Queue queue(GetParam());
  bool later = false;
  const auto work = [&] {
    queue.enqueue([] { fail(ErrorKind::memory, "no memory"); });
    queue.enqueue([&] { later = true; });
    queue.wait();
  };
  EXPECT_THROW(work(), Error);
  EXPECT_FALSE(later);
  queue.enqueue([&] { later = true; });
  queue.wait();
  EXPECT_TRUE(later);
}

INSTANTIATE_TEST_SUITE_P(Devices, QueueTest, testing::ValuesIn(test::devices()), test::DeviceName{});

}  // namespace
}  // namespace phpc::exec
