#pragma once
#include <algorithm>

#include "batch/slices/slice_context.hpp"
#include "batch/solver/solve_system.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::batch {

/// Bytes of scratch of a team: for partial sums of its sub-groups, for the operand, and for the matrix's values, first those
/// staged on their way to registers, then those that stay in scratch. A value of the matrix has `value_bytes`, of sums and
/// operand `wide_bytes`.
[[nodiscard]] inline std::size_t slice_scratch_bytes(const SliceShape& shape, int staged_slots, std::int32_t scratch_values,
                                                     int lanes, std::size_t value_bytes, std::size_t wide_bytes) {
  const auto positions = static_cast<std::size_t>(shape.positions());
  const auto sums = static_cast<std::size_t>(16 * shape.threads / lanes) * wide_bytes;
  const std::size_t resting = positions * wide_bytes + static_cast<std::size_t>(scratch_values) * value_bytes;
  const std::size_t staged = (positions + 1) * static_cast<std::size_t>(staged_slots) * value_bytes;
  return sums + std::max(resting, staged);
}
[[nodiscard]] inline std::size_t slice_scratch_bytes(const SliceLayout& layout, std::size_t value_bytes, std::size_t wide_bytes) {
  return slice_scratch_bytes(layout.shape, layout.staged_slots, layout.scratch_values(), layout.lanes, value_bytes, wide_bytes);
}

/// Solves one system a team, with vectors in registers and the matrix in a slice layout. On an H100, in f64, without a
/// preconditioner, to 1e-6: 2^17 3-point stencils of 512, 1024 and 2048 rows take 5.5, 11.7 and 28.9 ms by CG, 7.3, 16.1 and 36.9
/// ms by BiCGSTAB; 2^15 systems of 128, 512 and 1024 rows of 3 to 30 random entries 1.8, 8.9 and 21 ms by CG, in the general
/// kernel 7.3, 27.8 and 61.5 ms.
template <class T, class Method, template <class> class Preconditioner, int Rows, int Slots, bool Tails>
struct SliceKernel {
  static constexpr int team_size = exec::sized_by_launch;
  using Scratch = exec::DynamicScratch;
  using Context = SliceContext<T, Rows, Slots, Tails>;
  SliceJob<T> job;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const index_t number = team.league_rank();
    T* const sums = reinterpret_cast<T*>(scratch.data);
    T* const operand = sums + TeamSums<T>::scratch_values(team.size() / exec::subgroup_size);
    Context context(team, job.tables, job.matrix.values + job.matrix.set_of(number) * job.matrix.entries, sums, operand,
                    job.rhs + number * job.matrix.rows, job.x + number * job.matrix.rows);
    context.rows().team_load(job.matrix.entries, operand, operand + Rows * team.size());
    team.barrier();
    Preconditioner<Context> preconditioner(context);
    const Outcome<T> outcome = team_solve_system<Method>(context, preconditioner, job.stop, job.tolerance_of(number), true);
    if (team.rank() == 0) {
      job.reports[number] = {static_cast<double>(outcome.residual_norm), static_cast<double>(outcome.rhs_norm),
                             outcome.iterations, static_cast<Status>(outcome.status)};
    }
  }
};

}  // namespace phpc::batch
