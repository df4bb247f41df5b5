#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <span>
#include <vector>

#include "fft/device/general/gpu_passes.hpp"
#include "fft/device/real_passes.hpp"
#include "fft/device/short_reals/kernel.hpp"
#include "phpc/exec/buffer.hpp"
#include "phpc/fft/plan.hpp"
#include "support/devices.hpp"
#include "support/fast_dft.hpp"
#include "support/random_rounds.hpp"

/// Odd lines of real numbers whose lengths have large prime factors, in place, by plans and by RealFactorTiles, FactorTiles and
/// ShortRealsKernel, against transforms in long double.
namespace phpc::fft {
namespace {

using exec::Device;

constexpr unsigned seed = 20261126;

/// Runs a step of short lines of real numbers.
template <class Real>
void run_short_reals(const LinePasses<Real>& lines, const LineStep<Real>& step, const Real* in, Real* out, int team_size) {
  const ShortReals<Real>& plan = step.short_reals;
  const index_t count = lines.loops.lines();
  test::launch_in_team(
      lines.device,
      {.groups = ceil_div(count, index_t{plan.lines}), .scratch_bytes = plan.scratch_bytes(), .team_size = team_size}, team_size,
      ShortRealsKernel<Real>{in, out, plan.factors, lines.from.pitch * lines.from.distances[0],
                             lines.to.pitch * lines.to.distances[0], count, plan.length, plan.lines, plan.padded,
                             step.pass.store.scale, plan.is_from_reals});
}

/// Runs the passes of real numbers in teams of this size.
template <class Real>
void run_reals(LinePasses<Real>& lines, const Parts<Real>& in, const Parts<Real>& out, int team_size) {
  run_steps(lines, in, out, [&](const LineStep<Real>& wanted, const Parts<Real>& source, const Parts<Real>& target) {
    if (wanted.short_reals.length > 0) {
      run_short_reals(lines, wanted, source.first, target.first, team_size);
      return;
    }
    const GpuStep<Real> step(lines, wanted, source, target, team_size);
    if (wanted.pass.form == PassForm::convolved_rows) {
      step.launch_convolved_rows();
    } else if (wanted.general.form == GeneralForm::factors) {
      step.launch_factors();
    } else {
      ASSERT_EQ(wanted.general.form, GeneralForm::real_factors);
      step.launch_real_factors();
    }
  });
}

/// Rows of an odd number of real numbers padded to the bytes of their half spectra.
template <class Real>
struct PaddedRows {
  index_t length;
  index_t count;
  bool is_to_real;
  unsigned row_seed;

  [[nodiscard]] index_t half() const { return length / 2 + 1; }
  [[nodiscard]] std::vector<Real> input() const {
    const auto values = test::random_signal<Real>(count * half(), row_seed);
    const Real* const first = reinterpret_cast<const Real*>(values.data());
    return {first, first + 2 * count * half()};
  }
  /// Numbers that a row of the result has.
  [[nodiscard]] index_t written() const { return is_to_real ? length : 2 * half(); }

