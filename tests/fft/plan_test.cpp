#include "phpc/fft/plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <thread>

#include "phpc/core/error.hpp"
#include "phpc/exec/buffer.hpp"
#include "support/devices.hpp"
#include "support/dft_oracle.hpp"

namespace phpc::fft {
namespace {

using exec::Device;

constexpr unsigned plan_seed = 20261121;

template <class Real>
constexpr Precision precision_of = sizeof(Real) == sizeof(float) ? Precision::f32 : Precision::f64;

/// Transforms with a plan of its own, through host memory.
template <class Real>
std::vector<Complex<Real>> transformed(Device device, std::vector<Complex<Real>> signal, index_t length,
                                       Direction direction = Direction::forward, double scale = 1) {
  const Plan plan({.lengths = {length},
                   .batch = static_cast<index_t>(signal.size()) / length,
                   .precision = precision_of<Real>,
                   .direction = direction,
                   .scale = scale},
                  device);
  plan.execute_host(signal.data(), signal.data());
  return signal;
}

/// Compares a batch of random transforms with the definition: all elements, or some of each where the definition takes too long.
template <class Real>
void check_length(Device device, index_t length, index_t batch, Direction direction = Direction::forward) {
  const auto signal = test::random_signal<Real>(length * batch, plan_seed);
  const auto result = transformed(device, signal, length, direction);
  const bool by_sample = length > 5000;
  std::mt19937_64 random(plan_seed);
  test::RelativeError error;
  for (index_t transform = 0; transform < batch; ++transform) {
    const auto x = test::widened(signal, transform * length, length);
    const Complex<Real>* const got = result.data() + transform * length;
    if (by_sample) {
      std::vector<index_t> places(12);
      for (index_t& place : places) {
        place = static_cast<index_t>(random() % static_cast<std::uint64_t>(length));
      }
      const std::vector<test::Wide> expected = test::dft_at(x, places, direction);
      for (std::size_t sample = 0; sample < places.size(); ++sample) {
        error.add(got[places[sample]], expected[sample]);
      }
    } else {
      const std::vector<test::Wide> expected = test::dft(x, direction);
      for (index_t k = 0; k < length; ++k) {
        error.add(got[k], expected[static_cast<std::size_t>(k)]);
      }
    }
  }
  // A dozen elements estimate the error of all to within a few tens of a percent.
  const double slack = by_sample ? 1.3 : 1;
  EXPECT_LE(error.value(), slack * test::tolerance<Real>(length))
      << "length " << length << ", " << sizeof(Real) * 8 << " bits, seed " << plan_seed;
}

template <class Real>
double distance(const std::vector<Complex<Real>>& a, const std::vector<Complex<Real>>& b) {
  test::RelativeError error;
  for (std::size_t i = 0; i < a.size(); ++i) {
    error.add(a[i], test::Wide{b[i].re, b[i].im});
  }
  return error.value();
}

class PlanTest : public testing::TestWithParam<Device> {
 protected:
  [[nodiscard]] static Device device() { return GetParam(); }
  /// The x86_64 offload device runs teams of threads on few cores: fewer lengths there.
  [[nodiscard]] static bool is_slow() {
#if defined(PHPC_SANITIZED)
    return true;
#else
    return device().kind() == exec::DeviceKind::x86_64;
#endif
  }
};

TEST_P(PlanTest, ShortLengthsMeetTheTolerance) {
  for (index_t length = 1; length <= 300; length += is_slow() && length > 20 ? 37 : 1) {
    const index_t batch = std::max<index_t>(2, 600 / length);
    check_length<float>(device(), length, batch);
    check_length<double>(device(), length, batch);
    check_length<double>(device(), length, 2, Direction::inverse);
  }
}

TEST_P(PlanTest, LengthsOfEveryKindMeetTheTolerance) {
  const std::vector<index_t> all{512,  1000, 1003, 1009, 1024, 1701, 1920, 2048, 2100, 2106, 2187, 3080, 3125, 3159,
                                 3402, 3510, 4093, 4095, 4096, 4199, 4200, 1001, 1080, 1536, 3600, 5040, 6561, 8192};
  const std::vector<index_t> some{512, 1009, 2187, 4096};
  for (const index_t length : is_slow() ? some : all) {
    check_length<float>(device(), length, 2);
    check_length<double>(device(), length, 2);
    check_length<float>(device(), length, 1, Direction::inverse);
  }
}

TEST_P(PlanTest, EveryRadixWorksInEveryPlace) {
  // Each radix as the first, a middle and the last stage, also on the slow device: clang 19 once miscompiled just the last stage
  // of radix 3 in device code.
  for (const index_t length : {26,   39,   52,   65,   91,   104,  117, 121, 143, 169,  208, 256, 18,  27,   81,  45,  63,  77,
                               78,   156,  182,  234,  286,  338,  312, 624, 390, 2028, 546, 702, 858, 2197, 512, 729, 125, 343,
                               1331, 4096, 1024, 2048, 1536, 3072, 24,  48,  20,  28,   40,  56,  6,   10,   14,  22}) {
    check_length<float>(device(), length, 3);
    check_length<double>(device(), length, 2);
  }
}

TEST_P(PlanTest, LongLengthsMeetTheTolerance) {
  // 742586 = 2 * 13^5 takes three passes in f64.
  const std::vector<index_t> all{8192,  10000, 10007, 15015, 15625,  100000, 262144, 524288, 2097152, 4194304, 16384,
                                 30030, 32768, 65536, 65537, 131072, 531441, 742586, 999983, 1000000, 1048576};
  const std::vector<index_t> some{10007, 16384, 65536, 742586};
  for (const index_t length : is_slow() ? some : all) {
    check_length<float>(device(), length, 1);
    check_length<double>(device(), length, 1);
  }
}

TEST_P(PlanTest, InverseAfterForwardIsTheIdentity) {
  for (const index_t length : {1, 2, 7, 30, 101, 1024, 1009, 40000}) {
    const auto signal = test::random_signal<double>(length * 3, plan_seed);
    const double scale = scale_factor(Norm::ortho, Direction::forward, length);
    const auto there = transformed(device(), signal, length, Direction::forward, scale);
    const auto back = transformed(device(), there, length, Direction::inverse, scale);
    EXPECT_LE(distance(back, signal), 2 * test::tolerance<double>(length)) << length;
  }
}

TEST_P(PlanTest, IsLinear) {
  for (const index_t length : {13, 256, 509}) {
    const auto x = test::random_signal<double>(length, plan_seed);
    const auto y = test::random_signal<double>(length, plan_seed + 1);
    std::vector<Complex<double>> sum(x.size());
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] = scaled(x[i], 3.0) - scaled(y[i], 0.5);
    }
    const auto fx = transformed(device(), x, length);
    const auto fy = transformed(device(), y, length);
    auto expected = fx;
    for (std::size_t i = 0; i < sum.size(); ++i) {
      expected[i] = scaled(fx[i], 3.0) - scaled(fy[i], 0.5);
    }
    EXPECT_LE(distance(transformed(device(), sum, length), expected), 3 * test::tolerance<double>(length)) << length;
  }
}

