#include "fft/device/fixed/rows/prime.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "phpc/exec/buffer.hpp"
#include "support/devices.hpp"
#include "support/dft_oracle.hpp"
#include "support/launch_in_team.hpp"

namespace phpc::fft {
namespace {

constexpr unsigned seed = 12;

/// Kernels for prime lengths, on every device: the library runs them on GPUs only.
class FixedPrime : public testing::TestWithParam<exec::Device> {
 protected:
  /// Transforms `gap` elements apart on both sides, by make(in, out, count, step) kernels.
  template <class Real, class MakeKernel>
  void check(index_t n, index_t batch, index_t gap, bool is_inverse, int host_team_size, double tolerance, MakeKernel make) {
    const exec::Device device = GetParam();
    const index_t step = n + gap;
    const auto signal = test::random_signal<Real>(step * batch, seed);
    const exec::Buffer<Complex<Real>> in(device, std::span<const Complex<Real>>(signal));
    exec::Buffer<Complex<Real>> out(device, std::span<const Complex<Real>>(signal));
    const auto kernel = make(in.data(), out.data(), batch, step);
    test::launch_in_team(device, {.groups = ceil_div(batch, kernel.width)}, host_team_size, kernel);
    std::vector<Complex<Real>> result(signal.size());
    out.copy_to(result);
    test::RelativeError error;
    for (index_t transform = 0; transform < batch; ++transform) {
      const auto expected =
          test::dft(test::widened(signal, transform * step, n), is_inverse ? Direction::inverse : Direction::forward);
      for (index_t k = 0; k < n; ++k) {
        error.add(scaled(result[static_cast<std::size_t>(transform * step + k)], Real{2}), expected[static_cast<std::size_t>(k)]);
      }
      for (index_t rest = n; rest < step; ++rest) {
        const auto at = static_cast<std::size_t>(transform * step + rest);
        EXPECT_EQ(result[at], signal[at]);
      }
    }
    EXPECT_LE(error.value(), tolerance) << "length " << n << ", host team " << host_team_size << ", seed " << seed;
  }

  template <class Real, class Shape>
  void check_direct() {
    constexpr index_t n = Shape::length;
    for (const int host_team_size : {1, 3, Shape::threads * Shape::width}) {
      for (const index_t batch : {1, 2 * Shape::width + 1}) {
        for (const bool is_inverse : {false, true}) {
          check<Real>(n, batch, is_inverse ? 2 : 0, is_inverse, host_team_size, test::tolerance<Real>(n),
                      [&](const Complex<Real>* in, Complex<Real>* out, index_t count, index_t step) {
                        return FixedPrimeKernel<Real, Shape>{in, out, count, step, step, Real{0.5}, is_inverse, is_inverse};
                      });
        }
      }
      if (!GetParam().is_host()) {
        break;
      }
    }
  }
};

TEST_P(FixedPrime, Direct) {
  check_direct<float, FixedShape<2, 4, 0, 17>>();
  check_direct<double, FixedShape<4, 3, 0, 23>>();  // 11 pairs: the last thread has two of three
}

INSTANTIATE_TEST_SUITE_P(Devices, FixedPrime, testing::ValuesIn(test::devices()),
                         [](const auto& tested) { return test::test_name(tested.param); });

}  // namespace
}  // namespace phpc::fft
