#pragma once
#include <optional>
#include <vector>

namespace phpc::test {

/// A square dense matrix in row-major order: the oracle of linear solvers, slow and in long double.
using DenseMatrix = std::vector<long double>;
using DenseVector = std::vector<long double>;

/// A^-1 b by LU with partial pivoting; nullopt when a pivot is exactly zero.
std::optional<DenseVector> lu_solve(const DenseMatrix& a, DenseVector b);

/// b - A x.
DenseVector residual(const DenseMatrix& a, const DenseVector& x, const DenseVector& b);

long double norm(const DenseVector& vector);

/// Frobenius norm of A^-1, an upper bound of its 2-norm: ||x - A^-1 b|| <= inverse_norm(A) * ||b - A x||.
long double inverse_norm(const DenseMatrix& a);

}  // namespace phpc::test
