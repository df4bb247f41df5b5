#pragma once
#include "batch/csr_system.hpp"

namespace phpc::batch {

/// Scalar Jacobi: M = diag(A). A diagonal element that is zero, absent from the pattern, or without a finite inverse counts as 1,
/// as PETSc's PCJACOBI has it: such a row is then not preconditioned, and its system may still converge.
template <class T>
class JacobiPreconditioner {
 public:
  /// The inverse diagonal and the result of apply.
  static index_t scratch_need(index_t rows, index_t /*entries*/) { return 2 * rows; }

  [[gnu::always_inline]] void generate(const exec::Team& team, const CsrSystem<T>& matrix, T* work) {
    inverse_diagonal_ = work;
    result_ = work + matrix.rows;
    thread_for(team, matrix.rows, [&](std::int32_t row) {
      const T inverse = T{1} / matrix.diagonal(row);
      inverse_diagonal_[row] = finite(inverse) ? inverse : T{1};
    });
  }

  [[nodiscard, gnu::always_inline]] const T* apply(const exec::Team& team, std::int32_t rows, const T* r) const {
    thread_for(team, rows, [&](std::int32_t i) { result_[i] = inverse_diagonal_[i] * r[i]; });
    return result_;
  }

 private:
  T* inverse_diagonal_;
  T* result_;
};

}  // namespace phpc::batch
