#pragma once
#include "support/linear_systems.hpp"

/// What preconditioners must give, worked out densely in long double.
namespace phpc::test {

/// M^-1 r of the blocks of `size` rows on the diagonal; Jacobi's where a block is singular.
DenseVector apply_blocks(const DenseMatrix& a, const DenseVector& r, std::size_t size);

/// The factors without fill of one system, A ~ L D U: L below the diagonal, U above it, both with ones on theirs, D on it.
DenseMatrix incomplete_factors(const SystemBatch& batch, index_t system);
/// (L D U)^-1 r.
DenseVector apply_factors(const DenseMatrix& factors, const DenseVector& r);

/// W with W A = I on the pattern of `batch` and its diagonal; a row of Jacobi where there is none.
DenseMatrix approximate_inverse(const SystemBatch& batch, const DenseMatrix& a);
/// W_U D^-1 W_L r, where W_L L = I on the lower triangle of the pattern, W_U U = I on the upper one.
DenseVector apply_inverse_factors(const SystemBatch& batch, const DenseMatrix& factors, const DenseVector& r);

DenseVector product(const DenseMatrix& a, const DenseVector& x);

}  // namespace phpc::test
