#include "fft/stream.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <vector>

#include "phpc/core/error.hpp"
#include "phpc/fft/plan.hpp"
#include "support/devices.hpp"
#include "support/dft_oracle.hpp"

namespace phpc::fft {
namespace {

using exec::Device;

class StreamTest : public testing::TestWithParam<Device> {};

class CountingProgress final : public Progress {
 public:
  void begin(std::string_view /*stage*/, std::uint64_t /*total*/) override {}
  void advance(std::uint64_t count) override { done += count; }
  void end() override {}
  std::uint64_t done = 0;
};

TEST_P(StreamTest, PartsOfAnySizeGiveTheSameResult) {
  constexpr index_t length = 12;
  constexpr index_t batch = 11;
  const auto signal = test::random_signal<float>(length * batch, 4);
  const Plan plan({.lengths = {length}, .batch = batch}, GetParam());
  std::vector<Complex<float>> expected(signal.size());
  plan.execute_host(signal.data(), expected.data());
  for (const index_t part : {1, 2, 3, 10, 11, 100}) {
    std::vector<Complex<float>> result(signal.size());
    CountingProgress progress;
    stream_batch(
        GetParam(), {length, batch, part}, signal.data(), result.data(),
        [&plan](Complex<float>* values, index_t count) { plan.execute(values, values, count); }, progress);
    EXPECT_EQ(result, expected) << "parts of " << part;
    EXPECT_EQ(progress.done, static_cast<std::uint64_t>(batch));
  }
}

TEST_P(StreamTest, AnEmptyBatchDoesNothing) {
  const auto work = [](float*, index_t) { ADD_FAILURE(); };
  stream_batch<float>(GetParam(), {5, 0, 1}, nullptr, nullptr, work, no_progress());
}

TEST_P(StreamTest, ErrorsComeThrough) {
  std::vector<float> values(100);
  std::atomic<int> calls = 0;
  const auto work = [&calls](float*, index_t) {
    if (++calls == 3) {
      fail(ErrorKind::device, "the device is gone");
    }
  };
  const auto stream = [&] { stream_batch(GetParam(), {10, 10, 1}, values.data(), values.data(), work, no_progress()); };
  EXPECT_THROW(stream(), Error);
}

INSTANTIATE_TEST_SUITE_P(Devices, StreamTest, testing::ValuesIn(test::devices()),
                         [](const auto& tested) { return test::test_name(tested.param); });

}  // namespace
}  // namespace phpc::fft