TEST_P(PlanTest, KeepsTheEnergy) {
  const auto energy = [](const std::vector<Complex<double>>& values) {
    long double sum = 0;
    for (const Complex<double> value : values) {
      sum += static_cast<long double>(value.re) * value.re + static_cast<long double>(value.im) * value.im;
    }
    return sum;
  };
  for (const index_t length : {60, 97, 4096}) {
    const auto x = test::random_signal<double>(length, plan_seed);
    const long double before = energy(x) * static_cast<long double>(length);
    const long double after = energy(transformed(device(), x, length));
    EXPECT_NEAR(static_cast<double>(after / before), 1, 2 * test::tolerance<double>(length)) << length;
  }
}

TEST_P(PlanTest, AShiftTurnsThePhases) {
  for (const index_t length : {48, 89, 2000}) {
    const auto x = test::random_signal<double>(length, plan_seed);
    constexpr index_t shift = 5;
    auto shifted = x;
    std::rotate(shifted.begin(), shifted.begin() + shift, shifted.end());
    auto expected = transformed(device(), x, length);
    for (index_t k = 0; k < length; ++k) {
      const double angle = 2 * std::acos(-1.0) * static_cast<double>(k * shift % length) / static_cast<double>(length);
      expected[static_cast<std::size_t>(k)] =
          expected[static_cast<std::size_t>(k)] * Complex<double>{std::cos(angle), std::sin(angle)};
    }
    EXPECT_LE(distance(transformed(device(), shifted, length), expected), 3 * test::tolerance<double>(length)) << length;
  }
}

