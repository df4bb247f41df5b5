#pragma once
#include <cstdlib>

#include "batch/solver/cycle.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

/// Tridiagonal systems without pivoting: the Thomas algorithm on one thread, parallel cyclic reduction (Hockney and Jesshope
/// 1981; Zhang, Cohen and Owens 2010) in a team. Stable for diagonally dominant and for symmetric definite matrices; for others
/// the true residual tells, and cycles after the first are steps of refinement.
struct Tridiagonal {
  static constexpr int vectors = 0;
  static constexpr bool preconditioned = false;
  static constexpr KernelSizes plain_kernels = KernelSizes::none;
  /// Two sets of three diagonals and a right-hand side.
  static index_t need(index_t rows, const std::int32_t* /*table*/) { return 8 * rows; }
  static bool accepts(std::int32_t row, std::int32_t column) { return std::abs(row - column) <= 1; }

  template <class Space, class Preconditioner>
  [[nodiscard, gnu::always_inline]] static CycleResult<typename Space::Value> cycle(
      Space& space, Preconditioner& /*preconditioner*/, typename Space::Vector& r, typename Space::Vector& d,
      const CycleTask<typename Space::Value>& task) {
    using Value = typename Space::Value;
    const int rows = space.matrix().rows;
    const Diagonals<Value> now = diagonals(space.work(), rows);
    copy_matrix(space, now, r);
    MaskOf<Value> whole = mask_of<Value>(true);
    if constexpr (Space::alone) {
      whole = eliminate(now, d, rows);
    } else {
      reduce(space, now, diagonals(space.work() + 4 * index_t{rows}, rows), d);
      whole = all_finite(space, [&](int i) { return d[i]; });
    }
    return direct_result<Value>(task.active, whole);
  }

 private:
  /// Row i is lower[i] x[i - 1] + middle[i] x[i] + upper[i] x[i + 1] = rhs[i].
  template <class Value>
  struct Diagonals {
    Value* lower;
    Value* middle;
    Value* upper;
    Value* rhs;
  };

  template <class Value>
  [[nodiscard, gnu::always_inline]] static Diagonals<Value> diagonals(Value* memory, int rows) {
    return {memory, memory + rows, memory + 2 * index_t{rows}, memory + 3 * index_t{rows}};
  }

  template <class Space, class Value>
  [[gnu::always_inline]] static void copy_matrix(const Space& space, const Diagonals<Value>& to, typename Space::Vector& r) {
    const auto& matrix = space.matrix();
    for (const int i : space.own()) {
      Value lower{};
      Value middle{};
      Value upper{};
      for (std::int32_t entry = matrix.row_offsets[i]; entry < matrix.row_offsets[i + 1]; ++entry) {
        const std::int32_t column = matrix.columns[entry];
        (column < i ? lower : column == i ? middle : upper) = matrix.values[entry];
      }
      to.lower[i] = lower;
      to.middle[i] = middle;
      to.upper[i] = upper;
      to.rhs[i] = r[i];
    }
    space.barrier();
  }

  /// d = A^-1 rhs; where there was no zero pivot.
  template <class Value>
  [[nodiscard, gnu::always_inline]] static MaskOf<Value> eliminate(const Diagonals<Value>& a, Value* d, int rows) {
    MaskOf<Value> whole = mask_of<Value>(true);
    Value ratio{};
    Value known{};
    for (int i = 0; i < rows; ++i) {
      const Value inverse = ScalarOf<Value>{1} / (a.middle[i] - a.lower[i] * ratio);
      ratio = a.upper[i] * inverse;
      known = (a.rhs[i] - a.lower[i] * known) * inverse;
      whole = both(whole, finite(inverse));
      a.upper[i] = ratio;
      a.rhs[i] = known;
    }
    Value next{};
    for (int i = rows - 1; i >= 0; --i) {
      next = a.rhs[i] - a.upper[i] * next;
      d[i] = next;
    }
    return whole;
  }

  /// d = A^-1 rhs: in each step every row takes in the rows `stride` above and below, until all rows stand alone.
  template <class Space, class Value>
  [[gnu::always_inline]] static void reduce(const Space& space, Diagonals<Value> now, Diagonals<Value> next,
                                            typename Space::Vector& d) {
    const int rows = space.matrix().rows;
    for (int stride = 1; stride < rows; stride *= 2) {
      for (const int i : space.own()) {
        Value lower{};
        Value middle = now.middle[i];
        Value upper{};
        Value rhs = now.rhs[i];
        if (i >= stride) {
          const Value factor = now.lower[i] / now.middle[i - stride];
          lower = -factor * now.lower[i - stride];
          middle -= factor * now.upper[i - stride];
          rhs -= factor * now.rhs[i - stride];
        }
        if (i + stride < rows) {
          const Value factor = now.upper[i] / now.middle[i + stride];
          upper = -factor * now.upper[i + stride];
          middle -= factor * now.lower[i + stride];
          rhs -= factor * now.rhs[i + stride];
        }
        next.lower[i] = lower;
        next.middle[i] = middle;
        next.upper[i] = upper;
        next.rhs[i] = rhs;
      }
      space.barrier();
      const Diagonals<Value> done = now;
      now = next;
      next = done;
    }
    for (const int i : space.own()) {
      d[i] = now.rhs[i] / now.middle[i];
    }
  }
};

}  // namespace phpc::batch
