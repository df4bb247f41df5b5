#include "phpc/batch/choose_solver.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "phpc/core/error.hpp"

namespace phpc::batch {
namespace {

struct Matrix {
  CsrPattern pattern;
  std::vector<double> values;
};

/// The matrix whose entries are those where `value` is not zero.
Matrix matrix_of(std::int32_t rows, const std::function<double(std::int32_t, std::int32_t)>& value) {
  Matrix matrix;
  matrix.pattern.row_offsets.push_back(0);
  for (std::int32_t row = 0; row < rows; ++row) {
    for (std::int32_t column = 0; column < rows; ++column) {
      if (const double entry = value(row, column); entry != 0) {
        matrix.pattern.columns.push_back(column);
        matrix.values.push_back(entry);
      }
    }
    matrix.pattern.row_offsets.push_back(static_cast<std::int32_t>(matrix.values.size()));
  }
  return matrix;
}

std::string chosen(const Matrix& matrix) {
  const SolverChoice choice = choose_solver(matrix.pattern, matrix.values);
  EXPECT_FALSE(choice.reason.empty());
  return choice.solver + "+" + choice.preconditioner;
}

/// Five points of a grid of `side` times `side`.
double five_points(std::int32_t side, std::int32_t row, std::int32_t column) {
  const std::int32_t distance = std::abs(row - column);
  const bool beside = distance == side || (distance == 1 && row / side == column / side);
  return row == column ? 4 : beside ? -1 : 0;
}

TEST(ChooseSolver, ByTheFirstRuleThatHolds) {
  const auto grid = [](auto r, auto c) { return five_points(8, r, c); };
  EXPECT_EQ(chosen(matrix_of(9, [](auto r, auto c) { return r == c ? 2.0 : 0; })), "lower+none");
  EXPECT_EQ(chosen(matrix_of(9, [](auto r, auto c) { return r >= c ? 2.0 : 0; })), "lower+none");
  EXPECT_EQ(chosen(matrix_of(9, [](auto r, auto c) { return r <= c ? 2.0 : 0; })), "upper+none");
  EXPECT_EQ(chosen(matrix_of(40, [](auto r, auto c) { return r == c                 ? -2.0
                                                             : std::abs(r - c) == 1 ? 1
                                                                                    : 0; })),
            "tridiagonal+none");
  EXPECT_EQ(chosen(matrix_of(16, [](auto r, auto c) { return five_points(4, r, c); })), "lu+none");
  EXPECT_EQ(chosen(matrix_of(64, grid)), "cg+jacobi");
  EXPECT_EQ(chosen(matrix_of(100, [](auto r, auto c) { return (r + c) % 4 == 0 || r == c ? 1.0 + r : 0; })), "lu+none");
  EXPECT_EQ(chosen(matrix_of(300, [](auto r, auto c) { return (r + c) % 4 == 0 || r == c ? 1.0 + r : 0; })), "bicgstab+jacobi");
}

TEST(ChooseSolver, OneEntryIsEnoughForAnother) {
  const auto grid = [](auto r, auto c) { return five_points(8, r, c); };
  // Of another value than its mirror image, without mirror image, and with a negative number on the diagonal.
  EXPECT_EQ(chosen(matrix_of(64, [&](auto r, auto c) { return r == 63 && c == 62 ? -0.5 : grid(r, c); })), "bicgstab+jacobi");
  EXPECT_EQ(chosen(matrix_of(64, [&](auto r, auto c) { return r == 0 && c == 63 ? -0.5 : grid(r, c); })), "bicgstab+jacobi");
  EXPECT_EQ(chosen(matrix_of(64, [&](auto r, auto c) { return r == 63 && c == 0 ? -0.5 : grid(r, c); })), "bicgstab+jacobi");
  EXPECT_EQ(chosen(matrix_of(64, [&](auto r, auto c) { return r == 5 && c == 5 ? -4.0 : grid(r, c); })), "bicgstab+jacobi");
  // A zero on the diagonal: nothing that divides by it.
  EXPECT_EQ(chosen(matrix_of(64, [&](auto r, auto c) { return r == 5 && c == 5 ? 0.0 : grid(r, c); })), "lu+none");
  EXPECT_EQ(chosen(matrix_of(1225, [](auto r, auto c) { return r == 5 && c == 5 ? 0.0 : five_points(35, r, c); })), "gmres+none");
  EXPECT_EQ(chosen(matrix_of(40, [](auto r, auto c) { return r >= c && r != 7 ? 2.0 : 0; })), "lu+none");
  // Three diagonals that need rows exchanged.
  EXPECT_EQ(chosen(matrix_of(40, [](auto r, auto c) { return r == c                 ? 1.0
                                                             : std::abs(r - c) == 1 ? 2 + r
                                                                                    : 0; })),
            "bicgstab+jacobi");
}

TEST(ChooseSolver, OfComplexMatricesTheHermitianOnesTakeCg) {
  const Matrix matrix = matrix_of(64, [](auto r, auto c) { return five_points(8, r, c); });
  std::vector<Complex<double>> values;
  for (std::size_t row = 0; row < 64; ++row) {
    for (auto entry = matrix.pattern.row_offsets[row]; entry < matrix.pattern.row_offsets[row + 1]; ++entry) {
      const auto column = static_cast<std::size_t>(matrix.pattern.columns[static_cast<std::size_t>(entry)]);
      values.push_back({matrix.values[static_cast<std::size_t>(entry)], row == column ? 0.0 : row < column ? 0.25 : -0.25});
    }
  }
  const auto chosen_for = [&] { return choose_solver(matrix.pattern, std::span<const Complex<double>>(values)); };
  EXPECT_EQ(chosen_for().solver, "cg");
  values[1].im = -values[1].im;  // symmetric now, and no longer Hermitian
  EXPECT_EQ(chosen_for().solver, "bicgstab");
  values[1].im = -values[1].im;
  values[0].im = 1e-9;  // nor with such a diagonal
  EXPECT_EQ(chosen_for().solver, "bicgstab");
}

TEST(ChooseSolver, RefusesValuesOfAnotherNumber) {
  const Matrix matrix = matrix_of(3, [](auto r, auto c) { return r == c ? 1.0 : 0; });
  EXPECT_THROW(choose_solver(matrix.pattern, std::span(matrix.values).first(2)), Error);
}

}  // namespace
}  // namespace phpc::batch
