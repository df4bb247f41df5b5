#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "fft/device/convolution_passes.hpp"
#include "fft/device/fixed_passes.hpp"
#include "fft/device/general/gpu_passes.hpp"
#include "fft/device/smooth_passes.hpp"
#include "phpc/exec/buffer.hpp"
#include "support/devices.hpp"
#include "support/fast_dft.hpp"
#include "support/random_rounds.hpp"

/// Lines whose lengths have large prime factors, by FactorTiles, ConvolvedTiles and PrimeTiles, against transforms in long
/// double.
namespace phpc::fft {
namespace {

using exec::Device;

constexpr unsigned seed = 20261126;

/// Runs the passes of complex numbers in teams of this size.
template <class Real>
void run_passes(LinePasses<Real>& lines, const Parts<Real>& in, const Parts<Real>& out, int team_size) {
  run_steps(lines, in, out, [&](const LineStep<Real>& wanted, const Parts<Real>& source, const Parts<Real>& target) {
    const GpuStep<Real> step(lines, wanted, source, target, team_size);
    if (wanted.pass.form == PassForm::convolved_rows) {
      step.launch_convolved_rows();
    } else if (wanted.general.largest == most_defined_prime) {
      step.launch(step.prime_tiles());
    } else if (wanted.general.form == GeneralForm::factors) {
      step.launch_factors();
    } else {
      ASSERT_EQ(wanted.general.form, GeneralForm::convolutions);
      step.launch(step.convolved_tiles());
    }
  });
}

/// Lines of complex numbers with gaps between them, one after another or side by side: two loops, so that no kernel of a length
/// takes them.
LineProblem complex_problem(std::mt19937_64& random, index_t length, index_t around, index_t inside) {
  LineProblem problem{.length = length, .scale = 0.5};
  problem.direction = random() % 2 == 0 ? Direction::forward : Direction::inverse;
  if (random() % 2 == 0) {
    problem.loops = {{around, inside * (length + 3) + 1, inside * (length + 2) + 4}, {inside, length + 3, length + 2}};
  } else {
    problem.from_stride = inside + 1;
    problem.to_stride = inside;
    problem.loops = {{around, length * (inside + 1) + 2, length * inside + 3}, {inside, 1, 1}};
  }
  return problem;
}

/// An array of complex numbers of a problem in the host's memory.
template <class Real>
struct ComplexArray {
  std::vector<Real> numbers;
  Elements elements;