TEST_P(PlanTest, AnImpulseGivesAConstantExactly) {
  for (const index_t length : {8, 343, 1000, 65536}) {
    std::vector<Complex<float>> impulse(static_cast<std::size_t>(length), Complex<float>{0, 0});
    impulse[0] = {0.75F, -0.5F};
    const auto result = transformed(device(), impulse, length);
    EXPECT_TRUE(std::all_of(result.begin(), result.end(), [&](Complex<float> value) { return value == impulse[0]; })) << length;
  }
}

TEST_P(PlanTest, ScalesTheResult) {
  const auto x = test::random_signal<float>(24, plan_seed);
  const auto plain = transformed(device(), x, 24);
  const auto half = transformed(device(), x, 24, Direction::forward, 0.5);
  for (std::size_t k = 0; k < x.size(); ++k) {
    EXPECT_EQ(half[k], scaled(plain[k], 0.5F));
  }
}

TEST_P(PlanTest, EveryTransformOfABatchIsTheSameAsAlone) {
  for (const index_t length : {6, 16, 64, 100, 23, 5000}) {
    const index_t batch = 20000 / length + 1;
    const auto x = test::random_signal<float>(length * batch, plan_seed);
    const auto together = transformed(device(), x, length);
    for (const index_t which : {index_t{0}, batch / 2, batch - 1}) {
      const auto first = x.begin() + which * length;
      const auto alone = transformed(device(), std::vector<Complex<float>>(first, first + length), length);
      EXPECT_TRUE(std::equal(alone.begin(), alone.end(), together.begin() + which * length)) << which << " of length " << length;
    }
  }
}

TEST_P(PlanTest, ExecutesManyTimesInAndOutOfPlaceAndInPart) {
  constexpr index_t length = 720;
  constexpr index_t batch = 5;
  const auto x = test::random_signal<float>(length * batch, plan_seed);
  const Plan plan({.lengths = {length}, .batch = batch}, device());
  const exec::Buffer<Complex<float>> in(device(), std::span<const Complex<float>>(x));
  exec::Buffer<Complex<float>> out(device(), in.size());
  exec::Buffer<Complex<float>> in_place(device(), std::span<const Complex<float>>(x));
  plan.execute(in.data(), out.data());
  plan.execute(in.data(), out.data());
  plan.execute(in_place.data(), in_place.data());
  std::vector<Complex<float>> first(x.size());
  std::vector<Complex<float>> second(x.size());
  out.copy_to(first);
  in_place.copy_to(second);
  EXPECT_EQ(first, second);
  EXPECT_EQ(first, transformed(device(), x, length));

  exec::Buffer<Complex<float>> part(device(), std::span<const Complex<float>>(x));
  plan.execute(part.data(), part.data(), 2);
  part.copy_to(second);
  EXPECT_TRUE(std::equal(second.begin(), second.begin() + 2 * length, first.begin()));
  EXPECT_TRUE(std::equal(second.begin() + 2 * length, second.end(), x.begin() + 2 * length)) << "the rest was touched";
  plan.execute(part.data(), part.data(), 0);
  EXPECT_THROW(plan.execute(part.data(), part.data(), batch + 1), Error);
  EXPECT_THROW(plan.execute(part.data(), part.data(), -1), Error);
}

