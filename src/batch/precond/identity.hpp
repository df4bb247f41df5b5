#pragma once
#include <cstdint>

#include "phpc/core/types.hpp"

namespace phpc::batch {

/// No preconditioning: M = I.
///
/// Every preconditioner has the members of this one; is_symmetric() says whether M is symmetric where A is.
template <class Context>
class IdentityPreconditioner {
 public:
  static constexpr bool is_identity = true;
  [[nodiscard, gnu::always_inline]] static constexpr bool is_symmetric() { return true; }
  using Vector = typename Context::Vector;

  /// Values of preparation for a system with so many rows and entries; `table` is what its row in preconditioner_rows.hpp makes
  /// of the pattern (pattern_tables.hpp).
  static index_t workspace_size(index_t /*rows*/, index_t /*entries*/, const std::int32_t* /*table*/ = nullptr) { return 0; }
  /// How many of these values each solve has of its own where the others are factors, kept from one solve to the next.
  static index_t workspace_size_with_factors(index_t /*rows*/, const std::int32_t* /*table*/) { return 0; }

  /// Prepares M; all threads of the team call it.
  [[gnu::always_inline]] explicit IdentityPreconditioner(Context& /*context*/) {}

  /// M^-1 r, valid until the next call. Each thread has written its own elements of r, and may read its own elements of the
  /// result; the function has the barriers that it needs to read others'.
  [[nodiscard, gnu::always_inline]] const Vector& team_apply(Context& /*context*/, const Vector& r) { return r; }
};

}  // namespace phpc::batch
