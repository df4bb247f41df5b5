// What is particular to one method; what all have in common is in solver_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "batch/direct/tridiagonal_systems.hpp"
#include "batch/solver_fixture.hpp"
#include "phpc/core/error.hpp"
#include "support/random_rounds.hpp"

namespace phpc::batch {
namespace {

class MethodTest : public SolverTest {};

TEST_P(MethodTest, EliminationOfASingularMatrixBreaksDown) {
  const SystemBatch batch = equal_systems({1, -1, 0, -1, 2, -1, 0, -1, 1}, {1, -2, 1}, 3);
  const Solved solved = solve_here(batch, {.solver = "lu"});
  EXPECT_EQ(solved.reports[1].status, Status::breakdown);
  EXPECT_EQ(solved.x, std::vector<double>(9, 0.0));
}

TEST_P(MethodTest, EliminationExchangesRowsAndRefines) {
  for (const index_t rows : {2, 5, 23, 31, 37, 50, 61, 70}) {  // no multiples of 3, so that 3 i + s is a permutation
    // Rows in another order, different for each system: every pivot lies elsewhere, and in each lane.
    const SystemBatch source = random_systems(Structure::general, rows, 11, seed, 1e6);
    SystemBatch batch{.pattern = {{0}, {}}, .values = {}, .rhs = source.rhs};
    for (index_t row = 0; row < rows; ++row) {
      for (index_t column = 0; column < rows; ++column) {
        batch.pattern.columns.push_back(static_cast<std::int32_t>(column));
      }
      batch.pattern.row_offsets.push_back(static_cast<std::int32_t>(batch.pattern.columns.size()));
    }
    for (index_t system = 0; system < source.systems(); ++system) {
      const test::DenseMatrix dense = source.dense(system);
      for (index_t row = 0; row < rows; ++row) {
        const auto from = dense.begin() + (row * 3 + system) % rows * rows;
        batch.values.insert(batch.values.end(), from, from + rows);
      }
    }
    SCOPED_TRACE(testing::Message() << rows << " rows");
    expect_status(batch, {.solver = "lu", .tolerance = 1e-9}, Status::converged);
  }
}

TEST_P(MethodTest, ReportedResidualsAreNoRoundingErrors) {
  // The last row is nearly the sum of two others: x is of the size of 1e11, and b - A x cancels to what rounding leaves.
  constexpr index_t rows = 40;
  const SystemBatch source = random_systems(Structure::general, rows, 19, seed);
  SystemBatch batch{.pattern = {{0}, {}}, .values = {}, .rhs = source.rhs};
  for (index_t row = 0; row < rows; ++row) {
    for (std::int32_t column = 0; column < rows; ++column) {
      batch.pattern.columns.push_back(column);
    }
    batch.pattern.row_offsets.push_back(static_cast<std::int32_t>(batch.pattern.columns.size()));
  }
  for (index_t system = 0; system < source.systems(); ++system) {
    test::DenseMatrix dense = source.dense(system);
    for (std::size_t column = 0; column < rows; ++column) {
      dense[(rows - 1) * rows + column] = dense[column] + dense[rows + column] + (column == rows - 1 ? 1e-11 : 0);
    }
    batch.values.insert(batch.values.end(), dense.begin(), dense.end());
  }
  constexpr double tolerance = 1e-6;
  for (const char* const solver : {"lu", "sparse-lu", "bicgstab"}) {
    SCOPED_TRACE(testing::Message() << solver << ", seed " << seed);
    const Solved solved = solve_here(batch, {.solver = solver, .tolerance = tolerance});
    for (index_t system = 0; system < batch.systems(); ++system) {
      const Report& report = solved.reports[static_cast<std::size_t>(system)];
      long double squared = 0;
      long double rhs_squared = 0;
      for (index_t row = 0; row < rows; ++row) {
        long double element = batch.rhs[static_cast<std::size_t>(system * rows + row)];
        rhs_squared += element * element;
        for (index_t column = 0; column < rows; ++column) {
          element -= static_cast<long double>(batch.values[batch.place(system, row, column)]) *
                     solved.x[static_cast<std::size_t>(system * rows + column)];
        }
        squared += element * element;
      }
      const auto exact = static_cast<double>(std::sqrt(squared));
      EXPECT_NEAR(report.residual_norm, exact, 0.1 * std::max(exact, tolerance * static_cast<double>(std::sqrt(rhs_squared))))
          << "system " << system;
    }
  }
}

TEST_P(MethodTest, SparseElimination) {
  for (const index_t rows : {1, 2, 7, 33, 64, 150}) {
    for (const double scale_range : {1.0, 1e6}) {
      SCOPED_TRACE(testing::Message() << rows << " rows, scales to " << scale_range << ", seed " << seed);
      const SystemBatch batch = random_systems(Structure::general, rows, test::random_rounds(11), seed, scale_range);
      expect_status(batch, {.solver = "sparse-lu", .tolerance = 1e-9}, Status::converged);
    }
  }
}

TEST_P(MethodTest, SparseEliminationFindsADiagonal) {
  // The first row goes to the end: no row has its diagonal element where it stands.
  SystemBatch batch = test::tridiagonal(31, 10);
  const auto first = static_cast<std::size_t>(batch.pattern.row_offsets[1]);
  const std::size_t entries = batch.pattern.columns.size();
  std::rotate(batch.pattern.columns.begin(), batch.pattern.columns.begin() + static_cast<index_t>(first),
              batch.pattern.columns.end());
  for (std::size_t set = 0; set < batch.values.size(); set += entries) {
    const auto begin = batch.values.begin() + static_cast<index_t>(set);
    std::rotate(begin, begin + static_cast<index_t>(first), begin + static_cast<index_t>(entries));
  }
  for (std::int32_t& offset : batch.pattern.row_offsets) {
    offset -= static_cast<std::int32_t>(first);
  }
  batch.pattern.row_offsets.erase(batch.pattern.row_offsets.begin());
  batch.pattern.row_offsets.push_back(static_cast<std::int32_t>(entries));
  expect_status(batch, {.solver = "sparse-lu", .tolerance = 1e-9}, Status::converged);
}

TEST_P(MethodTest, SparseEliminationOfASingularMatrixBreaksDown) {
  SystemBatch batch = equal_systems({1, -1, 0, -1, 2, -1, 0, -1, 1}, {1, -2, 1}, 3);
  batch.values[batch.place(2, 2, 2)] = 3;  // one that is regular
  const Solved solved = solve_here(batch, {.solver = "sparse-lu"});
  EXPECT_EQ(solved.reports[0].status, Status::breakdown);
  EXPECT_EQ(solved.reports[1].status, Status::breakdown);
  EXPECT_EQ(std::vector<double>(solved.x.begin(), solved.x.begin() + 6), std::vector<double>(6, 0.0));
  test::check_solution(batch, 2, solved.x, solved.reports[2], 1e-6);
  EXPECT_EQ(solved.reports[2].status, Status::converged);
}

TEST_P(MethodTest, BadSystemsDoNotTouchTheirNeighbours) {
  // Of as many rows as kernels in registers have and one more: systems there share sub-groups and teams.
  const auto infinite = std::numeric_limits<double>::infinity();
  for (const index_t rows : {1, 2, 16, 17, 22, 23, 24, 25, 32, 33, 34, 35, 40, 41, 54, 55, 56, 57, 64, 65}) {
    const SystemBatch good = random_systems(Structure::general, rows, 13, seed);
    SystemBatch batch = good;
    const auto entries = static_cast<std::size_t>(batch.pattern.entries());
    std::fill_n(batch.values.begin() + static_cast<index_t>(2 * entries), batch.pattern.row_offsets[1], 0.0);  // singular
    batch.values[5 * entries] = std::numeric_limits<double>::quiet_NaN();
    batch.values[10 * entries - 1] = infinite;
    for (const std::string solver : {"lu", "sparse-lu", "bicgstab", "gmres"}) {
      SCOPED_TRACE(testing::Message() << solver << ", " << rows << " rows, seed " << seed);
      const Options options{.solver = solver, .tolerance = 1e-9};
      const Solved expected = solve_here(good, options);
      const Solved solved = solve_here(batch, options);
      for (std::size_t system = 0; system < 13; ++system) {
        const auto begin = static_cast<index_t>(system) * rows;
        const std::vector<double> x(solved.x.begin() + begin, solved.x.begin() + begin + rows);
        if (system == 5 || system == 9) {
          EXPECT_EQ(solved.reports[system].status, Status::not_finite) << "system " << system;
          EXPECT_EQ(x, std::vector<double>(static_cast<std::size_t>(rows), 0.0));
        } else if (system == 2) {
          EXPECT_NE(solved.reports[system].status, Status::converged);
        } else {
          EXPECT_EQ(solved.reports[system].status, Status::converged) << "system " << system;
          EXPECT_EQ(x, std::vector<double>(expected.x.begin() + begin, expected.x.begin() + begin + rows));
        }
      }
    }
  }
}

TEST_P(MethodTest, GmresRestarts) {
  // Far more iterations than a cycle has.
  SystemBatch batch = test::tridiagonal(90, 9);
  for (double& value : batch.values) {
    value = value > 0 ? 2.02 : -1;
  }
  const Solved solved =
      solve_here(batch, {.solver = "gmres", .preconditioner = "none", .tolerance = 1e-8, .max_iterations = 900});
  for (index_t system = 0; system < batch.systems(); ++system) {
    const Report& report = solved.reports[static_cast<std::size_t>(system)];
    test::check_solution(batch, system, solved.x, report, 1e-8);
    EXPECT_EQ(report.status, Status::converged);
    EXPECT_GT(report.iterations, 20);
  }
}

TEST_P(MethodTest, RichardsonTakesTheIterationsOfItsContraction) {
  SystemBatch batch = random_systems(Structure::general, 40, 10, seed);
  for (index_t system = 0; system < batch.systems(); ++system) {
    for (index_t row = 0; row < batch.rows(); ++row) {
      batch.values[batch.place(system, row, row)] *= 4;  // the others of a row come to less than a quarter of the diagonal
    }
  }
  const Solved solved = solve_here(batch, {.solver = "richardson", .tolerance = 1e-9});
  for (index_t system = 0; system < batch.systems(); ++system) {
    const Report& report = solved.reports[static_cast<std::size_t>(system)];
    test::check_solution(batch, system, solved.x, report, 1e-9);
    EXPECT_EQ(report.status, Status::converged);
    EXPECT_LE(report.iterations, 20) << "log(1e-9) / log(1/4) = 15, and some for the change of norm";
  }
  const Solved diverging = solve_here(batch, {.solver = "richardson", .preconditioner = "none", .max_iterations = 1000});
  for (const Report& report : diverging.reports) {
    EXPECT_EQ(report.status, Status::breakdown);
  }
}

TEST_P(MethodTest, TridiagonalSystems) {
  for (const index_t rows : {1, 2, 3, 33, 64, 130}) {
    expect_status(test::tridiagonal(rows, test::random_rounds(11)), {.solver = "tridiagonal", .tolerance = 1e-14},
                  Status::converged);
  }
  expect_status(equal_systems({0, 1, 1, 1}, {1, 2}, 3), {.solver = "tridiagonal"}, Status::breakdown);
  EXPECT_THROW(solve_here(random_systems(Structure::general, 20, 1, seed), {.solver = "tridiagonal"}), Error);
}

TEST_P(MethodTest, TriangularSystems) {
  for (const index_t rows : {1, 2, 33, 130}) {
    const SystemBatch whole = random_systems(Structure::general, rows, test::random_rounds(11), seed);
    expect_status(test::triangle_of(whole, test::Half::lower), {.solver = "lower", .tolerance = 1e-14}, Status::converged);
    expect_status(test::triangle_of(whole, test::Half::upper), {.solver = "upper", .tolerance = 1e-14}, Status::converged);
  }
  EXPECT_THROW(solve_here(equal_systems({1, 1, 0, 1}, {1, 2}, 1), {.solver = "lower"}), Error);
  expect_status(equal_systems({0, 1, 0, 1}, {1, 2}, 3), {.solver = "upper"}, Status::breakdown);
}

INSTANTIATE_TEST_SUITE_P(Devices, MethodTest, testing::ValuesIn(test::devices()),
                         [](const auto& instance) { return test::test_name(instance.param); });

}  // namespace
}  // namespace phpc::batch
