#pragma once
#include "batch/mixed/mixed_cycle.hpp"
#include "batch/slices/slice_kernel.hpp"

namespace phpc::batch {

/// SliceKernel with cycles of float. Cycles have the matrix in registers and scratch as float; residuals between cycles read the
/// values in memory. Both contexts have their sums and their operand in the same scratch.
template <class Method, template <class> class Preconditioner, int Rows, int Slots, bool Tails>
struct MixedSliceKernel {
  static constexpr int team_size = exec::sized_by_launch;
  using Scratch = exec::DynamicScratch;
  using Context = SliceContext<double, Rows, 0, false>;
  using InnerContext = SliceContext<float, Rows, Slots, Tails, double>;
  SliceJob<double> job;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const index_t number = team.league_rank();
    const double* const values = job.matrix.values + job.matrix.set_of(number) * job.matrix.entries;
    auto* const sums = reinterpret_cast<double*>(scratch.data);
    double* const operand = sums + TeamSums<double>::scratch_values(team.size() / exec::subgroup_size);
    auto* const low_operand = reinterpret_cast<float*>(operand);
    Context context(team, job.tables, values, sums, operand, job.rhs + number * job.matrix.rows,
                    job.x + number * job.matrix.rows);
    InnerContext inner_context(team, job.tables, values, reinterpret_cast<float*>(sums), low_operand, nullptr, nullptr);
    inner_context.rows().team_load(job.matrix.entries, low_operand, reinterpret_cast<float*>(operand + Rows * team.size()));
    team.barrier();
    Preconditioner<InnerContext> preconditioner(inner_context);
    InnerSystem<InnerContext, Preconditioner<InnerContext>> inner{inner_context, preconditioner};
    const Outcome<double> outcome =
        team_solve_system<MixedCycle<Method>>(context, inner, job.stop, job.tolerance_of(number), true);
    if (team.rank() == 0) {
      job.reports[number] = {outcome.residual_norm, outcome.rhs_norm, outcome.iterations, static_cast<Status>(outcome.status)};
    }
  }
};

}  // namespace phpc::batch
