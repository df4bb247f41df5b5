#pragma once
#include "batch/solver/cycle.hpp"
#include "batch/solver/sparse_lu_factors.hpp"

namespace phpc::batch {

/// LU of the sparse matrix, with all of its fill, on pivots that the pattern alone decides (sparse_lu_table): no search, and no
/// exchange but within a block of four, as in the refactorisations of KLU (Davis and Palamadai Natarajan, ACM TOMS 37, 2010), so
/// that one list of products serves every system of the batch. What that costs in accuracy, the refinement around the cycles
/// makes good or its true residual tells. The first cycle factorises, unless factors are kept; each, one
/// iteration, solves with them.
struct SparseLu {
  static constexpr int vectors = 0;
  static constexpr bool preconditioned = false;
  static constexpr KernelSizes plain_kernels = KernelSizes::all;
  /// The factors; of each pivot, a row of its block's inverse and the unknown (SparseLuFactors).
  static index_t need(index_t rows, const std::int32_t* table) { return table[0] + (most_block_pivots + 1) * rows; }
  /// A solve's own unknowns.
  static index_t need_with_factors(index_t rows, const std::int32_t* /*table*/) { return rows; }
  static bool accepts(std::int32_t /*row*/, std::int32_t /*column*/) { return true; }

  template <class Space>
  [[gnu::always_inline]] static void factorise(Space& space) {
    const SparseLuFactors<Space> factors(space);
    factors.copy_matrix(space);
    factors.factorise(space, nullptr);
  }

  template <class Space, class Preconditioner>
  [[nodiscard, gnu::always_inline]] static CycleResult<typename Space::Value> cycle(
      Space& space, Preconditioner& /*preconditioner*/, typename Space::Vector& r, typename Space::Vector& d,
      const CycleTask<typename Space::Value>& task) {
    using Value = typename Space::Value;
    const SparseLuFactors<Space> factors(space);
    if (task.number == 0 && !space.has_factors()) {
      factors.copy_matrix(space);
      factors.factorise(space, r);
    } else {
      factors.substitute_down(space, r);
    }
    factors.substitute_up(space, d);
    // A zero pivot has left an infinite inverse, and all that depends on it.
    return direct_result<Value>(task.active, all_finite(space, [&](int k) { return factors.unknown(k); }));
  }
};

}  // namespace phpc::batch
