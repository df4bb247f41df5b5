#pragma once
#include <cstdint>

#include "batch/math/value.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

/// Scalar Jacobi: M = diag(A). A diagonal element that is zero, absent from the pattern, or without a finite inverse counts as 1,
/// as PETSc's PCJACOBI has it: such a row is then not preconditioned, and its system may still converge.
template <class Space>
class JacobiPreconditioner {
 public:
  static constexpr bool is_identity = false;
  [[nodiscard, gnu::always_inline]] static constexpr bool is_symmetric() { return true; }
  using Value = typename Space::Value;
  using Vector = typename Space::Vector;

  /// The result of apply and the inverse diagonal.
  static index_t need(index_t rows, index_t /*entries*/, const std::int32_t* /*table*/ = nullptr) { return 2 * rows; }
  /// All: they are made as soon as they are read.
  static index_t need_with_factors(index_t rows, const std::int32_t* /*table*/) { return 2 * rows; }

  /// Where the constructor puts the inverse diagonal.
  [[nodiscard, gnu::always_inline]] static Vector inverse_diagonal(const Space& space) { return space.preparation(1); }

  [[gnu::always_inline]] explicit JacobiPreconditioner(Space& space)
      : result_(space.preparation(0)), inverse_diagonal_(inverse_diagonal(space)) {
    for (const int i : space.own()) {
      const Value inverse = ScalarOf<Value>{1} / space.diagonal(i);
      inverse_diagonal_[i] = select(finite(inverse), inverse, broadcast<Value>(1));
    }
  }

  [[nodiscard, gnu::always_inline]] const Vector& apply(Space& space, const Vector& r) {
    for (const int i : space.own()) {
      result_[i] = inverse_diagonal_[i] * r[i];
    }
    return result_;
  }

 private:
  Vector result_;
  Vector inverse_diagonal_;
};

}  // namespace phpc::batch
