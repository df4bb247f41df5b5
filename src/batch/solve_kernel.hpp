#pragma once
#include "batch/csr_system.hpp"
#include "batch/solve_job.hpp"
#include "batch/solver/cycle.hpp"
#include "batch/vector_ops.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::batch {

/// The vectors of one system, wherever the plan put them.
template <class T>
struct VectorTable {
  T* scratch;
  T* global;
  index_t stride;
  int in_scratch;

  [[nodiscard, gnu::always_inline]] T* operator()(int number) const {
    return number < in_scratch ? scratch + number * stride : global + (number - in_scratch) * stride;
  }
};

/// Solves one system a team: everything from preparing the preconditioner to the report, in one launch for the whole batch.
///
/// Around the method's cycles stands iterative refinement: after each cycle the correction is added to x and the residual
/// recomputed from A, b and x. Only that true residual decides on `converged`. A cycle that believes itself done while the true
/// residual is too large is followed by another one on that residual, as long as a cycle at least halves it; x keeps the best
/// iterate met. With one cycle, which is the rule, this is the method as in the books.
template <class T, class Method, class Preconditioner, int TeamSize>
struct SolveKernel {
  static constexpr int team_size = TeamSize;
  using Scratch = exec::DynamicScratch;
  using Reductions = Collectives<T, TeamSize>;
  SolveJob<T> job;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const index_t number = team.league_rank();
    const Placement& placement = job.placement;
    Reductions& reductions = *reinterpret_cast<Reductions*>(scratch.data);
    T* const in_scratch = reinterpret_cast<T*>(scratch.data + placement.collective_bytes);
    T* const in_global = reinterpret_cast<T*>(job.workspace + number * static_cast<index_t>(placement.workspace_bytes));
    const VectorTable<T> vector{in_scratch, in_global, placement.vector_stride, placement.vectors_in_scratch};
    T* const scratch_end = in_scratch + placement.vectors_in_scratch * placement.vector_stride;
    T* const global_end = in_global + (Method::vectors - placement.vectors_in_scratch) * placement.vector_stride;

    const std::int32_t n = job.matrix.rows;
    const index_t set = (job.matrix.first_set + number) % job.matrix.value_sets;
    CsrSystem<T> matrix{n, job.matrix.entries, job.matrix.row_offsets, job.matrix.columns,
                        job.matrix.values + set * job.matrix.entries};
    T* const preconditioner_work = placement.preconditioner == Memory::scratch ? scratch_end : global_end;
    if (placement.matrix == Memory::scratch) {
      T* const staged = scratch_end + placement.preconditioner_stride;
      thread_for(team, matrix.entries, [&](std::int32_t entry) { staged[entry] = matrix.values[entry]; });
      matrix.values = staged;
      team.barrier();
    }
    Preconditioner preconditioner;
    preconditioner.generate(team, matrix, preconditioner_work);

    const T* const b = job.rhs + number * n;
    T* const x = job.x + number * n;
    const Report report = team_solve(team, matrix, preconditioner, vector, reductions, b, x);
    if (team.rank() == 0) {
      job.reports[number] = report;
    }
  }

 private:
  [[nodiscard, gnu::always_inline]] T limit(T rhs_norm, T initial_norm) const {
    const T tolerance = static_cast<T>(job.stop.tolerance);
    switch (job.stop.kind) {
      case ToleranceKind::relative_to_rhs:
        return tolerance * rhs_norm;
      case ToleranceKind::relative_to_initial:
        return tolerance * initial_norm;
      case ToleranceKind::absolute:
        break;
    }
    return tolerance;
  }

  [[nodiscard, gnu::always_inline]] static Status status_after(CycleEnd end) {
    switch (end) {
      case CycleEnd::converged:
        return Status::stagnated;
      case CycleEnd::iteration_cap:
        return Status::max_iterations;
      case CycleEnd::breakdown:
        return Status::breakdown;
      case CycleEnd::not_finite:
        break;
    }
    return Status::not_finite;
  }

  [[nodiscard, gnu::always_inline]] Report team_solve(const exec::Team& team, const CsrSystem<T>& matrix,
                                                      const Preconditioner& preconditioner, const VectorTable<T>& vector,
                                                      Reductions& reductions, const T* b, T* x) const {
    const std::int32_t n = matrix.rows;
    T* const r = vector(Method::residual);
    T* const d = vector(Method::correction);

    const T rhs_norm = team_norm(team, reductions, n, b);
    if (rhs_norm == T{0} && job.stop.kind == ToleranceKind::relative_to_rhs) {
      thread_for(team, n, [&](std::int32_t i) { x[i] = T{0}; });
      return {0, 0, 0, Status::converged};
    }
    team_residual(team, matrix, b, x, r);
    T best = team_norm(team, reductions, n, r);
    if (!finite(best)) {
      thread_for(team, n, [&](std::int32_t i) { x[i] = T{0}; });
      return {static_cast<double>(std::numeric_limits<T>::quiet_NaN()), static_cast<double>(rhs_norm), 0, Status::not_finite};
    }

    const T accepted = limit(rhs_norm, best);
    std::int32_t iterations = 0;
    Status status = Status::converged;
    while (best > accepted) {
      if (iterations >= job.stop.max_iterations) {
        status = Status::max_iterations;
        break;
      }
      const T scale = best;
      thread_for(team, n, [&](std::int32_t i) {
        r[i] /= scale;
        d[i] = T{0};
      });
      const CycleResult cycle = Method::team_cycle(team, matrix, preconditioner, vector, reductions, accepted / scale,
                                                   job.stop.max_iterations - iterations);
      iterations += cycle.iterations;

      // The candidate x + scale d, and what it is really worth. 0 * d finds what the residual cannot see: an infinite element
      // that meets no entry of A.
      const T nothing = team_sum(team, reductions, n, [&](std::int32_t i) {
        d[i] = x[i] + scale * d[i];
        return T{0} * d[i];
      });
      team_residual(team, matrix, b, d, r);
      const T norm = team_norm(team, reductions, n, r) + nothing;
      if (norm < best) {
        thread_for(team, n, [&](std::int32_t i) { x[i] = d[i]; });
        best = norm;
      }
      if (best > accepted && !(norm < scale / 2)) {
        status = status_after(cycle.end);
        break;
      }
    }
    return {static_cast<double>(best), static_cast<double>(rhs_norm), iterations, status};
  }
};

/// A team for each system.
template <class T>
exec::LaunchShape solve_shape(const SolveJob<T>& job) {
  return {.groups = job.matrix.systems, .scratch_bytes = job.placement.scratch_bytes};
}

}  // namespace phpc::batch
