#pragma once
#include "batch/mixed/mixed_cycle.hpp"
#include "batch/slices/slice_kernel.hpp"

namespace phpc::batch {

/// SliceKernel with cycles of float. The matrix lies in registers and scratch as float; the residual between cycles is of the
/// values in memory. Both spaces have their sums and their operand in the same scratch.
template <class Method, template <class> class Preconditioner, int Rows, int Slots>
struct MixedSliceKernel {
  static constexpr int team_size = exec::sized_by_launch;
  using Scratch = exec::DynamicScratch;
  using Space = SliceSpace<double, Rows, 0>;
  using InnerSpace = SliceSpace<float, Rows, Slots, double>;
  SliceJob<double> job;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const index_t number = team.league_rank();
    const double* const values = job.values + job.set_of(number) * job.entries;
    auto* const sums = reinterpret_cast<double*>(scratch.data);
    double* const operand = sums + TeamSums<double>::scratch_values(team.size() / exec::subgroup_size);
    auto* const low_operand = reinterpret_cast<float*>(operand);
    Space space(team, job.tables, values, sums, operand, job.rhs + number * job.rows, job.x + number * job.rows);
    InnerSpace inner_space(team, job.tables, values, reinterpret_cast<float*>(sums), low_operand, nullptr, nullptr);
    inner_space.rows().load(job.entries, low_operand, reinterpret_cast<float*>(operand + Rows * team.size()));
    team.barrier();
    Preconditioner<InnerSpace> preconditioner(inner_space);
    InnerSystem<InnerSpace, Preconditioner<InnerSpace>> inner{inner_space, preconditioner};
    const Outcome<double> outcome = solve_system<MixedCycle<Method>>(space, inner, job.stop, job.tolerance_of(number), true);
    if (team.rank() == 0) {
      job.reports[number] = {outcome.residual_norm, outcome.rhs_norm, outcome.iterations, static_cast<Status>(outcome.status)};
    }
  }
};

}  // namespace phpc::batch
