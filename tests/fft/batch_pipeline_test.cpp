#include "fft/batch_pipeline.hpp"

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

constexpr std::size_t item = sizeof(Complex<float>);

PipelineArray dense(std::vector<Complex<float>>& values, index_t length) {
  const std::size_t bytes = static_cast<std::size_t>(length) * item;
  return {{reinterpret_cast<std::byte*>(values.data()), nullptr}, 1, bytes, bytes};
}

using Planes = std::array<std::byte*, 2>;

TEST_P(StreamTest, PartsOfAnySizeGiveTheSameResult) {
  constexpr index_t length = 12;
  constexpr index_t batch = 11;
  auto signal = test::random_signal<float>(length * batch, 4);
  const Plan plan({.lengths = {length}, .batch = batch}, GetParam());
  std::vector<Complex<float>> expected(signal.size());
  plan.execute_host(signal.data(), expected.data());
  for (const index_t part : {1, 2, 3, 10, 11, 100}) {
    for (const bool is_in_place : {false, true}) {
      std::vector<Complex<float>> result(signal.size());
      CountingProgress progress;
      pipeline_batch(
          GetParam(), {batch, part, is_in_place, false}, dense(signal, length), dense(result, length),
          [&plan](const Planes& from, const Planes& to, index_t count) {
            plan.execute(reinterpret_cast<const Complex<float>*>(from[0]), reinterpret_cast<Complex<float>*>(to[0]), count);
          },
          progress);
      EXPECT_EQ(result, expected) << "parts of " << part;
      EXPECT_EQ(progress.done, static_cast<std::uint64_t>(batch));
    }
  }
}

TEST_P(StreamTest, GapsOfTheOutputStay) {
  constexpr index_t batch = 5;
  std::vector<float> in{1, 2, 3, 4, 5};
  std::vector<float> out{9, 8, 9, 8, 9, 8, 9, 8, 9, 8};
  const PipelineArray source{{reinterpret_cast<std::byte*>(in.data()), nullptr}, 1, sizeof(float), sizeof(float)};
  const PipelineArray target{{reinterpret_cast<std::byte*>(out.data()), nullptr}, 1, 2 * sizeof(float), 2 * sizeof(float)};
  const auto work = [](const Planes& from, const Planes& to, index_t count) {
    for (index_t i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      exec::copy_bytes(GetParam(), to[0] + 2 * at * sizeof(float), GetParam(), from[0] + at * sizeof(float), sizeof(float));
    }
  };
  pipeline_batch(GetParam(), {batch, 2, false, true}, source, target, work, no_progress());
  EXPECT_EQ(out, (std::vector<float>{1, 8, 2, 8, 3, 8, 4, 8, 5, 8}));
}

TEST_P(StreamTest, AnEmptyBatchDoesNothing) {
  const auto work = [](const Planes&, const Planes&, index_t) { ADD_FAILURE(); };
  pipeline_batch(GetParam(), {0, 1, false, false}, {}, {}, work, no_progress());
}

TEST_P(StreamTest, ErrorsComeThrough) {
  std::vector<Complex<float>> values(100);
  std::atomic<int> calls = 0;
  const auto work = [&calls](const Planes&, const Planes&, index_t) {
    if (++calls == 3) {
      fail(ErrorKind::device, "the device is gone");
    }
  };
  const auto stream = [&] {
    pipeline_batch(GetParam(), {10, 1, true, false}, dense(values, 10), dense(values, 10), work, no_progress());
  };
  EXPECT_THROW(stream(), Error);
}

INSTANTIATE_TEST_SUITE_P(Devices, StreamTest, testing::ValuesIn(test::devices()),
                         [](const auto& tested) { return test::test_name(tested.param); });

}  // namespace
}  // namespace phpc::fft
