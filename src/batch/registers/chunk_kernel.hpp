#pragma once
#include "batch/registers/chunk_context.hpp"
#include "batch/solver/solve_system.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::batch {

/// Solves tridiagonal systems in the registers of a GPU, each by Shape.threads threads with chunks of neighbouring rows. On an
/// H200, 2^17 3-point stencils of 256, 512, 1024 and 2048 rows, f64, without a preconditioner, to 1e-6: CG 1.14, 2.33, 5.28
/// and 12.0 ms, where kernels whose threads have rows apart from one another, and take every operand from scratch,
/// took 2.03, 5.7, 12.3 and 29.5.
template <class T, class Method, template <class> class Preconditioner, RegisterShape Shape>
struct ChunkKernel {
  static constexpr int team_size = Shape.threads < 64 ? 64 : Shape.threads;
  using Scratch = exec::DynamicScratch;
  using Context = ChunkContext<T, Shape>;
  static constexpr int systems_of_a_team = PHPC_GPU_PASS ? team_size / Shape.threads : 1;
  RegisterJob<T> job;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const int part = systems_of_a_team == 1 ? 0 : team.rank() / Shape.threads;
    const index_t wanted = team.league_rank() * systems_of_a_team + part;
    const bool valid = wanted < job.matrix.systems;
    const index_t number = valid ? wanted : job.matrix.systems - 1;
    Context context(team, reinterpret_cast<T*>(scratch.data) + part * Context::scratch_values, job.matrix.rows);
    context.load(job.matrix.values + job.matrix.set_of(number) * job.matrix.entries, job.rhs + number * job.matrix.rows,
                 job.x + number * job.matrix.rows);
    Preconditioner<Context> preconditioner(context);
    const Outcome<T> outcome = team_solve_system<Method>(context, preconditioner, job.stop, job.tolerance_of(number), valid);
    context.store(job.x + number * job.matrix.rows, valid);
    if (valid && context.threads().rank() == 0) {
      job.reports[number] = {static_cast<double>(outcome.residual_norm), static_cast<double>(outcome.rhs_norm),
                             outcome.iterations, static_cast<Status>(outcome.status)};
    }
  }
};

/// The launch of a kernel with `systems_a_team` systems a team.
template <class Kernel>
exec::LaunchShape chunk_launch(const Kernel& kernel, int systems_a_team) {
  return {.groups = (kernel.job.matrix.systems + systems_a_team - 1) / systems_a_team,
          .scratch_bytes =
              static_cast<std::size_t>(Kernel::Context::scratch_values * systems_a_team) * sizeof(*kernel.job.matrix.values)};
}

}  // namespace phpc::batch
