#pragma once
#include "batch/solver/solve_system.hpp"
#include "batch/system/memory_context.hpp"
#include "batch/system/scaling.hpp"
#include "batch/system/solve_job.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::batch {

/// Solves one system a team, from preparing the preconditioner to the report, in one launch for the whole batch. Scaled systems,
/// histories, kept factors and storages other than CSR need a General kernel, which is larger.
template <class T, class Method, template <class> class Preconditioner, int TeamSize, bool General>
struct SolveKernel {
  static constexpr int team_size = TeamSize;
  using Scratch = exec::DynamicScratch;
  using Context = MemoryContext<T, TeamSize, General>;
  SolveJob<T> job;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const index_t number = team.league_rank();
    const Placement& placement = job.placement;
    auto& reductions = *reinterpret_cast<typename Context::Reductions*>(scratch.data);
    T* const in_scratch = reinterpret_cast<T*>(scratch.data + placement.collective_bytes);
    T* const in_global = reinterpret_cast<T*>(job.workspace + number * static_cast<index_t>(placement.workspace_bytes));
    T* const scratch_end = in_scratch + placement.vectors_in_scratch * placement.vector_stride;
    T* const global_end = in_global + (first_vector + Method::vectors - placement.vectors_in_scratch) * placement.vector_stride;

    PHPC_EXPECT(scratch.reaches(scratch_end +
                                (placement.preconditioner == Memory::scratch ? placement.preconditioner_stride : 0) +
                                (placement.matrix == Memory::scratch ? job.set_values() : 0)));

    const std::int32_t n = job.matrix.rows;
    const index_t set = job.matrix.set_of(number);
    const std::int32_t held = General ? job.set_values() : job.matrix.entries;
    CsrSystem<T> matrix{n, job.matrix.entries, job.matrix.row_offsets, job.matrix.columns, job.matrix.values + set * held};
    T* staged = nullptr;
    if (placement.matrix == Memory::scratch) {
      staged = scratch_end + placement.preconditioner_stride;
      for (std::int32_t place = team.rank(); place < held; place += team.size()) {
        staged[place] = matrix.values[place];
      }
      matrix.values = staged;
      team.barrier();
    }
    T* const preparation = placement.preconditioner == Memory::scratch ? scratch_end : global_end;
    const index_t own = Preconditioner<Context>::workspace_size_with_factors(n, job.table);
    T* const factors = General ? job.template factors_at<T>(set) : nullptr;
    Context context(
        team, reductions, matrix, {in_scratch, in_global, placement.vector_stride, placement.vectors_in_scratch}, preparation,
        preparation + (factors != nullptr ? own : Preconditioner<Context>::workspace_size(n, matrix.entries, job.table)),
        job.rhs + number * n, job.x + number * n, job.table);
    [[maybe_unused]] History<1> history{{}, {1}, {0}};
    if constexpr (General) {
      context.read_as(job.stored());
      if (factors != nullptr) {
        context.take_factors(factors + own);
      }
      if (const ScalingRule scaling = job.scaling(); scaling.kind != ScalingRule::Kind::none) {
        team_scale(context, scaling, set, reinterpret_cast<std::byte*>(in_global) + job.extras->more_workspace, staged);
      }
      history.norms[0] = job.history_of(number);
      if (history.norms[0] != nullptr) {
        context.record_in(&history);
      }
    }
    Preconditioner<Context> preconditioner(context);
    const Outcome<RealOf<T>> outcome =
        team_solve_system<Method>(context, preconditioner, job.stop, job.tolerance_of(number), true);
    if (team.rank() == 0) {
      job.reports[number] = {static_cast<double>(outcome.residual_norm), static_cast<double>(outcome.rhs_norm),
                             outcome.iterations, static_cast<Status>(outcome.status)};
    }
  }
};

/// The general SolveKernel of a method. On the x86_64 device, whose threads do more as teams of their own, a team has one thread.
template <class T, class Method, template <class> class Preconditioner, int TeamSize>
struct GeneralSolveKernel : SolveKernel<T, Method, Preconditioner, TeamSize, true> {
  static constexpr int x86_64_team_size = 1;
};

/// A launch with a team for each system.
template <class T>
exec::LaunchShape solve_shape(const SolveJob<T>& job) {
  return {.groups = job.matrix.systems, .scratch_bytes = job.placement.scratch_bytes};
}

}  // namespace phpc::batch
