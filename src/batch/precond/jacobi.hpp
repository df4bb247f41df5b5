#pragma once
#include <cstdint>

#include "batch/math/value.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

/// Scalar Jacobi: M = diag(A). A diagonal element that is zero, absent from the pattern, or without a finite inverse counts as 1,
/// as PETSc's PCJACOBI has it: such a row is then not preconditioned, and its system may still converge.
template <class Context>
class JacobiPreconditioner {
 public:
  static constexpr bool is_identity = false;
  [[nodiscard, gnu::always_inline]] static constexpr bool is_symmetric() { return true; }
  using Value = typename Context::Value;
  using Vector = typename Context::Vector;

  /// Values for the result of team_apply and the inverse diagonal.
  static index_t workspace_size(index_t rows, index_t /*entries*/, const std::int32_t* /*table*/ = nullptr) { return 2 * rows; }
  /// All of them: the inverse diagonal is made as quickly as it could be read.
  static index_t workspace_size_with_factors(index_t rows, const std::int32_t* /*table*/) { return 2 * rows; }

  /// Where the constructor puts the inverse diagonal.
  [[nodiscard, gnu::always_inline]] static Vector inverse_diagonal(const Context& context) { return context.preparation(1); }

  [[gnu::always_inline]] explicit JacobiPreconditioner(Context& context)
      : result_(context.preparation(0)), inverse_diagonal_(inverse_diagonal(context)) {
    for (const int i : context.my_rows()) {
      const Value inverse = ScalarOf<Value>{1} / context.diagonal(i);
      inverse_diagonal_[i] = select(finite(inverse), inverse, broadcast<Value>(1));
    }
  }

  [[nodiscard, gnu::always_inline]] const Vector& team_apply(Context& context, const Vector& r) {
    for (const int i : context.my_rows()) {
      result_[i] = inverse_diagonal_[i] * r[i];
    }
    return result_;
  }

 private:
  Vector result_;
  Vector inverse_diagonal_;
};

}  // namespace phpc::batch
