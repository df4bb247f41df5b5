#pragma once
#include "batch/solver/cycle.hpp"
#include "batch/solver/sparse_lu_factors.hpp"

namespace phpc::batch {

/// LU factorisation of the sparse matrix, with all of its fill, on pivots that depend on the pattern alone (sparse_lu_table).
/// Pivots are not searched for, and rows are exchanged only within a block of up to four pivots, as in the refactorisations of
/// KLU (Davis and Palamadai Natarajan, ACM TOMS 37, 2010), so that one list of products serves every system of the batch. The
/// accuracy that this loses is regained by the refinement around the cycles, or shown by the true residual. The first cycle
/// factorises, unless factors are kept; each cycle is one iteration, which solves with the factors.
struct SparseLu {
  static constexpr int vectors = 0;
  static constexpr bool preconditioned = false;
  static constexpr KernelSizes plain_kernels = KernelSizes::all;
  /// Values for the factors and, for each pivot, a row of its block's inverse and the unknown (SparseLuFactors).
  static index_t workspace_size(index_t rows, const std::int32_t* table) { return table[0] + (most_block_pivots + 1) * rows; }
  /// Values for the unknowns.
  static index_t workspace_size_with_factors(index_t rows, const std::int32_t* /*table*/) { return rows; }
  static bool accepts(std::int32_t /*row*/, std::int32_t /*column*/) { return true; }

  template <class Context>
  [[gnu::always_inline]] static void team_factorise(Context& context) {
    const SparseLuFactors<Context> factors(context);
    factors.team_copy_matrix(context);
    factors.team_factorise(context, nullptr);
  }

  template <class Context, class Preconditioner>
  [[nodiscard, gnu::always_inline]] static CycleResult<typename Context::Value> team_cycle(
      Context& context, Preconditioner& /*preconditioner*/, typename Context::Vector& r, typename Context::Vector& d,
      const CycleTask<typename Context::Value>& task) {
    using Value = typename Context::Value;
    const SparseLuFactors<Context> factors(context);
    if (task.number == 0 && !context.has_factors()) {
      factors.team_copy_matrix(context);
      factors.team_factorise(context, r);
    } else {
      factors.team_substitute_down(context, r);
    }
    factors.team_substitute_up(context, d);
    // A zero pivot has an infinite inverse, which makes the unknowns that depend on it not finite.
    return direct_result<Value>(task.active, team_all_finite(context, [&](int k) { return factors.unknown(k); }));
  }
};

}  // namespace phpc::batch
