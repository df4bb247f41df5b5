// Tridiagonal systems of every size that kernels of their own are made for, and beyond, against the Thomas algorithm in long
// double.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "batch/direct/tridiagonal_systems.hpp"
#include "batch/solver_fixture.hpp"

namespace phpc::batch {
namespace {

class TridiagonalTest : public SolverTest {};

/// Elements in [-1, 1) beside diagonals of either sign and of at least that size.
SystemBatch random_tridiagonal(index_t rows, index_t systems, double least_diagonal, unsigned number) {
  std::mt19937 generator(number);
  std::uniform_real_distribution<double> element(-1, 1);
  SystemBatch batch = test::tridiagonal(rows, systems);
  batch.values.clear();
  batch.rhs.clear();
  for (index_t system = 0; system < systems; ++system) {
    for (index_t row = 0; row < rows; ++row) {
      for (index_t column = std::max<index_t>(row - 1, 0); column <= std::min(row + 1, rows - 1); ++column) {
        const double value = element(generator);
        batch.values.push_back(column != row ? value : value + (value < 0 ? -least_diagonal : least_diagonal));
      }
      batch.rhs.push_back(element(generator));
    }
  }
  return batch;
}

struct Checked {
  long double residual;    ///< || b - A x || / || b ||
  long double rounding;    ///< of such sums in double, of which no row has more than four
  long double difference;  ///< from the solution in long double, relative to the largest element
};

Checked check(const SystemBatch& batch, index_t system, const double* x) {
  const index_t n = batch.rows();
  const double* const b = batch.rhs.data() + system * n;
  const auto at = [&](index_t row, index_t column) -> long double {
    return row < 0 || column < 0 || column >= n ? 0 : batch.values[batch.place(system, row, column)];
  };
  std::vector<long double> ratio(static_cast<std::size_t>(n));
  std::vector<long double> known(static_cast<std::size_t>(n));
  long double squared = 0;
  long double norm = 0;
  long double x_squared = 0;
  for (index_t i = 0; i < n; ++i) {
    const auto place = static_cast<std::size_t>(i);
    long double rest = b[i];
    for (index_t j = std::max<index_t>(i - 1, 0); j <= std::min(i + 1, n - 1); ++j) {
      rest -= at(i, j) * x[j];
    }
    squared += rest * rest;
    norm += static_cast<long double>(b[i]) * b[i];
    x_squared += static_cast<long double>(x[i]) * x[i];
    const long double lower = at(i, i - 1);
    const long double pivot = at(i, i) - (i == 0 ? 0 : lower * ratio[place - 1]);
    ratio[place] = at(i, i + 1) / pivot;
    known[place] = (b[i] - (i == 0 ? 0 : lower * known[place - 1])) / pivot;
  }
  long double largest = 0;
  long double difference = 0;
  for (index_t i = n - 1; i >= 0; --i) {
    const auto place = static_cast<std::size_t>(i);
    known[place] -= i + 1 < n ? ratio[place] * known[place + 1] : 0;
    largest = std::max(largest, std::abs(known[place]));
    difference = std::max(difference, std::abs(known[place] - x[i]));
  }
  const long double rounding = 4 * std::numeric_limits<double>::epsilon() * (1 + 3 * std::sqrt(x_squared / norm));
  return {std::sqrt(squared / norm), rounding, difference / largest};
}

TEST_P(TridiagonalTest, DominantSystemsOfAnySize) {
  for (const index_t rows : {1, 2, 3, 4, 5, 16, 17, 31, 64, 65, 127, 128, 129, 256, 300, 513, 1000, 1025, 2048, 2049}) {
    SCOPED_TRACE(testing::Message() << rows << " rows, seed " << seed);
    const SystemBatch batch = random_tridiagonal(rows, 37, 2.05, seed + static_cast<unsigned>(rows));
    const Options options{.solver = "tridiagonal", .tolerance = 1e-14};
    const Solved solved = solve_here(batch, options);
    for (index_t system = 0; system < batch.systems(); ++system) {
      const Report& report = solved.reports[static_cast<std::size_t>(system)];
      EXPECT_EQ(report.status, Status::converged) << to_string(report.status);
      EXPECT_EQ(report.iterations, 1) << "the first elimination is as good as that";
      const Checked checked = check(batch, system, solved.x.data() + system * rows);
      EXPECT_LE(checked.residual, 1e-14L);
      EXPECT_LE(checked.difference, 1e-13L);
    }
    expect_same_bytes(solved, solve_here(batch, options));
  }
}

TEST_P(TridiagonalTest, SinglePrecision) {
  for (const index_t rows : {1, 7, 16, 33, 128, 200, 1024, 2000}) {
    SCOPED_TRACE(testing::Message() << rows << " rows, seed " << seed);
    const SystemBatch batch = test::rounded_to_float(random_tridiagonal(rows, 21, 2.05, seed - static_cast<unsigned>(rows)));
    const std::vector<float> values(batch.values.begin(), batch.values.end());
    const std::vector<float> rhs(batch.rhs.begin(), batch.rhs.end());
    std::vector<float> x(rhs.size(), 0.0F);
    const CsrBatch<float> matrix{batch.pattern, values, batch.systems()};
    const std::vector<exec::Device> devices{GetParam()};
    const std::vector<Report> reports =
        solve<float>(matrix, rhs, x, {.solver = "tridiagonal", .tolerance = 1e-6}, devices, no_progress(), {});
    const std::vector<double> solution(x.begin(), x.end());
    for (index_t system = 0; system < batch.systems(); ++system) {
      EXPECT_EQ(reports[static_cast<std::size_t>(system)].status, Status::converged);
      const Checked checked = check(batch, system, solution.data() + system * rows);
      EXPECT_LE(checked.residual, 1.1e-6L);
      EXPECT_LE(checked.difference, 1e-5L);
    }
  }
}

// Without dominance an elimination without pivots may lose all digits, and must say so.
TEST_P(TridiagonalTest, TellsTheTruthAboutOthers) {
  constexpr double tolerance = 1e-10;
  for (const index_t rows : {10, 64, 129, 1100}) {
    SCOPED_TRACE(testing::Message() << rows << " rows, seed " << seed);
    const SystemBatch batch = random_tridiagonal(rows, 200, 0, seed + static_cast<unsigned>(rows));
    const Solved solved = solve_here(batch, {.solver = "tridiagonal", .tolerance = tolerance});
    int solutions = 0;
    for (index_t system = 0; system < batch.systems(); ++system) {
      const Report& report = solved.reports[static_cast<std::size_t>(system)];
      const Checked checked = check(batch, system, solved.x.data() + system * rows);
      EXPECT_NEAR(static_cast<double>(checked.residual), report.residual_norm / report.rhs_norm,
                  static_cast<double>(checked.rounding));
      EXPECT_EQ(report.status == Status::converged, report.residual_norm <= tolerance * report.rhs_norm);
      solutions += report.status == Status::converged ? 1 : 0;
    }
    EXPECT_GE(solutions, 150) << "refinement mends most of them";
  }
}

TEST_P(TridiagonalTest, AZeroPivotBreaksDown) {
  for (const index_t rows : {9, 100, 700}) {
    SystemBatch batch = random_tridiagonal(rows, 3, 2.05, seed);
    for (const index_t column : {0, 1}) {
      batch.values[batch.place(1, 0, column)] = 0;
    }
    const Solved solved = solve_here(batch, {.solver = "tridiagonal", .tolerance = 1e-12});
    EXPECT_EQ(solved.reports[0].status, Status::converged);
    EXPECT_EQ(solved.reports[1].status, Status::breakdown);
    EXPECT_EQ(solved.reports[2].status, Status::converged);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, TridiagonalTest, testing::ValuesIn(test::devices()),
                         [](const auto& instance) { return test::test_name(instance.param); });

}  // namespace
}  // namespace phpc::batch
