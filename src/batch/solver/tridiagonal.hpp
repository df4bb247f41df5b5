#pragma once
#include <cstdlib>
#include <type_traits>

#include "batch/solver/cycle.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

/// Elimination of tridiagonal systems without pivoting: the Thomas algorithm on one thread, parallel cyclic reduction (Hockney
/// and Jesshope 1981; Zhang, Cohen and Owens 2010) in a team. It is stable for diagonally dominant and for symmetric definite
/// matrices; for others the true residual shows what is lost, and cycles after the first are steps of refinement. The first cycle
/// factorises, unless factors are kept; each cycle is one iteration, which solves with the factors.
struct Tridiagonal {
  static constexpr int vectors = 0;
  static constexpr bool preconditioned = false;
  static constexpr KernelSizes plain_kernels = KernelSizes::none;
  /// Values for the factors, and for two sets of three diagonals while they are made.
  static index_t workspace_size(index_t rows, const std::int32_t* /*table*/) { return (factor_rows(rows) + 6) * rows; }
  /// Values for a team's right-hand sides of two steps, which without kept factors lie where the diagonals were.
  static index_t workspace_size_with_factors(index_t rows, const std::int32_t* /*table*/) { return 2 * rows; }
  static bool accepts(std::int32_t row, std::int32_t column) { return std::abs(row - column) <= 1; }

  template <class Context>
  [[gnu::always_inline]] static void team_factorise(Context& context) {
    const Factors<typename Context::Value> factors = factors_of(context);
    if constexpr (Context::is_one_thread) {
      thread_eliminate(context.matrix(), factors);
    } else {
      team_reduce(context, factors);
    }
  }

  template <class Context, class Preconditioner>
  [[nodiscard, gnu::always_inline]] static CycleResult<typename Context::Value> team_cycle(
      Context& context, Preconditioner& /*preconditioner*/, typename Context::Vector& r, typename Context::Vector& d,
      const CycleTask<typename Context::Value>& task) {
    using Value = typename Context::Value;
    if (task.number == 0 && !context.has_factors()) {
      team_factorise(context);
    }
    const Factors<Value> factors = factors_of(context);
    MaskOf<Value> whole = mask_of<Value>(true);
    if constexpr (Context::is_one_thread) {
      whole = thread_substitute(factors, r, d);
    } else {
      team_reduce_rhs(context, factors,
                      context.has_factors() ? context.work() : factors.data + factor_rows(factors.rows) * factors.rows, r, d);
      whole = team_all_finite(context, [&](int i) { return d[i]; });
    }
    return direct_result<Value>(task.active, whole);
  }

 private:
  /// Steps of cyclic reduction until each row has one unknown.
  [[nodiscard, gnu::always_inline]] static index_t steps_of(index_t rows) {
    index_t steps = 0;
    for (index_t stride = 1; stride < rows; stride *= 2) {
      ++steps;
    }
    return steps;
  }
  /// Arrays of `rows` values that the factors take: three for the Thomas algorithm; for cyclic reduction two a step, and the
  /// diagonal that remains.
  [[nodiscard, gnu::always_inline]] static index_t factor_rows(index_t rows) {
    const index_t of_steps = 2 * steps_of(rows) + 1;
    return of_steps < 3 ? 3 : of_steps;
  }

  template <class Value>
  struct Factors {
    Value* data;
    int rows;
    [[nodiscard, gnu::always_inline]] Value* array(index_t number) const { return data + number * rows; }
    // Of the Thomas algorithm.
    [[nodiscard, gnu::always_inline]] Value* lower() const { return array(0); }
    [[nodiscard, gnu::always_inline]] Value* ratio() const { return array(1); }  ///< of the element right of a pivot to the pivot
    [[nodiscard, gnu::always_inline]] Value* inverse() const { return array(2); }  ///< of the pivots
    // Of cyclic reduction: the multiples of the rows `stride` above and below that a row subtracts, and the diagonal.
    [[nodiscard, gnu::always_inline]] Value* from_above(index_t step) const { return array(1 + 2 * step); }
    [[nodiscard, gnu::always_inline]] Value* from_below(index_t step) const { return array(2 + 2 * step); }
    [[nodiscard, gnu::always_inline]] Value* diagonal() const { return array(0); }
  };
  template <class Context>
  [[nodiscard, gnu::always_inline]] static Factors<typename Context::Value> factors_of(const Context& context) {
    return {context.factors_or(context.work()), context.matrix().rows};
  }

  /// Row i is lower x[i - 1] + middle x[i] + upper x[i + 1].
  template <class Value>
  struct Row {
    Value lower{};
    Value middle{};
    Value upper{};
  };
  template <class Matrix>
  [[nodiscard, gnu::always_inline]] static auto row_of(const Matrix& matrix, int i) {
    Row<std::remove_cvref_t<decltype(*matrix.values)>> row;
    for (std::int32_t entry = matrix.row_offsets[i]; entry < matrix.row_offsets[i + 1]; ++entry) {
      const std::int32_t column = matrix.columns[entry];
      (column < i ? row.lower : column == i ? row.middle : row.upper) = matrix.values[entry];
    }
    return row;
  }

