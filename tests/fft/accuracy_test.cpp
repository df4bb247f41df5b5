#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "phpc/fft/plan.hpp"
#include "support/devices.hpp"
#include "support/fast_dft.hpp"

namespace phpc::fft {
namespace {

/// PHPC_TEST_LONG=1 in the environment: all lengths that are promised, which takes minutes of long double arithmetic.
bool is_long() {
  const char* const wanted = std::getenv("PHPC_TEST_LONG");
  return wanted != nullptr && std::string_view(wanted) == "1";
}

template <class Real>
double error_of(exec::Device device, const std::vector<Complex<float>>& signal, const std::vector<test::Wide>& expected) {
  std::vector<Complex<Real>> x;
  x.reserve(signal.size());
  for (const Complex<float> value : signal) {
    x.push_back({value.re, value.im});
  }
  const Plan plan(
      {.lengths = {static_cast<index_t>(x.size())}, .precision = sizeof(Real) == sizeof(float) ? Precision::f32 : Precision::f64},
      device);
  plan.execute_host(x.data(), x.data());
  test::RelativeError error;
  for (std::size_t k = 0; k < x.size(); ++k) {
    error.add(x[k], expected[k]);
  }
  return error.value();
}

/// All elements of a transform of length n on every device, in both precisions, against one of 64-bit mantissas.
void check_length(index_t n) {
  const auto signal = test::random_signal<float>(n, static_cast<unsigned>(n));
  const auto expected = test::fast_dft(test::widened(signal, 0, n), Direction::forward);
  for (const exec::Device device : test::devices()) {
    const double f32 = error_of<float>(device, signal, expected);
    const double f64 = error_of<double>(device, signal, expected);
    EXPECT_LE(f32, test::tolerance<float>(n)) << "f32, length " << n << ", " << device.label();
    EXPECT_LE(f64, test::tolerance<double>(n)) << "f64, length " << n << ", " << device.label();
    if (is_long()) {
      const double unit = std::sqrt(std::log2(static_cast<double>(n)));
      std::printf("%9lld  %-8s  f32 %.2fe-7  f64 %.2fe-16  of sqrt(log2 n)\n", static_cast<long long>(n), device.label().c_str(),
                  1e7 * f32 / unit, 1e16 * f64 / unit);
    }
  }
}

TEST(FftAccuracy, PowersOfTwo) {
  for (index_t n = 1 << 12; n <= index_t{1} << (is_long() ? 24 : 18); n *= 2) {
    check_length(n);
  }
}

/// Lengths beyond those of the sweep, evenly by their logarithm; most have large prime factors.
TEST(FftAccuracy, RandomLengths) {
  constexpr unsigned seed = 20261122;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> exponent(std::log2(4200.0), is_long() ? 21 : 16);
  for (int i = 0; i < (is_long() ? 100 : 6); ++i) {
    check_length(std::llround(std::exp2(exponent(random))));
  }
}

}  // namespace
}  // namespace phpc::fft