  /// Compares a result in rows so padded with long double.
  void check(const std::vector<Real>& in, const std::vector<Real>& result) const {
    test::RelativeError error;
    for (index_t row = 0; row < count; ++row) {
      const Real* const from = in.data() + row * 2 * half();
      const Real* const got = result.data() + row * 2 * half();
      std::vector<test::Wide> line(static_cast<std::size_t>(length));
      for (index_t j = 0; j < length; ++j) {
        const index_t k = std::min(j, length - j);  // the imaginary part of element 0 does not count
        const long double im = k == 0 ? 0 : k == j ? from[2 * k + 1] : -from[2 * k + 1];
        line[static_cast<std::size_t>(j)] = is_to_real ? test::Wide{from[2 * k], im} : test::Wide{from[j], 0};
      }
      line = test::fast_dft(line, is_to_real ? Direction::inverse : Direction::forward);
      for (index_t k = 0; k < (is_to_real ? length : half()); ++k) {
        const test::Wide value = line[static_cast<std::size_t>(k)];
        error.add(is_to_real ? Complex<Real>{got[k], 0} : Complex<Real>{got[2 * k], got[2 * k + 1]},
                  {value.re / 2, is_to_real ? 0 : value.im / 2});
      }
    }
    EXPECT_LE(error.value(), test::tolerance<Real>(length));
  }
};

/// Runs run(in, out) out of place, which leaves the input as it was, and in place, which gives the same bytes.
template <class Real, class Run>
void check_in_place(Device device, const PaddedRows<Real>& rows, const Run& run) {
  SCOPED_TRACE(testing::Message() << rows.count << " rows of " << rows.length << (rows.is_to_real ? ", to" : ", from")
                                  << " reals, seeds " << seed << " and " << rows.row_seed);
  const std::vector<Real> input = rows.input();
  exec::Buffer<Real> in(device, std::span<const Real>(input));
  exec::Buffer<Real> out(device, std::span<const Real>(input));
  exec::Buffer<Real> same(device, std::span<const Real>(input));
  run(in.data(), out.data());
  run(same.data(), same.data());
  std::vector<Real> apart(input.size());
  std::vector<Real> together(input.size());
  std::vector<Real> left(input.size());
  out.copy_to(apart);
  same.copy_to(together);
  in.copy_to(left);
  EXPECT_TRUE(left == input) << "the input was written";
  rows.check(input, apart);
  for (index_t row = 0; row < rows.count; ++row) {
    const auto begin = static_cast<std::ptrdiff_t>(row * 2 * rows.half());
    ASSERT_TRUE(std::equal(apart.begin() + begin, apart.begin() + begin + rows.written(), together.begin() + begin))
        << "row " << row;
  }
}

/// The passes of a GPU on another device; returns how many there are, 0 where those of complex numbers take less.
template <class Real>
std::size_t check_gpu_reals(Device device, const PaddedRows<Real>& rows, int team_size) {
  LineProblem problem{.length = rows.length, .scale = 0.5};
  const index_t half = rows.half();
  problem.direction = rows.is_to_real ? Direction::inverse : Direction::forward;
  problem.from = rows.is_to_real ? Elements::complex : Elements::real;
  problem.to = rows.is_to_real ? Elements::real : Elements::complex;
  problem.loops = {{rows.count, rows.is_to_real ? half : 2 * half, rows.is_to_real ? 2 * half : half}};
  LinePasses<Real> lines = gpu_lines<Real>(device, problem);
  LineEnds<Real> ends = gpu_ends(lines);
  if (!add_short_reals(lines, ends) && !add_real_convolution(lines, ends)) {
    return 0;
  }
  check_in_place<Real>(device, rows, [&](Real* in, Real* out) {
    const auto parts = [](Real* first, Elements elements) {
      return elements == Elements::real ? Parts<Real>{first, nullptr, 1} : Parts<Real>{first, first + 1, 2};
    };
    run_reals(lines, parts(in, problem.from), parts(out, problem.to), team_size);
  });
  return lines.steps.size();
}

template <class Real>
void check_plan_of_reals(Device device, const PaddedRows<Real>& rows) {
  const index_t half = rows.half();
  Descriptor wanted{.lengths = {rows.length}, .batch = rows.count, .scale = 0.5};
  wanted.precision = sizeof(Real) == sizeof(float) ? Precision::f32 : Precision::f64;
  wanted.direction = rows.is_to_real ? Direction::inverse : Direction::forward;
  wanted.kind = rows.is_to_real ? Kind::complex_to_real : Kind::real_to_complex;
  wanted.in.distance = rows.is_to_real ? half : 2 * half;
  wanted.out.distance = rows.is_to_real ? 2 * half : half;
  const Plan plan(wanted, device);
  check_in_place<Real>(device, rows, [&](Real* in, Real* out) {
    if (rows.is_to_real) {
      plan.execute(reinterpret_cast<const Complex<Real>*>(in), out);
    } else {
      plan.execute(in, reinterpret_cast<Complex<Real>*>(out));
    }
  });
}

/// An odd length up to `most` with a prime factor of at least 17.
index_t drawn_odd(std::mt19937_64& random, index_t most) {
  const index_t prime = drawn_prime(random, 17, most);
  return prime * (2 * drawn(random, 0, (most / prime - 1) / 2) + 1);
}

class OddRealsInPlaceTest : public testing::TestWithParam<Device> {};

/// Of every device: short lines, and those of one pass and of several.
TEST_P(OddRealsInPlaceTest, Plans) {
  std::mt19937_64 random(seed);
  for (const index_t most : {63, 500, 4000, 40000}) {
    for (int round = 0; round < test::random_rounds(5); ++round) {
      for (const bool is_to_real : {false, true}) {
        const index_t length = drawn_odd(random, most);
        const index_t count = 3 + 3000 / length;
        const auto row_seed = static_cast<unsigned>(random());
        check_plan_of_reals<float>(GetParam(), {length, count, is_to_real, row_seed});
        check_plan_of_reals<double>(GetParam(), {length, count, is_to_real, row_seed});
      }
    }
  }
}

TEST_P(OddRealsInPlaceTest, PassesOfGpusOnOtherDevices) {
  if (GetParam().is_gpu()) {
    GTEST_SKIP() << "GPUs have the kernels in their classes";
  }
  std::mt19937_64 random(seed);
  std::size_t short_lines = 0;
  std::size_t single = 0;
  std::size_t several = 0;
  for (const index_t most : {63, 500, 4000, 40000}) {
    for (int round = 0; round < test::random_rounds(6); ++round) {
      for (const bool is_to_real : {false, true}) {
        const index_t length = drawn_odd(random, most);
        const index_t count = 3 + 1000 / length;
        const auto row_seed = static_cast<unsigned>(random());
        const int team_size = static_cast<int>(drawn(random, 1, 4));
        for (const std::size_t passes : {check_gpu_reals<float>(GetParam(), {length, count, is_to_real, row_seed}, team_size),
                                         check_gpu_reals<double>(GetParam(), {length, count, is_to_real, row_seed}, team_size)}) {
          (passes > 1 ? several : length <= longest_short_reals ? short_lines : single) += passes > 0 ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(short_lines, 0U);
  EXPECT_GT(single, 0U);
  EXPECT_GT(several, 0U);
}

INSTANTIATE_TEST_SUITE_P(Devices, OddRealsInPlaceTest, testing::ValuesIn(test::devices()), test::DeviceName());

}  // namespace
}  // namespace phpc::fft
