#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "fft/device/pass_choice.hpp"
#include "phpc/exec/buffer.hpp"
#include "phpc/fft/plan.hpp"
#include "support/devices.hpp"
#include "support/dft_oracle.hpp"

/// Long lines whose last two passes are one launch on GPUs (PassForm::fused_last_passes).
namespace phpc::fft {
namespace {

using exec::Device;

constexpr unsigned line_seed = 31;
constexpr std::size_t gpu_scratch = std::size_t{227} << 10;

template <class Real>
index_t chosen_last_passes(index_t n, std::size_t bytes = gpu_scratch) {
  return last_passes<Real>(n, static_cast<index_t>(bytes / sizeof(Complex<Real>)), bytes).length;
}

TEST(LastPasses, AreTakenWhereTheyAreQuicker) {
  EXPECT_EQ(chosen_last_passes<float>(1 << 20), 0);  // a kernel of its own
  EXPECT_EQ(chosen_last_passes<float>(1 << 22), 0);  // two passes over columns of 2048
  for (const int bits : {23, 24, 25}) {
    EXPECT_EQ(chosen_last_passes<float>(index_t{1} << bits), 1 << 16) << bits;
    EXPECT_EQ(chosen_last_passes<double>(index_t{1} << bits), 1 << 16) << bits;
  }
  EXPECT_EQ(chosen_last_passes<float>(10'000'000), 0);  // 2^14 is no divisor
  EXPECT_EQ(chosen_last_passes<float>(1 << 24, 16 << 10), 0);
}

/// A problem on a GPU and on the host, not in place and in place.
template <class Real>
void expect_long_line_as_on_host(Device device, index_t length, Direction direction) {
  SCOPED_TRACE(testing::Message() << "length " << length << ", " << 8 * sizeof(Real) << " bits, seed " << line_seed);
  const Descriptor problem{.lengths = {length},
                           .batch = 2,
                           .precision = sizeof(Real) == sizeof(float) ? Precision::f32 : Precision::f64,
                           .direction = direction,
                           .scale = 0.5};
  const std::vector<Complex<Real>> signal = test::random_signal<Real>(2 * length, line_seed);
  std::vector<Complex<Real>> expected(signal.size());
  Plan(problem, Device::host()).execute_host(signal.data(), expected.data());
  const Plan plan(problem, device);
  EXPECT_NE(plan.describe().find("the last two passes in one launch"), std::string::npos) << plan.describe();
  exec::Buffer<Complex<Real>> in(device, std::span<const Complex<Real>>(signal));
  exec::Buffer<Complex<Real>> out(device, in.size());
  std::vector<Complex<Real>> result(signal.size());
  for (const bool in_place : {false, true}) {
    exec::Buffer<Complex<Real>>& target = in_place ? in : out;
    plan.execute(in.data(), target.data());
    target.copy_to(result);
    test::RelativeError error;
    for (std::size_t i = 0; i < result.size(); ++i) {
      error.add(result[i], {expected[i].re, expected[i].im});
    }
    EXPECT_LE(error.value(), 2 * test::tolerance<Real>(length)) << (in_place ? "in place" : "out of place");
  }
}

class LastPassesTest : public testing::TestWithParam<Device> {};

TEST_P(LastPassesTest, Plans) {
  if (!GetParam().is_gpu()) {
    GTEST_SKIP() << "other devices do not take the kernel";
  }
  // Of 50 and 100 rows the last group is not full.
  for (const index_t length : {index_t{1} << 23, index_t{1} << 24, index_t{50} << 16, index_t{400} << 14, index_t{100} << 16}) {
    expect_long_line_as_on_host<float>(GetParam(), length, length % 3 == 0 ? Direction::forward : Direction::inverse);
    expect_long_line_as_on_host<double>(GetParam(), length, length % 3 == 0 ? Direction::inverse : Direction::forward);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, LastPassesTest, testing::ValuesIn(test::devices()),
                         [](const auto& tested) { return test::test_name(tested.param); });

}  // namespace
}  // namespace phpc::fft