  /// Of random numbers, as many as the lines of a side reach.
  ComplexArray(const LineProblem& problem, bool is_from, unsigned array_seed) : elements(is_from ? problem.from : problem.to) {
    index_t last = (problem.length - 1) * (is_from ? problem.from_stride : problem.to_stride);
    for (const LineLoop& loop : problem.loops) {
      last += (loop.count - 1) * (is_from ? loop.from : loop.to);
    }
    for (const Complex<Real>& value : test::random_signal<Real>(last + 1, array_seed)) {
      numbers.insert(numbers.end(), {value.re, value.im});
    }
  }
  Real& re(index_t place) { return numbers[static_cast<std::size_t>(elements == Elements::planar ? place : 2 * place)]; }
  Real& im(index_t place) {
    const auto at = static_cast<std::size_t>(place);
    return elements == Elements::planar ? numbers[numbers.size() / 2 + at] : numbers[2 * at + 1];
  }
  /// Its copy in a device's memory, as passes see it.
  [[nodiscard]] Parts<Real> parts(exec::Buffer<Real>& copy) const {
    return elements == Elements::planar ? Parts<Real>{copy.data(), copy.data() + copy.size() / 2, 1}
                                        : Parts<Real>{copy.data(), copy.data() + 1, 2};
  }
};

/// Runs the passes of `lines` on random numbers and compares with long double; what lies between lines stays as it was.
template <class Real>
void check_complex(LinePasses<Real>& lines, std::mt19937_64& random) {
  const LineProblem& problem = lines.problem;
  const auto array_seed = static_cast<unsigned>(random());
  ComplexArray<Real> in(problem, true, array_seed);
  ComplexArray<Real> expected(problem, false, array_seed + 1);
  ComplexArray<Real> got = expected;
  exec::Buffer<Real> from(lines.device, std::span<const Real>(in.numbers));
  exec::Buffer<Real> to(lines.device, std::span<const Real>(got.numbers));
  run_passes(lines, in.parts(from), got.parts(to), static_cast<int>(drawn(random, 1, 4)));
  to.copy_to(got.numbers);
  test::RelativeError error;
  for (index_t around = 0; around < problem.loops[0].count; ++around) {
    for (index_t inside = 0; inside < problem.loops[1].count; ++inside) {
      const index_t first = around * problem.loops[0].from + inside * problem.loops[1].from;
      const index_t target = around * problem.loops[0].to + inside * problem.loops[1].to;
      std::vector<test::Wide> line;
      for (index_t j = 0; j < problem.length; ++j) {
        line.push_back({in.re(first + j * problem.from_stride), in.im(first + j * problem.from_stride)});
      }
      line = test::fast_dft(line, problem.direction);
      for (index_t k = 0; k < problem.length; ++k) {
        const index_t place = target + k * problem.to_stride;
        const test::Wide value = line[static_cast<std::size_t>(k)];
        error.add(Complex<Real>{got.re(place), got.im(place)}, {value.re / 2, value.im / 2});
        expected.re(place) = got.re(place);
        expected.im(place) = got.im(place);
      }
    }
  }
  EXPECT_LE(error.value(), test::tolerance<Real>(problem.length));
  EXPECT_TRUE(expected.numbers == got.numbers) << "what lies between lines was written";
  std::vector<Real> left(in.numbers.size());
  from.copy_to(left);
  EXPECT_TRUE(left == in.numbers) << "the input was written";
}

std::string problem_text(const LineProblem& problem, const std::vector<index_t>& lengths) {
  std::string text = "length " + std::to_string(problem.length) + " by passes of";
  for (const index_t length : lengths) {
    text += " " + std::to_string(length);
  }
  text += problem.direction == Direction::inverse ? ", inverse" : "";
  text += problem.loops[1].from == 1 ? ", side by side" : "";
  text += problem.from == Elements::planar ? ", planar" : "";
  text += problem.to == Elements::planar ? ", to planar" : "";
  return text + ", seed " + std::to_string(seed);
}

/// Steps with stages by definition.
struct DefinedSteps {
  int one = 0;   ///< of these, those with one such stage
  int both = 0;  ///< with two

