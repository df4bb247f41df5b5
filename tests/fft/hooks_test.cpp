#include "phpc/fft/hooks.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "support/devices.hpp"
#include "support/dft_oracle.hpp"

namespace phpc::fft {
namespace {

/// 16-bit samples times a window.
struct WindowedSamples {
  const std::int16_t* samples;
  const float* window;
  index_t n;
  [[gnu::always_inline]] float operator()(index_t transform, index_t element) const {
    return static_cast<float>(samples[transform * n + element]) * window[element];
  }
};

struct Power {
  float* power;
  index_t n;
  [[gnu::always_inline]] void operator()(index_t transform, index_t element, Complex<float> x) const {
    power[transform * n + element] = x.re * x.re + x.im * x.im;
  }
};

struct Reversed {
  const Complex<double>* values;
  index_t n;
  [[gnu::always_inline]] Complex<double> operator()(index_t transform, index_t element) const {
    return values[transform * n + (n - 1 - element)];
  }
};

struct Twice {
  Complex<double>* values;
  index_t n;
  [[gnu::always_inline]] void operator()(index_t transform, index_t element, Complex<double> x) const {
    values[transform * n + element] = scaled(x, 2.0);
  }
};

class HooksTest : public testing::TestWithParam<exec::Device> {};

TEST_P(HooksTest, PowerSpectraOfWindowedSamples) {
  for (const index_t n : {256, 1001}) {
    constexpr index_t batch = 5;
    std::vector<std::int16_t> samples;
    std::vector<float> window;
    for (index_t i = 0; i < n * batch; ++i) {
      samples.push_back(static_cast<std::int16_t>(i * 7919 % 2003 - 1000));
    }
    for (index_t i = 0; i < n; ++i) {
      window.push_back(static_cast<float>(i % 17) / 16);
    }
    const index_t halved = n / 2 + 1;
    const exec::Buffer<std::int16_t> in(GetParam(), std::span<const std::int16_t>(samples));
    const exec::Buffer<float> factors(GetParam(), std::span<const float>(window));
    exec::Buffer<float> out(GetParam(), halved * batch);
    HookedPlan<float, WindowedSamples, Power> plan({.lengths = {n}, .batch = batch, .kind = Kind::real_to_complex}, GetParam());
    plan.execute({in.data(), factors.data(), n}, {out.data(), halved});
    std::vector<float> power(static_cast<std::size_t>(halved * batch));
    out.copy_to(power);
    test::RelativeError error;
    for (index_t item = 0; item < batch; ++item) {
      std::vector<test::Wide> x;
      for (index_t i = 0; i < n; ++i) {
        x.push_back(
            {static_cast<float>(samples[static_cast<std::size_t>(item * n + i)]) * window[static_cast<std::size_t>(i)], 0});
      }
      const auto spectrum = test::dft(x, Direction::forward);
      for (index_t k = 0; k < halved; ++k) {
        const test::Wide value = spectrum[static_cast<std::size_t>(k)];
        error.add(Complex<float>{power[static_cast<std::size_t>(item * halved + k)], 0},
                  {value.re * value.re + value.im * value.im, 0});
      }
    }
    EXPECT_LE(error.value(), 3 * test::tolerance<float>(n)) << n;
  }
}

TEST_P(HooksTest, ComplexNumbersOfManyParts) {
  constexpr index_t n = 50;
  constexpr index_t batch = 400;
  const auto signal = test::random_signal<double>(n * batch, 3);
  const exec::Buffer<Complex<double>> in(GetParam(), std::span<const Complex<double>>(signal));
  exec::Buffer<Complex<double>> out(GetParam(), n * batch);
  HookedPlan<double, Reversed, Twice> plan({.lengths = {n}, .batch = batch, .direction = Direction::inverse}, GetParam());
  plan.execute({in.data(), n}, {out.data(), n});
  std::vector<Complex<double>> result(signal.size());
  out.copy_to(result);
  test::RelativeError error;
  for (const index_t item : {index_t{0}, index_t{200}, batch - 1}) {
    auto x = test::widened(signal, item * n, n);
    std::reverse(x.begin(), x.end());
    const auto expected = test::dft(x, Direction::inverse);
    for (index_t k = 0; k < n; ++k) {
      error.add(result[static_cast<std::size_t>(item * n + k)], scaled(expected[static_cast<std::size_t>(k)], 2.0L));
    }
  }
  EXPECT_LE(error.value(), test::tolerance<double>(n));
}

TEST_P(HooksTest, AnotherKindThanTheHooksIsAUsageError) {
  using Hooked = HookedPlan<double, Reversed, Twice>;
  EXPECT_THROW(Hooked({.lengths = {8}, .kind = Kind::real_to_complex}, GetParam()), Error);
}

INSTANTIATE_TEST_SUITE_P(Devices, HooksTest, testing::ValuesIn(test::devices()), test::DeviceName());

}  // namespace
}  // namespace phpc::fft