TEST_P(PlanTest, AnEmptyBatchDoesNothing) {
  const Plan plan({.lengths = {1009}, .batch = 0}, device());
  Complex<float>* const nothing = nullptr;
  plan.execute_host(nothing, nothing);
}

TEST_P(PlanTest, NotANumberStaysInItsTransform) {
  for (const index_t length : {32, 37}) {
    auto x = test::random_signal<double>(3 * length, plan_seed);
    const auto clean = transformed(device(), x, length);
    x[static_cast<std::size_t>(length + 1)].re = std::numeric_limits<double>::quiet_NaN();
    const auto result = transformed(device(), x, length);
    for (index_t i = 0; i < 3 * length; ++i) {
      const Complex<double> value = result[static_cast<std::size_t>(i)];
      if (i / length == 1) {
        EXPECT_TRUE(std::isnan(value.re) || std::isnan(value.im)) << i;
      } else {
        EXPECT_EQ(value, clean[static_cast<std::size_t>(i)]) << i;
      }
    }
  }
}

TEST_P(PlanTest, ThreadsMayShareAPlan) {
  constexpr index_t length = 10007;  // with work memory
  const auto x = test::random_signal<float>(length, plan_seed);
  const auto expected = transformed(device(), x, length);
  const Plan plan({.lengths = {length}}, device());
  std::vector<std::vector<Complex<float>>> results(4, x);
  std::vector<std::thread> threads;
  for (auto& result : results) {
    threads.emplace_back([&plan, &result] { plan.execute_host(result.data(), result.data()); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const auto& result : results) {
    EXPECT_EQ(result, expected);
  }
}

TEST_P(PlanTest, TellsItsPasses) {
  const auto described = [](const Descriptor& descriptor) { return Plan(descriptor, GetParam()).describe(); };
  const auto expect_parts = [&](const std::string& text, std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) {
      EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' in '" << text << "'";
    }
  };
  const Device device = GetParam();
  expect_parts(described({.lengths = {1155}, .batch = 3}),
               {"f32, length 1155: ", "at least 18.0 KiB read and written a transform",
                device.is_host()  ? "packs of "
                : device.is_gpu() ? "1 pass: rows of 1155 (15 x 11 x 7"
                                  : "1 pass: rows of 1155 (11 x 7 x 5 x 3"});
  expect_parts(described({.lengths = {6, 1009}, .precision = Precision::f64}),
               {"f64, length 1009: ", ", length 6: ", "convolution"});
  expect_parts(described({.lengths = {1 << 20}, .kind = Kind::real_to_complex}),
               {"length 1048576: ", device.is_host()  ? "as 524288 pairs of reals, in four steps: columns of "
                                    : device.is_gpu() ? "from reals, in one launch 1024 (16 x 8 x 8, 8 a team)"
                                                      : "passes: "});
}

TEST_P(PlanTest, AnotherPrecisionIsAUsageError) {
  const Plan plan({.lengths = {8}}, device());
  Complex<double> values[8] = {};
  try {
    plan.execute_host(values, values);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
  }
}

TEST_P(PlanTest, MoreThanTheMemoryIsAnErrorWithBothFigures) {
  try {
    // Work memory of 2^45 elements: 256 TiB.
    const Plan plan({.lengths = {index_t{1} << 45}}, device());
    FAIL() << "no machine has that much";
  } catch (const Error& error) {
    EXPECT_TRUE(error.kind() == ErrorKind::memory || error.kind() == ErrorKind::usage);
    if (error.kind() == ErrorKind::memory) {
      EXPECT_NE(std::string(error.what()).find("asked for 256.0 TiB"), std::string::npos) << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, PlanTest, testing::ValuesIn(test::devices()),
                         [](const auto& tested) { return test::test_name(tested.param); });

}  // namespace
}  // namespace phpc::fft