  template <class Real>
  void count(const GeneralRows<Real>& plan) {
    if (plan.largest == most_defined_prime) {
      ++(plan.work.stages[plan.work.stage_count + 1].items() > 0 ? both : one);
    }
  }
};

/// Lines by passes of these lengths; returns those by definition.
template <class Real>
DefinedSteps check_product(Device device, std::mt19937_64& random, const std::vector<index_t>& lengths) {
  index_t n = 1;
  for (const index_t length : lengths) {
    n *= length;
  }
  LineProblem problem = complex_problem(random, n, 2, drawn(random, 1, 7));
  problem.from = random() % 3 == 0 ? Elements::planar : Elements::complex;
  problem.to = random() % 3 == 0 ? Elements::planar : Elements::complex;
  SCOPED_TRACE(problem_text(problem, lengths));
  LinePasses<Real> lines = gpu_lines<Real>(device, problem);
  if (lengths.size() > 1) {
    lines.allocate_work(n);
  }
  add_smooth(lines, gpu_ends(lines), n, lengths);
  EXPECT_EQ(lines.steps.size(), lengths.size());
  DefinedSteps steps;
  for (const LineStep<Real>& step : lines.steps) {
    steps.count(step.general);
    EXPECT_TRUE(step.general.is_convolution() || step.general.largest == most_defined_prime);
  }
  check_complex(lines, random);
  return steps;
}
template <class Real>
void check_convolutions(Device device, std::mt19937_64& random, const std::vector<index_t>& lengths) {
  const DefinedSteps steps = check_product<Real>(device, random, lengths);
  EXPECT_EQ(steps.one + steps.both, 0);
}

/// A prime that no team has room for.
template <class Real>
void check_long_prime(Device device, std::mt19937_64& random, index_t prime) {
  const LineProblem problem = complex_problem(random, prime, 1, drawn(random, 2, 3));
  SCOPED_TRACE(problem_text(problem, {}));
  LinePasses<Real> lines = gpu_lines<Real>(device, problem);
  add_convolution(lines, gpu_ends(lines), prime);
  ASSERT_EQ(lines.steps.size(), 3U);
  EXPECT_TRUE(lines.steps[1].pass.form == PassForm::convolved_rows || lines.steps[1].general.convolution.spectrum_step > 0);
  check_complex(lines, random);
}

class LargePrimesTest : public testing::TestWithParam<Device> {};

TEST_P(LargePrimesTest, OnePass) {
  if (GetParam().is_gpu()) {
    GTEST_SKIP() << "GPUs have the kernels in their classes";
  }
  std::mt19937_64 random(seed);
  for (int round = 0; round < test::random_rounds(20); ++round) {
    check_convolutions<float>(GetParam(), random, {drawn_prime(random, 131, 1999) * drawn(random, 2, 5)});
    check_convolutions<double>(GetParam(), random, {drawn_prime(random, 131, 1009) * drawn(random, 2, 5)});
  }
}

TEST_P(LargePrimesTest, TwoPasses) {
  if (GetParam().is_gpu()) {
    GTEST_SKIP() << "GPUs have the kernels in their classes";
  }
  std::mt19937_64 random(seed);
  for (int round = 0; round < test::random_rounds(12); ++round) {
    check_convolutions<float>(GetParam(), random, {drawn_prime(random, 37, 190), drawn_prime(random, 37, 190)});
    check_convolutions<double>(GetParam(), random, {drawn_prime(random, 37, 190), drawn_prime(random, 37, 190)});
  }
}

/// Lengths with one prime of 37 to 127 or two of 17 to 127 in one pass, and two passes with one each: a part of them goes by
/// definition.
template <class Real>
void check_stages_by_definition(Device device, std::mt19937_64& random) {
  const auto last = [&] { return drawn_prime(random, 37, most_defined_prime); };
  constexpr int rounds = 16;
  DefinedSteps steps;
  for (int round = 0; round < rounds; ++round) {
    steps.one += check_product<Real>(device, random, {last() * drawn(random, 2, 16)}).one;
    constexpr index_t most = 5000;  // for which there is room by a convolution too
    const index_t primes = last() * drawn_prime(random, 17, 37);
    steps.both += check_product<Real>(device, random, {primes * drawn(random, 1, most / primes)}).both;
  }
  for (int round = 0; round < rounds / 4; ++round) {
    steps.one += check_product<Real>(device, random, {last() * drawn(random, 2, 3), last() * drawn(random, 2, 3)}).one;
  }
  EXPECT_GE(steps.one, rounds);
  EXPECT_GE(steps.both, rounds / 4);
}

TEST_P(LargePrimesTest, StagesByDefinition) {
  if (GetParam().is_gpu()) {
    GTEST_SKIP() << "GPUs have the kernels in their classes";
  }
  std::mt19937_64 random(seed);
  check_stages_by_definition<float>(GetParam(), random);
  check_stages_by_definition<double>(GetParam(), random);
}

TEST_P(LargePrimesTest, LongConvolutions) {
  if (GetParam().is_gpu()) {
    GTEST_SKIP() << "GPUs have the kernels in their classes";
  }
  std::mt19937_64 random(seed);
  for (int round = 0; round < test::random_rounds(4); ++round) {
    check_long_prime<float>(GetParam(), random, drawn_prime(random, 25000, 40000));
    check_long_prime<double>(GetParam(), random, drawn_prime(random, 12500, 40000));
  }
}

/// Rows of the middle pass of a long convolution, each with a random spectrum of its own: y = S F(x), and the inverse transform
/// of y, its parts traded and times exp(-2 pi i r e / (rows k)) for element e of row r.
template <class Real>
void check_spectra(Device device, std::mt19937_64& random) {
  constexpr index_t around = 2;
  const index_t rows = drawn(random, 2, 45);
  index_t k = drawn(random, 16, 2048);
  while (row_convolution_shape<Real>(k, gpu_scratch).shape.team_size == 0) {
    k = drawn(random, 16, 2048);
  }
  LinePasses<Real> lines = gpu_lines<Real>(device, {.length = rows * k, .loops = {{around, rows * k + 5, rows * k + 5}}});
  lines.allocate_work(rows * k);
  const auto signal = test::random_signal<Real>(around * rows * k, static_cast<unsigned>(random()));
  const auto noise = test::random_signal<float>(rows * k, static_cast<unsigned>(random()));
  std::vector<Complex<double>> spectrum;
  for (const Complex<float>& value : noise) {
    spectrum.push_back({value.re, value.im});
  }
  add_convolved_rows(lines, rows, k, spectrum);
  LineStep<Real>& step = lines.steps.front();
  const bool is_fixed = step.pass.form == PassForm::convolved_rows;
  const double scale = is_fixed ? 1 : 0.25;
  ASSERT_EQ(step.general.convolution.spectrum_step, is_fixed ? 0 : static_cast<unsigned>(k));
  step.pass.store.scale = static_cast<Real>(scale);
  lines.first_work.copy_from(signal);
  run_passes<Real>(lines, {}, {}, static_cast<int>(drawn(random, 1, 4)));
  std::vector<Complex<Real>> result(signal.size());
  lines.first_work.copy_to(result);
  constexpr long double two_pi = 6.283185307179586476925286766559005768L;
  test::RelativeError error;
  for (index_t row = 0; row < around * rows; ++row) {
    const index_t r = row % rows;
    std::vector<test::Wide> line = test::fast_dft(test::widened(signal, row * k, k), Direction::forward);
    for (index_t e = 0; e < k; ++e) {  // the whole spectrum counts r + rows e
      line[static_cast<std::size_t>(e)] = line[static_cast<std::size_t>(e)] * test::widened(spectrum, r + rows * e, 1).front();
    }
    line = test::fast_dft(line, Direction::inverse);
    for (index_t e = 0; e < k; ++e) {
      const test::Wide value = line[static_cast<std::size_t>(e)];
      const long double angle = two_pi * static_cast<long double>(r * e) / static_cast<long double>(rows * k);
      const test::Wide turned = test::Wide{value.im, value.re} * test::Wide{std::cos(angle), -std::sin(angle)};
      error.add(result[static_cast<std::size_t>(row * k + e)], {turned.re * scale, turned.im * scale});
    }
  }
  // Two transforms.
  EXPECT_LE(error.value(), 2 * test::tolerance<Real>(k)) << rows << " rows of " << k << ", seed " << seed;
}

TEST_P(LargePrimesTest, SpectraOfTheirOwn) {
  if (GetParam().is_gpu()) {
    GTEST_SKIP() << "GPUs have the kernels in their classes";
  }
  std::mt19937_64 random(seed);
  for (int round = 0; round < test::random_rounds(20); ++round) {
    check_spectra<float>(GetParam(), random);
    check_spectra<double>(GetParam(), random);
  }
}

/// Kernels of fixed rows take those of all lines as one array, in two loops over lines at most.
TEST_P(LargePrimesTest, FixedRowsLieOneAfterTheOther) {
  constexpr index_t n = 40009;
  constexpr LineLoop batch{2, 16 * n, 16 * n};
  constexpr LineLoop outer{2, 5 * n, 5 * n};
  constexpr LineLoop inner{2, n + 1, n + 1};
  EXPECT_FALSE(fixed_convolved_rows(gpu_lines<float>(GetParam(), {.length = n, .loops = {batch}})).empty());
  EXPECT_FALSE(fixed_convolved_rows(gpu_lines<float>(GetParam(), {.length = n, .loops = {batch, inner}})).empty());
  EXPECT_TRUE(fixed_convolved_rows(gpu_lines<float>(GetParam(), {.length = n, .loops = {batch, outer, inner}})).empty());
  const LineProblem columns{.length = n, .from_stride = 8, .to_stride = 8, .loops = {batch, {8, 1, 1}}};
  EXPECT_TRUE(fixed_convolved_rows(gpu_lines<float>(GetParam(), columns)).empty());
}

INSTANTIATE_TEST_SUITE_P(Devices, LargePrimesTest, testing::ValuesIn(test::devices()), test::DeviceName());

}  // namespace
}  // namespace phpc::fft