  template <class Matrix, class Value>
  [[gnu::always_inline]] static void thread_eliminate(const Matrix& matrix, const Factors<Value>& factors) {
    Value ratio{};
    for (int i = 0; i < factors.rows; ++i) {
      const auto row = row_of(matrix, i);
      const Value inverse = ScalarOf<Value>{1} / (row.middle - row.lower * ratio);
      ratio = row.upper * inverse;
      factors.lower()[i] = row.lower;
      factors.ratio()[i] = ratio;
      factors.inverse()[i] = inverse;
    }
  }
  /// d = A^-1 r; returns the lanes that had no zero pivot.
  template <class Value>
  [[nodiscard, gnu::always_inline]] static MaskOf<Value> thread_substitute(const Factors<Value>& factors, const Value* r,
                                                                           Value* d) {
    MaskOf<Value> whole = mask_of<Value>(true);
    Value known{};
    for (int i = 0; i < factors.rows; ++i) {
      const Value inverse = factors.inverse()[i];
      known = (r[i] - factors.lower()[i] * known) * inverse;
      whole = mask_and(whole, finite(inverse));
      d[i] = known;
    }
    Value next{};
    for (int i = factors.rows - 1; i >= 0; --i) {
      next = d[i] - factors.ratio()[i] * next;
      d[i] = next;
    }
    return whole;
  }

  /// Cyclic reduction of the matrix: in each step every row eliminates its neighbours `stride` above and below, until each row
  /// has one unknown.
  template <class Context, class Value>
  [[gnu::always_inline]] static void team_reduce(const Context& context, const Factors<Value>& factors) {
    const int rows = factors.rows;
    Value* const memory = factors.data + factor_rows(rows) * rows;
    struct Diagonals {
      Value* lower;
      Value* middle;
      Value* upper;
    };
    Diagonals now{memory, memory + rows, memory + 2 * index_t{rows}};
    Diagonals next{memory + 3 * index_t{rows}, memory + 4 * index_t{rows}, memory + 5 * index_t{rows}};
    for (const int i : context.my_rows()) {
      const auto row = row_of(context.matrix(), i);
      now.lower[i] = row.lower;
      now.middle[i] = row.middle;
      now.upper[i] = row.upper;
    }
    context.barrier();
    index_t step = 0;
    for (int stride = 1; stride < rows; stride *= 2) {
      for (const int i : context.my_rows()) {
        Value lower{};
        Value middle = now.middle[i];
        Value upper{};
        if (i >= stride) {
          const Value factor = now.lower[i] / now.middle[i - stride];
          lower = -factor * now.lower[i - stride];
          middle -= factor * now.upper[i - stride];
          factors.from_above(step)[i] = factor;
        }
        if (i + stride < rows) {
          const Value factor = now.upper[i] / now.middle[i + stride];
          upper = -factor * now.upper[i + stride];
          middle -= factor * now.lower[i + stride];
          factors.from_below(step)[i] = factor;
        }
        next.lower[i] = lower;
        next.middle[i] = middle;
        next.upper[i] = upper;
      }
      context.barrier();
      const Diagonals done = now;
      now = next;
      next = done;
      ++step;
    }
    for (const int i : context.my_rows()) {
      factors.diagonal()[i] = now.middle[i];
    }
    context.barrier();
  }

  /// d = A^-1 r by the steps of team_reduce(); `memory` is for right-hand sides of two steps.
  template <class Context, class Value>
  [[gnu::always_inline]] static void team_reduce_rhs(const Context& context, const Factors<Value>& factors, Value* memory,
                                                     const typename Context::Vector& r, typename Context::Vector& d) {
    const int rows = factors.rows;
    Value* now = memory;
    Value* next = memory + rows;
    for (const int i : context.my_rows()) {
      now[i] = r[i];
    }
    context.barrier();
    index_t step = 0;
    for (int stride = 1; stride < rows; stride *= 2) {
      for (const int i : context.my_rows()) {
        Value rhs = now[i];
        if (i >= stride) {
          rhs -= factors.from_above(step)[i] * now[i - stride];
        }
        if (i + stride < rows) {
          rhs -= factors.from_below(step)[i] * now[i + stride];
        }
        next[i] = rhs;
      }
      context.barrier();
      Value* const done = now;
      now = next;
      next = done;
      ++step;
    }
    for (const int i : context.my_rows()) {
      d[i] = now[i] / factors.diagonal()[i];
    }
  }
};

}  // namespace phpc::batch
