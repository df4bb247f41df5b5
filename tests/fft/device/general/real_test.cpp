#include <gtest/gtest.h>

#include <vector>

#include "fft/device/general/kernel.hpp"
#include "fft/device/pass_tables.hpp"
#include "fft/math/factors.hpp"
#include "phpc/exec/launch.hpp"
#include "phpc/fft/plan.hpp"
#include "support/devices.hpp"
#include "support/dft_oracle.hpp"
#include "support/launch_in_team.hpp"

namespace phpc::fft {
namespace {

using exec::Device;

constexpr unsigned seed = 8;
/// Radices that the tested instance of the kernel has: what is done with real numbers does not depend on them.
constexpr int largest = 10;
/// The kernel's class is no class of the library's: an instance of the library's name, without its cap of registers, would stand
/// in for the library's in the whole test program.
constexpr int own_class = largest + 1;

template <class Real>
Descriptor problem(index_t length, index_t batch, bool is_to_real) {
  return {.lengths = {length},
          .batch = batch,
          .precision = sizeof(Real) == sizeof(float) ? Precision::f32 : Precision::f64,
          .direction = is_to_real ? Direction::inverse : Direction::forward,
          .kind = is_to_real ? Kind::complex_to_real : Kind::real_to_complex,
          .scale = 0.5};
}

/// Real numbers, or the halves of spectra, of `batch` lines: as many numbers as the other side's complex ones hold.
template <class Real>
std::vector<Complex<Real>> random_lines(index_t length, index_t batch) {
  return test::random_signal<Real>(batch * (length / 2 + 1), seed);
}

template <class Real>
std::vector<Complex<Real>> run_plan(Device device, index_t length, index_t batch, bool is_to_real,
                                    const std::vector<Complex<Real>>& lines) {
  const exec::Buffer<Complex<Real>> in(device, std::span<const Complex<Real>>(lines));
  exec::Buffer<Complex<Real>> out(device, in.size());
  const Plan plan(problem<Real>(length, batch, is_to_real), device);
  if (is_to_real) {
    plan.execute(in.data(), reinterpret_cast<Real*>(out.data()));
  } else {
    plan.execute(reinterpret_cast<const Real*>(in.data()), out.data());
  }
  std::vector<Complex<Real>> result(lines.size());
  out.copy_to(result);
  return result;
}

/// What the numbers of a result are, of which its array may hold fewer than it could.
template <class Real>
std::vector<Complex<Real>> numbers_of(const std::vector<Complex<Real>>& result, index_t length, index_t batch, bool is_to_real) {
  if (!is_to_real) {
    return result;
  }
  const Real* const numbers = reinterpret_cast<const Real*>(result.data());
  std::vector<Complex<Real>> found;
  for (index_t i = 0; i < length * batch; ++i) {
    found.push_back({numbers[i], 0});
  }
  return found;
}

template <class Real>
void expect_near(const std::vector<Complex<Real>>& result, const std::vector<Complex<Real>>& expected, index_t length,
                 bool is_to_real) {
  test::RelativeError error;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    error.add(result[i], {expected[i].re, expected[i].im});
  }
  EXPECT_LE(error.value(), 2 * test::tolerance<Real>(length))
      << "length " << length << (is_to_real ? ", to" : ", from") << " reals";
}

/// The kernel on any device against the host's plan; Class: of the kernel, for lengths without radices over `largest` or any.
template <class Real, int Class = own_class>
void check_kernel(Device device, index_t length, bool is_to_real, int team_size) {
  const bool is_even = length % 2 == 0;
  const index_t complex = is_even ? length / 2 : length;
  const index_t most_width = 3;
  // Real numbers of even lines count as pairs.
  const index_t reals_distance = is_even ? complex : length;
  const RowDistances rows{is_to_real ? length / 2 + 1 : reals_distance, is_to_real ? reals_distance : length / 2 + 1};
  const RealEnd reals = is_even ? RealEnd::direct : RealEnd::reals;
  const RealEnd half = is_even ? RealEnd::half : RealEnd::odd_half;
  PassTables<Real> tables(device);
  const GeneralRows<Real> plan =
      tables.general_reals(complex, most_width, rows, is_to_real ? half : reals, is_to_real ? reals : half);
  if (Class == own_class && plan.largest > largest) {
    return;
  }
  const index_t batch = 2 * plan.work.width + 1;
  const auto lines = random_lines<Real>(length, batch);
  const exec::Buffer<Complex<Real>> in(device, std::span<const Complex<Real>>(lines));
  exec::Buffer<Complex<Real>> out(device, in.size());
  const exec::LaunchShape launched{
      .groups = ceil_div(batch, index_t{plan.work.width}), .scratch_bytes = plan.scratch_bytes, .team_size = team_size};
  test::launch_in_team(
      device, launched, team_size,
      GeneralKernel<Real, Class, RealRowEnds<Real>>{
          {in.data(), out.data(), plan.roots, static_cast<unsigned>(rows.from), static_cast<unsigned>(rows.to), plan.elements,
           static_cast<unsigned>(batch), Real{0.5}, plan.load, plan.store, is_to_real, plan.reads_reals, plan.writes_reals},
          plan.work});
  std::vector<Complex<Real>> result(lines.size());
  out.copy_to(result);
  const auto expected = run_plan<Real>(Device::host(), length, batch, is_to_real, lines);
  expect_near(numbers_of(result, length, batch, is_to_real), numbers_of(expected, length, batch, is_to_real), length, is_to_real);
}

/// Three lines over and over: near the host's results, and the same to the last bit wherever they lie in a tile.
template <class Real>
void check_plan(Device device, index_t length, index_t batch, bool is_to_real) {
  const auto three = random_lines<Real>(length, 3);
  const index_t line = is_to_real ? 2 * (length / 2 + 1) : length;  // in real numbers
  std::vector<Real> numbers;
  for (index_t i = 0; i < batch * line; ++i) {
    numbers.push_back(reinterpret_cast<const Real*>(three.data())[i % (3 * line)]);
  }
  std::vector<Complex<Real>> lines(static_cast<std::size_t>(batch * (length / 2 + 1)));
  std::copy(numbers.begin(), numbers.end(), reinterpret_cast<Real*>(lines.data()));
  const auto result = numbers_of(run_plan<Real>(device, length, batch, is_to_real, lines), length, batch, is_to_real);
  const auto expected = numbers_of(run_plan<Real>(Device::host(), length, 3, is_to_real, three), length, 3, is_to_real);
  expect_near(result, expected, length, is_to_real);
  EXPECT_TRUE(std::equal(result.begin() + static_cast<std::ptrdiff_t>(expected.size()), result.end(), result.begin()))
      << "length " << length << (is_to_real ? ", to" : ", from") << " reals";
}

/// Rows of real numbers padded to the bytes of their spectra: in place in the device's memory and out of place to the last bit
/// the same.
template <class Real>
void check_in_place(Device device, index_t length, index_t batch, bool is_to_real) {
  const index_t half = length / 2 + 1;
  Descriptor wanted = problem<Real>(length, batch, is_to_real);
  wanted.in.distance = is_to_real ? half : 2 * half;
  wanted.out.distance = is_to_real ? 2 * half : half;
  const auto lines = random_lines<Real>(length, batch);
  exec::Buffer<Complex<Real>> same(device, std::span<const Complex<Real>>(lines));
  exec::Buffer<Complex<Real>> out(device, std::span<const Complex<Real>>(lines));
  const Plan plan(wanted, device);
  const auto run = [&](Complex<Real>* from, Complex<Real>* to) {
    if (is_to_real) {
      plan.execute(from, reinterpret_cast<Real*>(to));
    } else {
      plan.execute(reinterpret_cast<Real*>(from), to);
    }
  };
  run(same.data(), out.data());
  run(same.data(), same.data());
  std::vector<Real> apart(2 * lines.size());
  std::vector<Real> together(2 * lines.size());
  out.copy_to(std::span(reinterpret_cast<Complex<Real>*>(apart.data()), lines.size()));
  same.copy_to(std::span(reinterpret_cast<Complex<Real>*>(together.data()), lines.size()));
  const index_t written = is_to_real ? length : 2 * half;
  for (index_t row = 0; row < batch; ++row) {
    const auto begin = static_cast<std::ptrdiff_t>(row * 2 * half);
    EXPECT_TRUE(std::equal(apart.begin() + begin, apart.begin() + begin + written, together.begin() + begin))
        << "length " << length << (is_to_real ? ", to" : ", from") << " reals, row " << row;
  }
}

class GeneralRealTest : public testing::TestWithParam<Device> {};

TEST_P(GeneralRealTest, OddLinesInPlace) {
  for (const index_t length : {9, 27, 105, 675, 2187, 3125}) {
    const index_t batch = 7 + 50000 / length;
    for (const bool is_to_real : {false, true}) {
      check_in_place<float>(GetParam(), length, batch, is_to_real);
      check_in_place<double>(GetParam(), length, batch, is_to_real);
    }
  }
}

/// Of every device: lengths whose half, or whole where they are odd, has large prime factors, in one pass and in several.
TEST_P(GeneralRealTest, PlansOfLengthsWithLargePrimes) {
  for (const index_t length : {17, 34, 46, 62, 74, 111, 202, 361, 1018, 2018, 4199, 28374, 62000, 88222}) {
    const index_t batch = 3 + 20000 / length;
    for (const bool is_to_real : {false, true}) {
      const auto lines = random_lines<float>(length, batch);
      expect_near(numbers_of(run_plan(GetParam(), length, batch, is_to_real, lines), length, batch, is_to_real),
                  numbers_of(run_plan(Device::host(), length, batch, is_to_real, lines), length, batch, is_to_real), length,
                  is_to_real);
    }
  }
}

TEST_P(GeneralRealTest, KernelOnOtherDevices) {
  if (GetParam().is_gpu()) {
    GTEST_SKIP() << "GPUs have the kernel in its classes";
  }
  for (index_t length = 3; length <= 1000; ++length) {
    if (is_smooth(length % 2 == 0 ? length / 2 : length)) {
      const int team_size = length % 3 == 0 ? 3 : 1;
      check_kernel<float>(GetParam(), length, length % 4 < 2, team_size);
      check_kernel<float>(GetParam(), length, length % 4 >= 2, team_size);
      check_kernel<double>(GetParam(), length, length % 4 >= 2, team_size);
    }
  }
}

/// Even ones and odd ones, with one large prime and with several.
TEST_P(GeneralRealTest, KernelOfLargePrimesOnOtherDevices) {
  if (GetParam().is_gpu()) {
    GTEST_SKIP() << "GPUs have the kernel in its classes";
  }
  for (const index_t length : {34, 38, 46, 62, 255, 493 * 2, 510, 589 * 6, 31 * 31 * 2, 693 * 23, 899 * 3, 1550, 2470, 10092}) {
    for (const bool is_to_real : {false, true}) {
      check_kernel<float, all_radices>(GetParam(), length, is_to_real, 3);
      check_kernel<double, all_radices>(GetParam(), length, is_to_real, 2);
    }
  }
}

TEST_P(GeneralRealTest, PlansOfSmoothLengths) {
  if (!GetParam().is_gpu()) {
    GTEST_SKIP() << "other devices do not take the kernel";
  }
  std::vector<index_t> lengths{34,   38,   46,   62,   255,  986,   510,   3534,  1922,  15939, 2697, 1550,  2470,  10092,
                               4802, 5145, 7203, 8505, 9100, 10500, 14256, 16807, 28512, 47432, 8192, 10000, 16384, 32768};
  for (index_t length = 2; length <= 2200; ++length) {
    if (is_smooth(length)) {
      lengths.push_back(length);
    }
  }
  for (const index_t length : lengths) {
    const index_t batch = 5 + 200000 / length;
    check_plan<float>(GetParam(), length, batch, length % 4 < 2);
    check_plan<float>(GetParam(), length, batch, length % 4 >= 2);
    check_plan<double>(GetParam(), length, batch, length % 4 >= 2);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, GeneralRealTest, testing::ValuesIn(test::devices()),
                         [](const auto& tested) { return test::test_name(tested.param); });

}  // namespace
}  // namespace phpc::fft
