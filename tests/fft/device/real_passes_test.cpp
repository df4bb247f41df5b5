#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <vector>

#include "fft/device/general/kernel.hpp"
#include "fft/device/pass_tables.hpp"
#include "fft/device/short_reals/kernel.hpp"
#include "fft/device/short_reals/launch.hpp"
#include "fft/math/bluestein_filter.hpp"
#include "fft/math/chirp.hpp"
#include "fft/math/factors.hpp"
#include "phpc/exec/launch.hpp"
#include "phpc/fft/plan.hpp"
#include "support/devices.hpp"
#include "support/dft_oracle.hpp"
#include "support/launch_in_team.hpp"

/// Lines of real numbers by RealColumns, ConjugatePairTiles, RealFactorTiles and ShortRealsKernel.
namespace phpc::fft {
namespace {

using exec::Device;

constexpr unsigned seed = 9;
constexpr index_t line_count = 3;
/// Of all radices that passes have; no class of the library's (see general_tiles_test.cpp).
constexpr int own_class = 33;

template <class Real>
Descriptor problem(index_t length, index_t batch, bool is_to_real) {
  return {.lengths = {length},
          .batch = batch,
          .precision = sizeof(Real) == sizeof(float) ? Precision::f32 : Precision::f64,
          .direction = is_to_real ? Direction::inverse : Direction::forward,
          .kind = is_to_real ? Kind::complex_to_real : Kind::real_to_complex,
          .scale = 0.5};
}

/// The arrays of `batch` lines: real numbers, and elements 0 ... n / 2 of their spectra, neither with gaps.
template <class Real>
struct Lines {
  index_t length;
  index_t batch;
  bool is_to_real;

  [[nodiscard]] index_t half() const { return length / 2 + 1; }
  [[nodiscard]] index_t numbers_in() const { return batch * (is_to_real ? 2 * half() : length); }
  [[nodiscard]] index_t numbers_out() const { return batch * (is_to_real ? length : 2 * half()); }

  [[nodiscard]] std::vector<Real> input() const {
    const auto values = test::random_signal<Real>(batch * half(), seed + static_cast<unsigned>(length));
    const Real* const first = reinterpret_cast<const Real*>(values.data());
    return {first, first + numbers_in()};
  }

