#pragma once
#include "batch/solver/cycle.hpp"

namespace phpc::batch {

/// The partition method for a tridiagonal system in the chunks of a ChunkContext: the rows of every thread's chunk but its last
/// are eliminated by the Thomas algorithm (Wang 1981), which leaves a tridiagonal system of one row a thread, solved by parallel
/// cyclic reduction (Laszlo, Giles, Appleyard 2016). No pivoting: both parts are stable for diagonally dominant and for definite
/// matrices, whose principal submatrices and Schur complements are such too. A cycle is one elimination; the refinement around it
/// (see team_solve_system) repeats it on the residual where the tolerance asks for more.
struct ChunkElimination {
  template <class Context, class Preconditioner>
  [[nodiscard, gnu::always_inline]] static CycleResult<typename Context::Value> team_cycle(
      Context& context, Preconditioner& /*preconditioner*/, typename Context::Vector& r, typename Context::Vector& d,
      const CycleTask<typename Context::Value>& task) {
    solve(context, r, d);
    return direct_result<typename Context::Value>(task.active, team_all_finite(context, [&](int i) { return d[i]; }));
  }

 private:
  /// d = A^-1 r; numbers that are not finite where there was a zero pivot.
  template <class Context>
  [[gnu::always_inline]] static void solve(Context& context, const typename Context::Vector& r, typename Context::Vector& d) {
    using T = typename Context::Value;
    constexpr int count = Context::count;
    // x[i] = known[i] - left[i] * (last unknown of the thread before) - right[i] * (x[i + 1], after the second loop the thread's
    // last unknown).
    T known[count];
    T left[count];
    T right[count];
    T left_before = 0;
    T right_before = 0;
    T known_before = 0;
#pragma unroll
    for (int i = 0; i + 1 < count; ++i) {
      const T lower = context.lower(i);
      const T inverse = T{1} / (middle_of(context, i) - lower * right_before);
      left_before = i == 0 ? lower * inverse : -lower * left_before * inverse;
      known_before = (r[i] - lower * known_before) * inverse;
      right_before = context.upper(i) * inverse;
      left[i] = left_before;
      known[i] = known_before;
      right[i] = right_before;
    }
#pragma unroll
    for (int i = count - 3; i >= 0; --i) {
      const T factor = right[i];
      known[i] -= factor * known[i + 1];
      left[i] -= factor * left[i + 1];
      right[i] = -factor * right[i + 1];
    }
    constexpr int last = count - 1;
    constexpr int inner = count > 1 ? 0 : last;  // the first inner row, if there is one
    T lower = context.lower(last);
    T middle = middle_of(context, last);
    T upper = context.upper(last);
    T rhs = r[last];
    if constexpr (count > 1) {
      middle -= lower * right_before;
      rhs -= lower * known_before;
      lower = -lower * left_before;
      // Substitutes the next unknown, the next thread's first, by what it depends on.
      const auto first_rows = context.show(known[inner], left[inner], right[inner]);
      rhs -= upper * first_rows.of(context, 0, 1);
      middle -= upper * first_rows.of(context, 1, 1);
      upper = -upper * first_rows.of(context, 2, 1);
    }
    const T solution = reduce(context, lower, middle, upper, rhs);
    const T before = context.show(solution).of(context, 0, -1);
#pragma unroll
    for (int i = 0; i + 1 < count; ++i) {
      d[i] = known[i] - left[i] * before - right[i] * solution;
    }
    d[last] = solution;
  }

  /// The diagonal element of the thread's row i; 1 in rows beyond the system, whose other elements are 0.
  template <class Context>
  [[nodiscard, gnu::always_inline]] static typename Context::Value middle_of(const Context& context, int i) {
    return context.row(i) < context.rows() ? context.middle(i) : typename Context::Value{1};
  }

  /// Solves the system of one row a thread by cyclic reduction; returns the thread's unknown. Rows are scaled to diagonals of 1;
  /// in each step every row eliminates the unknowns `stride` before and after its own.
  template <class Context, class T>
  [[nodiscard, gnu::always_inline]] static T reduce(Context& context, T lower, T middle, T upper, T rhs) {
    T inverse = T{1} / middle;
    lower *= inverse;
    upper *= inverse;
    rhs *= inverse;
#pragma unroll 1
    for (int stride = 1; stride < Context::size; stride *= 2) {
      const auto rows = context.show(lower, upper, rhs);
      const T lower_before = rows.of(context, 0, -stride);
      const T upper_before = rows.of(context, 1, -stride);
      const T rhs_before = rows.of(context, 2, -stride);
      const T lower_after = rows.of(context, 0, stride);
      const T upper_after = rows.of(context, 1, stride);
      const T rhs_after = rows.of(context, 2, stride);
      inverse = T{1} / (T{1} - lower * upper_before - upper * lower_after);
      rhs = (rhs - lower * rhs_before - upper * rhs_after) * inverse;
      lower = -lower * lower_before * inverse;
      upper = -upper * upper_after * inverse;
    }
    return rhs;
  }
};

}  // namespace phpc::batch
