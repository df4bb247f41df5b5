#pragma once
#include "batch/direct/block_lu.hpp"
#include "batch/solver/cycle.hpp"
#include "batch/solver/solve_system.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::batch {

/// Solves dense systems, one a team, by LU in blocks of columns. The first cycle factorises; each cycle solves with the factors.
/// Where factors go to global memory, each team solves several systems one after the other with the same part of it, so that
/// those of all teams stay in the cache.
template <class T, RegisterShape Shape>
struct BlockLuKernel {
  static constexpr int team_size = Shape.threads;
  using Scratch = exec::DynamicScratch;
  using Lu = BlockLu<T, Shape>;
  using Context = typename Lu::Context;
  [[nodiscard, gnu::always_inline]] static constexpr BlockLayout layout() { return {Shape, sizeof(T)}; }
  RegisterJob<T> job;

  [[nodiscard]] exec::LaunchShape shape() const {
    return {
        .groups = job.matrix.systems, .teams = job.teams, .scratch_bytes = layout().scratch_bytes(job.matrix.rows, job.columns)};
  }

  /// What the method needs of a system, passed in place of a preconditioner.
  struct Direct {
    Lu lu;
    DenseSource<T> matrix;
  };
  struct Method {
    [[nodiscard, gnu::always_inline]] static CycleResult<T> team_cycle(Context& context, Direct& direct,
                                                                       typename Context::Vector& r, typename Context::Vector& d,
                                                                       const CycleTask<T>& task) {
      Lu& lu = direct.lu;
      if (task.number == 0) {
        lu.team_factorise(direct.matrix);
      }
      lu.team_solve(r, d);
      return direct_result<T>(task.active, team_all_finite(context, [&](int i) { return lu.inverse(i); }));
    }
  };

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const index_t number = team.league_rank();
    T* const base = reinterpret_cast<T*>(scratch.data);
    auto& reductions = *reinterpret_cast<typename Context::Reductions*>(scratch.data);
    static_assert(sizeof(typename Context::Reductions) <= static_cast<std::size_t>(layout().reductions()) * sizeof(T));
    const index_t stride = layout().vector_pitch(job.matrix.rows);
    T* const vectors = base + layout().reductions();
    const T* const values = job.matrix.values + job.matrix.set_of(number) * job.matrix.entries;
    T* const workspace = reinterpret_cast<T*>(
        job.workspace +
        (Lu::is_global ? number % job.teams * static_cast<index_t>(layout().workspace_bytes(job.matrix.rows)) : 0));
    Context context(team, reductions, {job.matrix.rows, job.matrix.entries, job.matrix.row_offsets, job.matrix.columns, values},
                    {vectors, nullptr, stride, first_vector}, nullptr, nullptr, job.rhs + number * job.matrix.rows,
                    job.x + number * job.matrix.rows);
    Direct direct{Lu(team, vectors + first_vector * stride, workspace, job.matrix.rows, job.columns),
                  {job.sources, values, job.matrix.entries}};
    const Outcome<T> outcome = team_solve_system<Method>(context, direct, job.stop, job.tolerance_of(number), true);
    if (team.rank() == 0) {
      job.reports[number] = {static_cast<double>(outcome.residual_norm), static_cast<double>(outcome.rhs_norm),
                             outcome.iterations, static_cast<Status>(outcome.status)};
    }
  }
};

}  // namespace phpc::batch
