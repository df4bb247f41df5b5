#include "fft/host/lines.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <thread>
#include <type_traits>

#include "fft/host/packs/pack.hpp"
#include "support/line_problems.hpp"
#include "support/random_rounds.hpp"

namespace phpc::fft {
namespace {

using test::check;
using test::dense;
using test::dense_real;
using test::line_elements;
using test::Wide;

template <class Real>
class HostLinesTest : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(HostLinesTest, Precisions);

TEST(FastDft, EqualsTheDefinition) {
  for (const index_t n : {1, 2, 3, 12, 17, 34, 97, 128, 210, 289}) {
    std::vector<Wide> x = test::widened(test::random_signal<double>(n, static_cast<unsigned>(n)), 0, n);
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      const std::vector<Wide> expected = test::dft(x, direction);
      const std::vector<Wide> got = test::fast_dft(x, direction);
      long double error = 0;
      for (std::size_t k = 0; k < x.size(); ++k) {
        error = std::max({error, std::abs(got[k].re - expected[k].re), std::abs(got[k].im - expected[k].im)});
      }
      EXPECT_LT(error, 1e-15L) << n;
    }
  }
}

/// The error of a transform of `batch` equal lines.
template <class Real>
double error_of(const LineProblem& problem, const std::vector<Complex<float>>& line, const std::vector<Wide>& expected) {
  const index_t n = problem.length;
  const index_t batch = problem.loops[0].count;
  std::vector<Complex<Real>> x;
  for (index_t i = 0; i < n * batch; ++i) {
    const Complex<float> value = line[static_cast<std::size_t>(i % n)];
    x.push_back({value.re, value.im});
  }
  HostLines<Real>(problem).run(x.data(), x.data(), batch);
  test::RelativeError error;
  for (index_t i = 0; i < n * batch; ++i) {
    error.add(x[static_cast<std::size_t>(i)], expected[static_cast<std::size_t>(i % n)]);
  }
  return error.value();
}

// Under a sanitizer, where packs are memory and calls, every length would take ten minutes.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr index_t sweep_step = 41;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr index_t sweep_step = 41;
#else
constexpr index_t sweep_step = 1;
#endif
#else
constexpr index_t sweep_step = 1;
#endif

/// Both ways that a length may go, many lines and one, in turn; one oracle for both precisions.
TEST(HostLines, EveryLengthTo4200) {
  for (index_t n = 1; n <= 4200; n += n < 128 ? 1 : sweep_step) {
    const std::vector<Complex<float>> line = test::random_signal<float>(n, static_cast<unsigned>(n));
    const Direction direction = n % 2 == 0 ? Direction::forward : Direction::inverse;
    const std::vector<Wide> expected = test::fast_dft(test::widened(line, 0, n), direction);
    const index_t batch = n % 3 == 0 ? 1 : 8 + n % 5;
    ASSERT_LE(error_of<float>(dense(n, batch, direction), line, expected), test::tolerance<float>(n)) << n;
    ASSERT_LE(error_of<double>(dense(n, batch, direction), line, expected), test::tolerance<double>(n)) << n;
  }
}

/// Enough lines of short lengths that their errors average out, as the tolerance takes for granted.
TYPED_TEST(HostLinesTest, ManyLengthsOfRealLines) {
  for (index_t n = 1; n <= 4200; n += n < 200 ? 1 : 37) {
    const auto seed = static_cast<unsigned>(n);
    const index_t batch = n < 100 ? 40 : (n % 3 == 0 ? 1 : lanes<TypeParam> + 1);
    const index_t step = n < 100 ? 1 : batch;
    check<TypeParam>(dense_real(n, batch, Direction::forward), batch, seed, false, step);
    check<TypeParam>(dense_real(n, batch, Direction::inverse), batch, seed, false, step);
    if (testing::Test::HasFailure()) {
      return;
    }
  }
}

TYPED_TEST(HostLinesTest, LongLines) {
  for (const index_t n : {8192, 10007, 16384, 19683, 30030, 32768, 65536, 65537, 100000, 131072, 262144, 1 << 20}) {
    check<TypeParam>(dense(n, 1), 1, 1);
    check<TypeParam>(dense(n, 1, Direction::inverse), 1, 2, true);
  }
}

/// A third of the lengths with sanitizers, as the arrays must be larger than caches.
TYPED_TEST(HostLinesTest, ManyLinesStreamed) {
  const index_t lengths[] = {3, 8, 9, 21, 64, 100, 256, 1000, 1009, 1024, 2187, 4096, 65536};
  for (std::size_t i = 0; i < std::size(lengths); i += sweep_step == 1 ? 1 : 3) {
    const index_t n = lengths[i];
    const index_t batch = (index_t{1} << (sizeof(TypeParam) == 4 ? 21 : 20)) / n + 3;
    check<TypeParam>(dense(n, batch), batch, 5, false, batch / 7);
    check<TypeParam>(dense_real(n, batch, Direction::forward), batch, 5, false, batch / 3);
    check<TypeParam>(dense_real(n, batch, Direction::inverse), batch, 5, false, batch / 3);
  }
}

TYPED_TEST(HostLinesTest, InPlace) {
  for (const index_t n : {1, 2, 5, 8, 60, 97, 256, 384, 1009, 1536, 4096}) {
    for (const index_t batch : {1, 7, 40}) {
      check<TypeParam>(dense(n, batch), batch, 3, true, 5);
      // Padded: the real line takes the bytes of n/2 + 1 complex numbers.
      LineProblem real = dense_real(n, batch, Direction::forward);
      real.loops = {{batch, 2 * (n / 2 + 1), n / 2 + 1}};
      check<TypeParam>(real, batch, 3, true, 5);
      real = dense_real(n, batch, Direction::inverse);
      real.loops = {{batch, n / 2 + 1, 2 * (n / 2 + 1)}};
      check<TypeParam>(real, batch, 3, true, 5);
    }
  }
}

/// The other axes of an array, so that neighbouring lines are neighbours in memory.
TYPED_TEST(HostLinesTest, Columns) {
  for (const index_t n : {1, 2, 12, 31, 64, 300, 1024, 2111}) {
    for (const index_t columns : {1, 5, 16, 37}) {
      for (const bool in_place : {false, true}) {
        LineProblem problem = dense(n, 2, Direction::inverse);
        problem.from_stride = problem.to_stride = columns;
        problem.scale = n % 4 == 0 ? 1 : 0.5;
        problem.loops = {{2, n * columns, n * columns}, {columns, 1, 1}};
        check<TypeParam>(problem, 2, 11, in_place, 6);
        problem.from = problem.to = Elements::planar;
        check<TypeParam>(problem, 2, 11, in_place, 6);
      }
    }
  }
}

TYPED_TEST(HostLinesTest, NothingToDo) {
  LineProblem problem = dense(8, 4);
  check<TypeParam>(problem, 0, 1);
  problem.loops = {{4, 8, 8}, {0, 100, 100}};
  check<TypeParam>(problem, 4, 1);
}

TYPED_TEST(HostLinesTest, PartsOfTheBatch) {
  for (const index_t n : {8, 360, 1009, 2048}) {
    for (const index_t batch : {1, 2, 15, 16, 17, 50}) {
      check<TypeParam>(dense(n, 50), batch, 4, false, 9);
    }
  }
}

/// A part of a batch, alone or at an odd address, gives the bytes of the whole: shards and streamed pieces rest on it.
template <class Real>
void check_company(const LineProblem& problem) {
  const LineLoop loop = problem.loops[0];
  const HostLines<Real> lines(problem);
  const index_t n = problem.length;
  const std::vector<Complex<Real>> x = test::random_signal<Real>(n * loop.count, 11);
  std::vector<Complex<Real>> whole(x.size());
  lines.run(x.data(), whole.data(), loop.count);
  for (const index_t count : {1, 2, 3, 5, 8, 13, 16, 17}) {
    for (const index_t first : {index_t{0}, index_t{1}, index_t{7}, loop.count - count}) {
      std::vector<Complex<Real>> part(x.size() + 1);
      lines.run(x.data() + first * loop.from, part.data() + 1 + first * loop.to, count);
      for (index_t line = first; line < first + count; ++line) {
        for (index_t k = 0; k < n; ++k) {
          const auto place = static_cast<std::size_t>(line * loop.to + k * problem.to_stride);
          ASSERT_EQ(part[place + 1], whole[place]) << count << " lines of " << n << " from line " << first << ": line " << line;
        }
      }
    }
  }
}

TYPED_TEST(HostLinesTest, EveryLineIsTheSameInAnyCompany) {
  constexpr index_t batch = 41;
  for (const index_t n : {2, 3, 4, 8, 12, 15, 16, 18, 21, 24, 26, 28, 30, 32, 64, 90, 97, 128, 135, 256, 360, 512}) {
    for (const double scale : {1.0, 0.3}) {
      LineProblem problem = dense(n, batch);
      problem.scale = scale;
      check_company<TypeParam>(problem);
      problem.from_stride = problem.to_stride = batch;
      problem.loops = {{batch, 1, 1}};
      check_company<TypeParam>(problem);
    }
  }
}

TYPED_TEST(HostLinesTest, RandomProblems) {
  const unsigned first_seed = 2026;
  for (unsigned seed = first_seed; seed < first_seed + test::random_rounds(400); ++seed) {
    std::mt19937 random(seed);
    const auto draw = [&random](index_t least, index_t most) {
      return least + static_cast<index_t>(random() % static_cast<unsigned>(most - least + 1));
    };
    LineProblem problem;
    problem.length = draw(0, 3) == 0 ? draw(1, 2500) : draw(1, 90);
    const Elements complex_forms[] = {Elements::complex, Elements::planar};
    problem.from = complex_forms[draw(0, 1)];
    problem.to = complex_forms[draw(0, 1)];
    problem.direction = draw(0, 1) == 0 ? Direction::forward : Direction::inverse;
    if (draw(0, 1) == 0) {
      (problem.direction == Direction::forward ? problem.from : problem.to) = Elements::real;
    }
    problem.scale = draw(0, 2) == 0 ? 1 : 0.37;
    // Axes in any order: the line itself, and up to three loops.
    const std::size_t loops = static_cast<std::size_t>(draw(1, 3));
    std::vector<index_t> counts;
    for (std::size_t i = 0; i < loops; ++i) {
      counts.push_back(draw(1, i == 0 ? 40 : 5));
    }
    const auto lay_out = [&](Elements elements, index_t& stride, index_t LineLoop::* distance) {
      std::vector<std::size_t> order(loops + 1);
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::shuffle(order.begin(), order.end(), random);
      index_t place = draw(1, 4) == 1 ? 2 : 1;
      for (const std::size_t axis : order) {
        if (axis == loops) {
          stride = place;
          place *= line_elements(problem, elements);
        } else {
          problem.loops[axis].*distance = place;
          place *= counts[axis];
        }
        place += draw(0, 2) == 0 ? draw(1, 3) : 0;
      }
    };
    for (const index_t count : counts) {
      problem.loops.push_back({count, 0, 0});
    }
    lay_out(problem.from, problem.from_stride, &LineLoop::from);
    lay_out(problem.to, problem.to_stride, &LineLoop::to);
    check<TypeParam>(problem, draw(1, counts[0]), seed, false, 7);
    if (testing::Test::HasFailure()) {
      return;
    }
  }
}

TYPED_TEST(HostLinesTest, AnyNumberOfThreads) {
  const int before = omp_get_max_threads();
  for (const int threads : {1, 3, 5}) {
    omp_set_num_threads(threads);
    check<TypeParam>(dense(16, 4001), 4001, 6, false, 500);
    check<TypeParam>(dense(1024, 101), 101, 6, false, 50);
    check<TypeParam>(dense(32768, 2), 2, 6);
    check<TypeParam>(dense(20011, 1), 1, 6);
    check<TypeParam>(dense_real(37500, 1, Direction::forward), 1, 6);
    check<TypeParam>(dense_real(37500, 1, Direction::inverse), 1, 6);
    check<TypeParam>(dense_real(37499, 1, Direction::inverse, Elements::planar), 1, 6);
  }
  omp_set_num_threads(before);
}

TYPED_TEST(HostLinesTest, ThreadsShareThem) {
  const index_t n = 500;
  const index_t batch = 40;
  const HostLines<TypeParam> lines(dense(n, batch));
  const std::vector<Complex<TypeParam>> x = test::random_signal<TypeParam>(n * batch, 9);
  std::vector<Complex<TypeParam>> expected(x.size());
  lines.run(x.data(), expected.data(), batch);
  std::vector<std::vector<Complex<TypeParam>>> results(3, std::vector<Complex<TypeParam>>(x.size()));
  std::vector<std::thread> threads;
  for (auto& result : results) {
    threads.emplace_back([&lines, &x, &result] {
      omp_set_num_threads(4);
      for (int round = 0; round < 20; ++round) {
        lines.run(x.data(), result.data(), batch);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const auto& result : results) {
    EXPECT_EQ(result, expected);
  }
}

/// It reaches every element of its own line and no other line.
TYPED_TEST(HostLinesTest, NotANumberStaysInItsLine) {
  for (const index_t n : {4, 97, 256, 1009, 4096}) {
    const index_t batch = 20;
    std::vector<Complex<TypeParam>> x(static_cast<std::size_t>(n * batch), Complex<TypeParam>{1, 0});
    x[static_cast<std::size_t>(7 * n + n / 2)].re = std::numeric_limits<TypeParam>::quiet_NaN();
    std::vector<Complex<TypeParam>> result(x.size());
    HostLines<TypeParam>(dense(n, batch)).run(x.data(), result.data(), batch);
    for (index_t i = 0; i < n * batch; ++i) {
      const Complex<TypeParam> value = result[static_cast<std::size_t>(i)];
      ASSERT_EQ(std::isnan(value.re) || std::isnan(value.im), i / n == 7) << n << " element " << i;
    }
  }
}

}  // namespace
}  // namespace phpc::fft
