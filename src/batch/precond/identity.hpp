#pragma once
#include <cstdint>

#include "phpc/core/types.hpp"

namespace phpc::batch {

/// No preconditioning: M = I.
///
/// A preconditioner has these members, is_identity, and is_symmetric(): whether M is symmetric where A is.
template <class Context>
class IdentityPreconditioner {
 public:
  static constexpr bool is_identity = true;
  [[nodiscard, gnu::always_inline]] static constexpr bool is_symmetric() { return true; }
  using Vector = typename Context::Vector;

  /// Values of preparation for a system with so many rows and entries; `table` is what its row in preconditioner_rows.hpp makes
  /// of the pattern (pattern_tables.hpp).
  static index_t workspace_size(index_t /*rows*/, index_t /*entries*/, const std::int32_t* /*table*/ = nullptr) { return 0; }
  /// Those of them that stay a solve's own where the others are kept from one solve to the next.
  static index_t workspace_size_with_factors(index_t /*rows*/, const std::int32_t* /*table*/) { return 0; }

  /// Prepares M; all threads of the team call it.
  [[gnu::always_inline]] explicit IdentityPreconditioner(Context& /*context*/) {}

  /// M^-1 r, valid until the next apply. All threads of the team call it, each with its own elements of r written; each then
  /// holds its own elements of the result (barriers within, where others' are needed, are this member's).
  [[nodiscard, gnu::always_inline]] const Vector& team_apply(Context& /*context*/, const Vector& r) { return r; }
};

}  // namespace phpc::batch
