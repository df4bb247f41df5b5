#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fft/device/general/kernel.hpp"
#include "fft/device/general/rule/rule.hpp"
#include "fft/device/general/rule/tables.hpp"
#include "fft/device/pass_tables.hpp"
#include "fft/math/factors.hpp"
#include "phpc/exec/launch.hpp"
#include "support/devices.hpp"
#include "support/dft_oracle.hpp"
#include "support/launch_in_team.hpp"

/// Rows of real numbers (RealRowEnds) with radices over 16, which real_test.cpp leaves out, against sums in long double. The rule
/// takes composite ones in f32 alone; here they are in f64 too. (Large primes: real_test.cpp.)
namespace phpc::fft {
namespace {

using exec::Device;

constexpr unsigned seed = 20261127;
constexpr std::size_t most_places = 20000;
constexpr index_t most_elements = 4000;  ///< of a transform

int drawn(std::mt19937_64& random, int least, int most) {
  return least + static_cast<int>(random() % static_cast<std::uint64_t>(most - least + 1));
}

/// Rows from or to real numbers, which lie one after another with gaps.
struct RealRows {
  index_t length;  ///< real numbers of a row
  index_t count;
  bool is_to_real;

  [[nodiscard]] bool is_even() const { return length % 2 == 0; }
  [[nodiscard]] index_t half() const { return length / 2 + 1; }
  [[nodiscard]] index_t reals_distance() const { return length + (is_even() ? 4 : 3); }
  [[nodiscard]] index_t half_distance() const { return half() + 2; }
  /// Elements of the transforms of complex numbers.
  [[nodiscard]] index_t elements() const { return is_even() ? length / 2 : length; }
  /// Real numbers of even lines count as pairs.
  [[nodiscard]] RowDistances distances() const {
    const index_t reals = is_even() ? reals_distance() / 2 : reals_distance();
    return {is_to_real ? half_distance() : reals, is_to_real ? reals : half_distance()};
  }
  [[nodiscard]] index_t numbers(bool are_reals) const { return count * (are_reals ? reals_distance() : 2 * half_distance()); }
};

/// How the general kernel does rows, with the tables that are not PassTables'.
template <class Real>
struct MadeRows {
  GeneralRows<Real> plan{};
  exec::Buffer<GeneralItem> items{};
};

/// Returns these for a shape made by hand, as PassTables::general_reals does for that of the rule.
template <class Real>
MadeRows<Real> made_rows(Device device, PassTables<Real>& tables, const RealRows& rows, const GeneralShape& shape) {
  const GeneralTables made = general_tables(rows.elements(), shape, rows.distances(), sizeof(Complex<Real>), most_places);
  MadeRows<Real> result;
  result.items = exec::Buffer<GeneralItem>(device, std::span<const GeneralItem>(made.items));
  GeneralRows<Real>& plan = result.plan;
  plan.work = general_work<Real>(rows.elements(), shape, made);
  plan.work.twiddles = tables.keep(made.twiddles);
  plan.work.items = result.items.data();
  plan.elements = made.elements;
  plan.scratch_bytes = static_cast<std::size_t>(made.pitch) * static_cast<std::size_t>(shape.width) * sizeof(Complex<Real>);
  const RealEnd direct = shape.is_in_order ? RealEnd::whole : RealEnd::direct;
  const RealEnd reals = rows.is_even() ? direct : RealEnd::reals;
  const RealEnd half = rows.is_even() ? RealEnd::half : RealEnd::odd_half;
  plan.load = rows.is_to_real ? half : reals;
  plan.store = rows.is_to_real ? reals : half;
  plan.reads_reals = !shape.is_in_order && plan.load == RealEnd::reals;
  plan.writes_reals = !shape.is_in_order && plan.store == RealEnd::reals;
  plan.roots = rows.is_even() ? tables.keep_roots(rows.length, rows.elements() / 2 + 1) : nullptr;
  return result;
}

/// Row `row` of a result or of what goes in, as complex numbers of a whole line.
template <class Real>
std::vector<test::Wide> line_of(const RealRows& rows, const std::vector<Real>& numbers, index_t row, bool are_reals) {
  std::vector<test::Wide> line;
  const Real* const first = numbers.data() + row * (are_reals ? rows.reals_distance() : 2 * rows.half_distance());
  for (index_t j = 0; j < rows.length; ++j) {
    const index_t k = std::min(j, rows.length - j);
    const bool is_own = k == 0 || 2 * k == rows.length;  // its imaginary part does not count
    const long double im = is_own ? 0 : k == j ? first[2 * k + 1] : -first[2 * k + 1];
    line.push_back(are_reals ? test::Wide{first[j], 0} : test::Wide{first[2 * k], im});
  }
  return line;
}

/// Runs the kernel with random numbers and compares what it makes with sums; what lies between rows stays as it was.
template <class Real>
void check_rows(Device device, const RealRows& rows, const GeneralRows<Real>& plan, unsigned number_seed, int team_size) {
  const auto random_numbers = [&](bool are_reals, unsigned own_seed) {
    const auto values = test::random_signal<Real>(ceil_div(rows.numbers(are_reals), index_t{2}), own_seed);
    const Real* const first = reinterpret_cast<const Real*>(values.data());
    return std::vector<Real>(first, first + rows.numbers(are_reals));
  };
  const std::vector<Real> input = random_numbers(!rows.is_to_real, number_seed);
  std::vector<Real> expected = random_numbers(rows.is_to_real, number_seed + 1);
  const exec::Buffer<Real> in(device, std::span<const Real>(input));
  exec::Buffer<Real> out(device, std::span<const Real>(expected));
  const RowDistances distances = rows.distances();
  test::launch_in_team(
      device,
      {.groups = ceil_div(rows.count, index_t{plan.work.width}), .scratch_bytes = plan.scratch_bytes, .team_size = team_size},
      team_size,
      GeneralKernel<Real, all_radices, RealRowEnds<Real>>{
          {in.data(), out.data(), plan.roots, static_cast<unsigned>(distances.from), static_cast<unsigned>(distances.to),
           plan.elements, static_cast<unsigned>(rows.count), Real{0.5}, plan.load, plan.store, rows.is_to_real, plan.reads_reals,
           plan.writes_reals},
          plan.work});
  std::vector<Real> result(expected.size());
  out.copy_to(result);
  test::RelativeError error;
  for (index_t row = 0; row < rows.count; ++row) {
    const auto line =
        test::dft(line_of(rows, input, row, !rows.is_to_real), rows.is_to_real ? Direction::inverse : Direction::forward);
    const index_t first = row * (rows.is_to_real ? rows.reals_distance() : 2 * rows.half_distance());
    for (index_t k = 0; k < (rows.is_to_real ? rows.length : rows.half()); ++k) {
      const auto at = static_cast<std::size_t>(first + (rows.is_to_real ? k : 2 * k));
      const test::Wide value = line[static_cast<std::size_t>(k)];
      error.add(Complex<Real>{result[at], rows.is_to_real ? Real{0} : result[at + 1]},
                {value.re / 2, rows.is_to_real ? 0 : value.im / 2});
      std::copy_n(result.begin() + static_cast<std::ptrdiff_t>(at), rows.is_to_real ? 1 : 2,
                  expected.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
  // Lines of 729 by radices 27 and 27, to real numbers in f64, were at 0.98 of the tolerance.
  EXPECT_LE(error.value(), 1.5 * test::tolerance<Real>(rows.length));
  EXPECT_TRUE(expected == result) << "what lies between rows was written";
}

std::string text_of(const RealRows& rows, const std::vector<int>& radices) {
  std::string text = std::to_string(rows.count) + " rows of " + std::to_string(rows.length) + " by radices";
  for (const int radix : radices) {
    text += " " + std::to_string(radix);
  }
  return text + (rows.is_to_real ? ", to" : ", from") + " reals, seed " + std::to_string(seed);
}

/// This radix and up to two others, of lines of even or of odd numbers of real ones.
std::vector<int> drawn_radices(std::mt19937_64& random, int radix, bool is_odd) {
  std::vector<int> radices{radix};
  index_t product = radix;
  for (int others = drawn(random, 0, 2); others > 0; --others) {
    const int other = is_odd ? 2 * drawn(random, 1, 13) + 1 : drawn(random, 2, 32);
    if (!is_large_prime(other) && product * other <= most_elements) {
      radices.push_back(other);
      product *= other;
    }
  }
  std::shuffle(radices.begin(), radices.end(), random);
  return radices;
}

/// Rows of a shape made by hand, the last team's tile not full.
template <class Real>
void check_made(Device device, std::mt19937_64& random, int radix, bool is_odd, bool is_to_real) {
  GeneralShape shape;
  shape.radices = drawn_radices(random, radix, is_odd);
  shape.has_pairs = true;
  shape.width = drawn(random, 1, 4);
  shape.team_size = drawn(random, 1, 5);
  RealRows rows{is_odd ? 1 : 2, 2 * shape.width + (shape.width > 1 ? 1 : 0), is_to_real};
  for (const int each : shape.radices) {
    rows.length *= each;
  }
  const bool is_single = shape.radices.size() == 1;  // which knows where its elements lie on the side that it reads alone
  if (is_odd) {
    shape.odd_reals = is_to_real ? OddReals::to : OddReals::from;
    shape.is_in_order = is_to_real && is_single;
  } else {
    shape.is_in_order = is_single && (is_to_real || random() % 2 == 0);
  }
  SCOPED_TRACE(text_of(rows, shape.radices));
  PassTables<Real> tables(device);
  const MadeRows<Real> made = made_rows(device, tables, rows, shape);
  check_rows(device, rows, made.plan, static_cast<unsigned>(random()), shape.team_size);
}

/// Rows of the shape that the rule has for them; returns the largest radix.
template <class Real>
int check_rule(Device device, std::mt19937_64& random, index_t length, bool is_to_real) {
  const RealRows rows{length, drawn(random, 3, 7), is_to_real};
  const RealEnd reals = rows.is_even() ? RealEnd::direct : RealEnd::reals;
  const RealEnd half = rows.is_even() ? RealEnd::half : RealEnd::odd_half;
  PassTables<Real> tables(device);
  const GeneralRows<Real> plan =
      tables.general_reals(rows.elements(), 3, rows.distances(), is_to_real ? half : reals, is_to_real ? reals : half);
  std::vector<int> radices;
  for (int stage = 0; stage < plan.work.stage_count; ++stage) {
    radices.push_back(plan.work.stages[stage].radix());
  }
  SCOPED_TRACE(text_of(rows, radices));
  const auto number_seed = static_cast<unsigned>(random());
  check_rows(device, rows, plan, number_seed, drawn(random, 1, 5));
  return *std::max_element(radices.begin(), radices.end());
}

class RealRadicesTest : public testing::TestWithParam<Device> {};

TEST_P(RealRadicesTest, InEveryPlace) {
  if (GetParam().is_gpu()) {
    GTEST_SKIP() << "GPUs have the kernel in its classes";
  }
  std::mt19937_64 random(seed);
  for (int radix = 18; radix <= 30; ++radix) {
    if (is_large_prime(radix)) {
      continue;
    }
    for (int round = 0; round < 6; ++round) {
      const bool is_to_real = round % 2 == 1;
      check_made<double>(GetParam(), random, radix, false, is_to_real);
      check_made<float>(GetParam(), random, radix, false, is_to_real);
      if (radix % 2 == 1) {
        check_made<double>(GetParam(), random, radix, true, is_to_real);
        check_made<float>(GetParam(), random, radix, true, is_to_real);
      }
    }
  }
}

TEST_P(RealRadicesTest, OfTheRule) {
  if (GetParam().is_gpu()) {
    GTEST_SKIP() << "GPUs have the kernel in its classes";
  }
  std::mt19937_64 random(seed);
  int largest = 0;
  for (int round = 0; round < 60; ++round) {
    index_t length = drawn(random, 34, 8000);
    while (!is_smooth(length % 2 == 0 ? length / 2 : length)) {
      length = drawn(random, 34, 8000);
    }
    largest = std::max(largest, check_rule<float>(GetParam(), random, length, round % 2 == 1));
    check_rule<double>(GetParam(), random, length, round % 2 == 1);
  }
  EXPECT_GT(largest, 16);
}

INSTANTIATE_TEST_SUITE_P(Devices, RealRadicesTest, testing::ValuesIn(test::devices()), test::DeviceName());

}  // namespace
}  // namespace phpc::fft
