#pragma once
#include "support/linear_systems.hpp"

/// Batches of complex linear systems for tests, and the check of their solutions, by the real systems of twice the size that
/// they are: (Re A, -Im A; Im A, Re A).
namespace phpc::test {

struct ComplexBatch {
  batch::CsrPattern pattern;
  std::vector<Complex<double>> values;  ///< (systems, entries)
  std::vector<Complex<double>> rhs;     ///< (systems, rows)

  [[nodiscard]] index_t rows() const { return pattern.rows(); }
  [[nodiscard]] index_t systems() const { return static_cast<index_t>(rhs.size()) / rows(); }
  [[nodiscard]] DenseMatrix dense(index_t system) const;
  [[nodiscard]] DenseVector dense_rhs(index_t system) const;
};

/// The systems of a real batch with every entry and right-hand side turned by an angle of its own: what was diagonally dominant
/// is still so. With `hermitian`, those of mirror images are opposite, and the diagonal stays; with `aside` the diagonal turns by
/// less than a quarter, so that eigenvalues do not surround zero.
enum class Turned { freely, aside, hermitian };
ComplexBatch turned(const SystemBatch& batch, Turned how, unsigned seed);

/// The batch with each matrix transposed, and conjugated too for its adjoint, element by element.
ComplexBatch transposed(const ComplexBatch& batch, batch::Operation operation);

/// As check_solution() of real systems, but the error is held against ||A^-1|| up to 20 rows alone.
void check_solution(const ComplexBatch& batch, index_t system, std::span<const Complex<double>> x, const batch::Report& report,
                    double tolerance, double epsilon = std::numeric_limits<double>::epsilon());

}  // namespace phpc::test
