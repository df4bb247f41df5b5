#pragma once
#include <limits>
#include <vector>

#include "phpc/batch/solver.hpp"
#include "support/dense_lu.hpp"

/// Batches of linear systems for tests, and the check of their solutions.
namespace phpc::test {

struct SystemBatch {
  batch::CsrPattern pattern;
  std::vector<double> values;  ///< (systems, entries)
  std::vector<double> rhs;     ///< (systems, rows)

  [[nodiscard]] index_t rows() const { return pattern.rows(); }
  [[nodiscard]] index_t systems() const { return static_cast<index_t>(rhs.size()) / rows(); }
  [[nodiscard]] batch::CsrBatch<double> matrix() const { return {pattern, values, systems()}; }
  /// One system's matrix and right-hand side for the oracle.
  [[nodiscard]] DenseMatrix dense(index_t system) const;
  [[nodiscard]] DenseVector dense_rhs(index_t system) const;
  /// The place in `values` of A(row, column) of a system; the pattern must have it.
  [[nodiscard]] std::size_t place(index_t system, index_t row, index_t column) const;
};

enum class Structure { symmetric, general };

/// Diagonally dominant with about four entries a row, or `entries` of them at random from the first to the last, a positive
/// diagonal in [1, 10) times `scale` of its row (symmetric: of row and column), where scale runs from 1 to `scale_range`: for a
/// large range ill-conditioned, but not for Jacobi.
struct EntriesOfARow {
  int least = 4;
  int most = 4;
};
SystemBatch random_systems(Structure structure, index_t rows, index_t systems, unsigned seed, double scale_range = 1,
                           EntriesOfARow entries_of_a_row = {});

/// Every system the matrix given, row-major (zeros are no entries), with right-hand side `rhs`.
SystemBatch equal_systems(const std::vector<double>& matrix, const std::vector<double>& rhs, index_t systems);

/// The batch with every number rounded to float, which it then holds exactly.
SystemBatch rounded_to_float(SystemBatch batch);

/// Checks a system against the oracle: a finite x, a report whose residual and norm are those of x, status `converged` exactly
/// when the residual is within tolerance * ||b||, and then an error within ||A^-1|| times the residual. Adds test failures.
/// `epsilon` is that of the arithmetic that the report was computed in.
void check_solution(const SystemBatch& batch, index_t system, std::span<const double> x, const batch::Report& report,
                    double tolerance, double epsilon = std::numeric_limits<double>::epsilon());

}  // namespace phpc::test