  /// What a plan makes of it, with arrays that begin at their second number where is_odd.
  [[nodiscard]] std::vector<Real> transformed(Device device, const std::vector<Real>& input, bool is_odd = false) const {
    std::vector<Real> numbers(input);
    numbers.insert(numbers.begin(), is_odd ? 1 : 0, Real{0});
    const exec::Buffer<Real> in(device, std::span<const Real>(numbers));
    exec::Buffer<Real> out(device, numbers_out() + 1);
    const Plan plan(problem<Real>(length, batch, is_to_real), device);
    const Real* const from = in.data() + (is_odd ? 1 : 0);
    Real* const to = out.data() + (is_odd ? 1 : 0);
    if (is_to_real) {
      plan.execute(reinterpret_cast<const Complex<Real>*>(from), to);
    } else {
      plan.execute(from, reinterpret_cast<Complex<Real>*>(to));
    }
    std::vector<Real> result(static_cast<std::size_t>(numbers_out() + 1));
    out.copy_to(result);
    if (is_odd) {
      result.erase(result.begin());
    } else {
      result.pop_back();
    }
    return result;
  }
};

template <class Real>
void expect_near(const std::vector<Real>& result, const std::vector<Real>& expected, const Lines<Real>& lines) {
  test::RelativeError error;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    error.add(Complex<Real>{result[i], 0}, {expected[i], 0});
  }
  EXPECT_LE(error.value(), 2 * test::tolerance<Real>(lines.length))
      << "length " << lines.length << (lines.is_to_real ? ", to" : ", from") << " reals";
}

template <class Real>
struct TwoPasses {
  Pass<Real> first{};
  Pass<Real> second{};
  GeneralRows<Real> first_plan{};
  GeneralRows<Real> second_plan{};
};

/// L columns' elements and M columns, as DeviceLines does them.
template <class Real>
TwoPasses<Real> two_passes(PassTables<Real>& tables, index_t line, index_t columns, bool is_to_real) {
  const index_t n = line * columns;
  const index_t half = line / 2 + 1;
  TwoPasses<Real> made;
  Pass<Real>& of_reals = is_to_real ? made.second : made.first;
  Pass<Real>& of_spectrum = is_to_real ? made.first : made.second;
  of_reals.length = static_cast<int>(line);
  of_spectrum.length = static_cast<int>(columns);
  made.second.store.scale = Real{0.5};
  made.first.load.swap = is_to_real;
  made.second.store.swap_last = is_to_real;
  tables.set_four_step_twiddles(made.first, n);
  if (is_to_real) {
    of_reals.to_position = columns;
    of_reals.add_loop({.count = line_count, .from = half * columns, .to_position = n});
    of_reals.add_loop({.count = ceil_div(columns, index_t{2}), .from = 2 * half, .to_position = 2});
    of_spectrum.from_step = line;
    of_spectrum.to_step = half;
    of_spectrum.add_loop({.count = line_count, .from = n / 2 + 1, .to = half * columns});
    of_spectrum.add_loop({.count = half, .from = 1, .to = 1, .from_position = 1, .twiddle_step = 1});
  } else {
    of_reals.from_position = columns;
    of_reals.to_step = columns;
    of_reals.add_loop({.count = line_count, .to = half * columns, .from_position = n});
    of_reals.add_loop({.count = ceil_div(columns, index_t{2}), .to = 2, .from_position = 2, .twiddle_step = 2});
    of_spectrum.to_step = line;
    of_spectrum.add_loop({.count = line_count, .from = half * columns, .to = n / 2 + 1});
    of_spectrum.add_loop({.count = half, .from = columns, .to = 1, .to_position = 1, .twiddle_step = 1});
  }
  (is_to_real ? made.second_plan : made.first_plan) = tables.general_real_columns(of_reals, columns, columns, !is_to_real);
  (is_to_real ? made.first_plan : made.second_plan) = tables.general_conjugate_pairs(of_spectrum, n, line, is_to_real);
  return made;
}

template <class Real>
void run_pass(Device device, const Pass<Real>& pass, const GeneralRows<Real>& plan, const void* in, void* out, int team_size) {
  const exec::Buffer<Pass<Real>> on_device(device, std::span<const Pass<Real>>(&pass, 1));
  const PassWindow window{0, 0, line_count, line_count};
  const TileLoops loops = tile_loops(pass, window, plan.work.width);
  Pass<Real> tiled = pass;
  tiled.width = plan.work.width;
  const exec::LaunchShape shape{
      .groups = pass_groups(tiled, window), .scratch_bytes = plan.scratch_bytes, .team_size = team_size};
  const auto* const values = static_cast<const Complex<Real>*>(in);
  auto* const results = static_cast<Complex<Real>*>(out);
  if (plan.form == GeneralForm::real_factors) {
    const auto launch_factors = [&]<bool IsConvolved>(std::bool_constant<IsConvolved> /*is_convolved*/) {
      using Tiles = RealFactorTiles<Real, IsConvolved>;
      const Tiles tiles{{values, results, on_device.data(), loops, plan.convolution},
                        plan.load == RealEnd::reals,
                        plan.load == RealEnd::odd_half,
                        plan.store == RealEnd::reals};
      test::launch_in_team(device, shape, team_size, GeneralKernel<Real, own_class, Tiles>{tiles, plan.work});
    };
    plan.is_convolution() ? launch_factors(std::true_type{}) : launch_factors(std::false_type{});
  } else if (plan.form == GeneralForm::real_columns) {
    const RealColumns<Real> columns{in, out, on_device.data(), loops, plan.elements, plan.columns, plan.load == RealEnd::reals};
    test::launch_in_team(device, shape, team_size, GeneralKernel<Real, own_class, RealColumns<Real>>{columns, plan.work});
  } else {
    const auto launch_pairs = [&]<bool IsConvolved>(std::bool_constant<IsConvolved> /*is_convolved*/) {
      using Tiles = ConjugatePairTiles<Real, IsConvolved>;
      const Tiles tiles{values,          results,   on_device.data(),           loops,
                        plan.line,       plan.rows, plan.load == RealEnd::half, plan.work.length,
                        plan.convolution};
      test::launch_in_team(device, shape, team_size, GeneralKernel<Real, own_class, Tiles>{tiles, plan.work});
    };
    plan.is_convolution() ? launch_pairs(std::true_type{}) : launch_pairs(std::false_type{});
  }
}

template <class Real>
void check_two_passes(Device device, index_t line, index_t columns, bool is_to_real, int team_size) {
  const Lines<Real> lines{line * columns, line_count, is_to_real};
  const std::vector<Real> input = lines.input();
  constexpr std::size_t scratch = 200000;
  PassTables<Real> tables(device, scratch);
  const TwoPasses<Real> passes = two_passes(tables, line, columns, is_to_real);
  const exec::Buffer<Real> in(device, std::span<const Real>(input));
  exec::Buffer<Real> work(device, 2 * line_count * columns * (line / 2 + 1));
  exec::Buffer<Real> out(device, lines.numbers_out());
  run_pass(device, passes.first, passes.first_plan, in.data(), work.data(), team_size);
  run_pass(device, passes.second, passes.second_plan, work.data(), out.data(), team_size);
  std::vector<Real> result(static_cast<std::size_t>(lines.numbers_out()));
  out.copy_to(result);
  expect_near(result, lines.transformed(Device::host(), input), lines);
}

/// An odd length in one pass by a convolution, as DeviceLines does it.
template <class Real>
void check_convolution(Device device, index_t length, bool is_to_real, int team_size) {
  const Lines<Real> lines{length, line_count, is_to_real};
  const std::vector<Real> input = lines.input();
  const index_t half = lines.half();
  const ChirpExtents part{is_to_real ? half : length, is_to_real ? length : half};
  constexpr std::size_t scratch = 200000;
  PassTables<Real> tables(device, scratch);
  const std::vector<Complex<double>> chirp_values = chirp(length);
  std::vector<Complex<double>> load(chirp_values.begin(), chirp_values.begin() + part.elements);
  for (std::size_t k = 1; k < load.size() && is_to_real; ++k) {
    load[k] = scaled(load[k], 2.0);
  }
  Pass<Real> pass;
  pass.length = static_cast<int>(length);
  pass.add_loop({.count = line_count, .from = is_to_real ? half : length, .to = is_to_real ? length : half});
  pass.load.swap = is_to_real;
  pass.load.count = part.elements;
  pass.load.factors = tables.keep(load);
  pass.store.swap_last = is_to_real;
  pass.store.scale = Real{0.5};
  pass.store.count = part.results;
  pass.store.factors = tables.keep(chirp_values);
  const ConvolutionShape shape = convolution_shape<Real>(length, {line_count, 0}, true, scratch, part.least_padded());
  const GeneralRows<Real> plan = tables.general_real_convolution(
      pass, shape, bluestein_filter_spectrum<Real>(chirp_values, shape.length, part),
      is_to_real ? RealEnd::odd_half : RealEnd::reals, is_to_real ? RealEnd::reals : RealEnd::whole);
  const exec::Buffer<Real> in(device, std::span<const Real>(input));
  exec::Buffer<Real> out(device, lines.numbers_out());
  run_pass(device, pass, plan, in.data(), out.data(), team_size);
  std::vector<Real> result(static_cast<std::size_t>(lines.numbers_out()));
  out.copy_to(result);
  expect_near(result, lines.transformed(Device::host(), input), lines);
}

class RealPassesTest : public testing::TestWithParam<Device> {};

TEST_P(RealPassesTest, TwoPassesOnOtherDevices) {
  if (GetParam().is_gpu()) {
    GTEST_SKIP() << "GPUs have the kernels in their classes";
  }
  for (const index_t line : {2, 3, 8, 15, 16, 36, 77, 125}) {
    for (const index_t columns : {2, 5, 12, 17, 27, 47, 49, 94, 160, 289}) {
      for (const bool is_to_real : {false, true}) {
        check_two_passes<float>(GetParam(), line, columns, is_to_real, 3);
        check_two_passes<double>(GetParam(), line, columns, is_to_real, 2);
      }
    }
  }
}

TEST_P(RealPassesTest, ConvolutionsOnOtherDevices) {
  if (GetParam().is_gpu()) {
    GTEST_SKIP() << "GPUs have the kernels in their classes";
  }
  for (const index_t length : {3, 7, 17, 37, 101, 221, 509, 1451, 3001}) {
    for (const bool is_to_real : {false, true}) {
      check_convolution<float>(GetParam(), length, is_to_real, 3);
      check_convolution<double>(GetParam(), length, is_to_real, 2);
    }
  }
}

template <class Real>
void check_short_lines(Device device, index_t length, bool is_to_real, int team_size) {
  const Lines<Real> lines{length, 2 * 128 + 7, is_to_real};  // the last team is not full
  const std::vector<Real> input = lines.input();
  ShortReals<Real> plan = short_reals<Real>(length, !is_to_real);
  PassTables<Real> tables(device);
  plan.factors = tables.keep(short_reals_factors(length));
  const exec::Buffer<Real> in(device, std::span<const Real>(input));
  exec::Buffer<Real> out(device, lines.numbers_out());
  const index_t spectrum = 2 * lines.half();
  test::launch_in_team(
      device,
      {.groups = ceil_div(lines.batch, index_t{plan.lines}), .scratch_bytes = plan.scratch_bytes(), .team_size = team_size},
      team_size,
      ShortRealsKernel<Real>{in.data(), out.data(), plan.factors, is_to_real ? spectrum : length, is_to_real ? length : spectrum,
                             lines.batch, plan.length, plan.lines, plan.padded, Real{0.5}, !is_to_real});
  std::vector<Real> result(static_cast<std::size_t>(lines.numbers_out()));
  out.copy_to(result);
  expect_near(result, lines.transformed(Device::host(), input), lines);
}

/// All short odd lines: the kernel on other devices, plans, of which some take it, on GPUs.
TEST_P(RealPassesTest, ShortLines) {
  for (index_t length = 3; length <= longest_short_reals; length += 2) {
    EXPECT_EQ(takes_short_reals(length), !is_smooth(length));
    for (const bool is_to_real : {false, true}) {
      if (GetParam().is_gpu()) {
        const Lines<float> lines{length, 1000, is_to_real};
        const Lines<double> wide{length, 1000, is_to_real};
        expect_near(lines.transformed(GetParam(), lines.input(), length % 4 == 1),
                    lines.transformed(Device::host(), lines.input()), lines);
        expect_near(wide.transformed(GetParam(), wide.input()), wide.transformed(Device::host(), wide.input()), wide);
      } else {
        check_short_lines<float>(GetParam(), length, is_to_real, 3);
        check_short_lines<double>(GetParam(), length, is_to_real, 2);
      }
    }
  }
  EXPECT_FALSE(takes_short_reals(67) || takes_short_reals(34) || takes_short_reals(1));
}

/// Odd lengths with large prime factors, by convolutions in one pass and in several.
TEST_P(RealPassesTest, PlansOfConvolutions) {
  if (!GetParam().is_gpu()) {
    GTEST_SKIP() << "other devices do not take these passes";
  }
  for (const index_t length :
       {17,   37,           143 * 17,     1550, 3598, 10092, 20774, 34385, 52925, 78208, 2 * 3 * 20011, 129688,
        1958, 61 * 62 * 64, 43 * 47 * 36, 1451, 4501, 9519,  15555, 58179, 75293, 99991, 101251,        1000003}) {
    const index_t batch = 3 + 200000 / length;
    for (const bool is_to_real : {false, true}) {
      const Lines<float> lines{length, batch, is_to_real};
      const Lines<double> wide{length, batch, is_to_real};
      expect_near(lines.transformed(GetParam(), lines.input(), length % 3 == 0), lines.transformed(Device::host(), lines.input()),
                  lines);
      expect_near(wide.transformed(GetParam(), wide.input()), wide.transformed(Device::host(), wide.input()), wide);
    }
  }
}

/// Lengths of two passes and of three, even and odd ones; arrays that begin between pairs of numbers too.
TEST_P(RealPassesTest, Plans) {
  if (!GetParam().is_gpu()) {
    GTEST_SKIP() << "other devices do not take these passes";
  }
  for (const index_t length : {35937, 59049, 65520, 79625, 95823, 191646, 282975, 363825, 654368, 790272, 1594323, 4782969,
                               5764801, 6000000, 8650752, 14348907}) {
    const index_t batch = 1 + 200000 / length;
    for (const bool is_to_real : {false, true}) {
      const Lines<float> lines{length, batch, is_to_real};
      const std::vector<float> input = lines.input();
      const std::vector<float> expected = lines.transformed(Device::host(), input);
      expect_near(lines.transformed(GetParam(), input), expected, lines);
      if (length < 1000000) {
        expect_near(lines.transformed(GetParam(), input, true), expected, lines);
        const Lines<double> wide{length, batch, is_to_real};
        expect_near(wide.transformed(GetParam(), wide.input()), wide.transformed(Device::host(), wide.input()), wide);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, RealPassesTest, testing::ValuesIn(test::devices()),
                         [](const auto& tested) { return test::test_name(tested.param); });

}  // namespace
}  // namespace phpc::fft
