#pragma once
#include "batch/direct/chunk_context.hpp"
#include "batch/solver/cycle.hpp"
#include "batch/solver/solve_system.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::batch {

/// Solves a tridiagonal system by the partition method: the rows of every thread's chunk but its last are eliminated by the
/// Thomas algorithm (Wang 1981), which leaves a tridiagonal system of one row a thread, solved by parallel cyclic reduction
/// (Laszlo, Giles, Appleyard 2016). No pivoting: both parts are stable for diagonally dominant and for definite matrices, whose
/// principal submatrices and Schur complements are such too.
template <class Context>
struct ChunkElimination {
  using T = typename Context::Value;
  static constexpr int count = Context::count;

  /// d = A^-1 r; numbers that are not finite where there was a zero pivot.
  [[gnu::always_inline]] static void solve(Context& context, const typename Context::Vector& r, typename Context::Vector& d,
                                           int rows) {
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
      const T inverse = T{1} / (middle_of(context, i, rows) - lower * right_before);
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
    T middle = middle_of(context, last, rows);
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

 private:
  /// The diagonal element of the thread's row i; 1 in rows beyond the system, whose other elements are 0.
  [[nodiscard, gnu::always_inline]] static T middle_of(const Context& context, int i, int rows) {
    return context.row(i) < rows ? context.middle(i) : T{1};
  }

  /// Solves the system of one row a thread by cyclic reduction; returns the thread's unknown. Rows are scaled to diagonals of 1;
  /// in each step every row eliminates the unknowns `stride` before and after its own.
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

/// Solves tridiagonal systems in the registers of a GPU. A cycle is one elimination; the refinement around it (see
/// team_solve_system) repeats it on the residual where the tolerance asks for more.
template <class T, RegisterShape Shape>
struct ChunkKernel {
  static constexpr int team_size = Shape.threads < 64 ? 64 : Shape.threads;
  using Scratch = exec::DynamicScratch;
  using Context = ChunkContext<T, Shape>;
  static constexpr int systems_of_a_team = PHPC_GPU_PASS ? team_size / Shape.threads : 1;
  RegisterJob<T> job;

  /// What the method needs of a system, passed in place of a preconditioner.
  struct Direct {
    int rows;
  };
  struct Method {
    [[nodiscard, gnu::always_inline]] static CycleResult<T> team_cycle(Context& context, Direct& direct,
                                                                       typename Context::Vector& r, typename Context::Vector& d,
                                                                       const CycleTask<T>& task) {
      ChunkElimination<Context>::solve(context, r, d, direct.rows);
      return direct_result<T>(task.active, team_all_finite(context, [&](int i) { return d[i]; }));
    }
  };

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const int part = systems_of_a_team == 1 ? 0 : team.rank() / Shape.threads;
    const index_t wanted = team.league_rank() * systems_of_a_team + part;
    const bool valid = wanted < job.systems;
    const index_t number = valid ? wanted : job.systems - 1;
    Context context(team, reinterpret_cast<T*>(scratch.data) + part * Context::scratch_values, job.rows);
    context.load(job.values + job.set_of(number) * job.entries, job.rhs + number * job.rows, job.x + number * job.rows);
    Direct direct{job.rows};
    const Outcome<T> outcome = team_solve_system<Method>(context, direct, job.stop, job.tolerance_of(number), valid);
    context.store(job.x + number * job.rows, valid);
    if (valid && context.threads().rank() == 0) {
      job.reports[number] = {static_cast<double>(outcome.residual_norm), static_cast<double>(outcome.rhs_norm),
                             outcome.iterations, static_cast<Status>(outcome.status)};
    }
  }
};

/// The launch of a kernel with `systems_a_team` systems a team.
template <class Kernel>
exec::LaunchShape chunk_launch(const Kernel& kernel, int systems_a_team) {
  return {
      .groups = (kernel.job.systems + systems_a_team - 1) / systems_a_team,
      .scratch_bytes = static_cast<std::size_t>(Kernel::Context::scratch_values * systems_a_team) * sizeof(*kernel.job.values)};
}

}  // namespace phpc::batch
