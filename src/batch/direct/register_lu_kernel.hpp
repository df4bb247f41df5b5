#pragma once
#include "batch/direct/register_lu.hpp"
#include "batch/registers/register_kernel.hpp"

namespace phpc::batch {

/// Solves dense systems by LU in the registers of a GPU. A cycle is one elimination; the refinement around it (see
/// team_solve_system) repeats it on the residual where the tolerance asks for more.
template <class T, RegisterShape Shape>
struct RegisterLuKernel {
  static constexpr int team_size = 64;
  using Scratch = exec::DynamicScratch;
  using Lu = RegisterLu<T, Shape>;
  using Context = typename Lu::Context;
  static constexpr int systems_of_a_team = PHPC_GPU_PASS ? team_size / Shape.threads : 1;
  static constexpr int fixed_values = Lu::scratch_values + Context::fixed_values;
  RegisterJob<T> job;

  [[nodiscard]] static constexpr index_t scratch_values(index_t entries) {
    return (fixed_values + Context::Places::values(entries) + 1) / 2 * 2;
  }

  /// What the method needs of a system, passed in place of a preconditioner.
  struct Direct {
    T* scratch;
    int rows;
  };
  struct Method {
    [[nodiscard, gnu::always_inline]] static CycleResult<T> team_cycle(Context& context, Direct& direct,
                                                                       typename Context::Vector& r, typename Context::Vector& d,
                                                                       const CycleTask<T>& task) {
      Lu lu(context, direct.scratch, context.threads().rank());
      const bool solved = lu.solve(context, r, d, direct.rows);
      context.threads().barrier();
      return direct_result<T>(task.active, solved);
    }
  };

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const int part = systems_of_a_team == 1 ? 0 : team.rank() / Shape.threads;
    const index_t wanted = team.league_rank() * systems_of_a_team + part;
    const bool valid = wanted < job.matrix.systems;
    const index_t number = valid ? wanted : job.matrix.systems - 1;
    T* const own = reinterpret_cast<T*>(scratch.data) + part * scratch_values(job.matrix.entries);
    T* const staged = own + fixed_values;
    const index_t set = job.matrix.set_of(number);

    Context context(team, own + Lu::scratch_values, job.matrix.rows, job.rhs + number * job.matrix.rows,
                    job.x + number * job.matrix.rows);
    thread_stage<Context::Threads::size>(context.threads().rank(), job.matrix.values + set * job.matrix.entries,
                                         job.matrix.entries, staged, context.places());
    context.threads().barrier();
    context.load(job.sources, staged);
    Direct direct{own, job.matrix.rows};
    const Outcome<T> outcome = team_solve_system<Method>(context, direct, job.stop, job.tolerance_of(number), valid);
    if (valid && context.threads().rank() == 0) {
      job.reports[number] = {static_cast<double>(outcome.residual_norm), static_cast<double>(outcome.rhs_norm),
                             outcome.iterations, static_cast<Status>(outcome.status)};
    }
  }
};

}  // namespace phpc::batch
