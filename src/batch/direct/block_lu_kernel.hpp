#pragma once
#include "batch/direct/block_elimination.hpp"
#include "batch/solver/cycle.hpp"
#include "batch/solver/solve_system.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::batch {

/// Solves dense systems, one a team, by elimination in blocks. The first cycle factorises; each cycle solves with the factors.
/// Where the matrix does not fit into scratch, each team takes several systems in turn, so that all teams' matrices stay in the
/// cache.
template <class T, RegisterShape Shape>
struct BlockLuKernel {
  static constexpr int team_size = Shape.threads;
  using Scratch = exec::DynamicScratch;
  using Elimination = BlockElimination<T, Shape>;
  using Space = typename Elimination::Space;
  [[nodiscard, gnu::always_inline]] static constexpr BlockLayout layout() { return {Shape, sizeof(T)}; }
  RegisterJob<T> job;

  [[nodiscard]] exec::LaunchShape shape() const {
    return {.groups = job.systems, .teams = job.teams, .scratch_bytes = layout().scratch_bytes(job.rows)};
  }

  /// What stands where solve_system expects a preconditioner.
  struct Direct {
    Elimination elimination;
    const SlotSource* sources;
    const T* values;
    int entries;
  };
  struct Method {
    [[nodiscard, gnu::always_inline]] static CycleResult<T> cycle(Space& space, Direct& direct, typename Space::Vector& r,
                                                                  typename Space::Vector& d, const CycleTask<T>& task) {
      Elimination& elimination = direct.elimination;
      if (task.number == 0) {
        elimination.load(direct.sources, direct.values, direct.entries);
        elimination.factorise();
      }
      elimination.solve(r, d);
      return direct_result<T>(task.active, all_finite(space, [&](int i) { return elimination.inverse(i); }));
    }
  };

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const index_t number = team.league_rank();
    T* const base = reinterpret_cast<T*>(scratch.data);
    auto& reductions = *reinterpret_cast<typename Space::Reductions*>(scratch.data);
    static_assert(sizeof(typename Space::Reductions) <= static_cast<std::size_t>(layout().reductions()) * sizeof(T));
    const index_t stride = layout().vector_pitch(job.rows);
    T* const vectors = base + layout().reductions();
    const T* const values = job.values + job.set_of(number) * job.entries;
    T* const workspace = reinterpret_cast<T*>(
        job.workspace +
        (Elimination::is_global ? number % job.teams * static_cast<index_t>(layout().workspace_bytes(job.rows)) : 0));
    Space space(team, reductions, {job.rows, job.entries, job.row_offsets, job.columns, values},
                {vectors, nullptr, stride, first_vector}, nullptr, nullptr, job.rhs + number * job.rows,
                job.x + number * job.rows);
    Direct direct{Elimination(team, vectors + first_vector * stride, workspace, job.rows), job.sources, values, job.entries};
    const Outcome<T> outcome = solve_system<Method>(space, direct, job.stop, job.tolerance_of(number), true);
    if (team.rank() == 0) {
      job.reports[number] = {static_cast<double>(outcome.residual_norm), static_cast<double>(outcome.rhs_norm),
                             outcome.iterations, static_cast<Status>(outcome.status)};
    }
  }
};

}  // namespace phpc::batch
