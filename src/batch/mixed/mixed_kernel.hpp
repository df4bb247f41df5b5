#pragma once
#include "batch/mixed/mixed_cycle.hpp"
#include "batch/solver/solve_system.hpp"
#include "batch/system/scaling.hpp"
#include "batch/system/solve_job.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::batch {

/// SolveKernel with cycles of float. The placement is of the cycles' vectors, preconditioner and matrix as float; what is double
/// lies in global memory, since it is used once a cycle.
template <class Method, template <class> class Preconditioner, int TeamSize>
struct MixedSolveKernel {
  static constexpr int team_size = TeamSize;
  static constexpr int x86_64_team_size = 1;
  using Scratch = exec::DynamicScratch;
  using Context = MemoryContext<double, TeamSize>;
  using InnerContext = MemoryContext<float, TeamSize>;
  SolveJob<double> job;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const index_t number = team.league_rank();
    const Placement& placement = job.placement;
    const std::int32_t n = job.matrix.rows;
    const index_t set = job.matrix.set_of(number);
    std::byte* const workspace = job.workspace + number * static_cast<index_t>(placement.workspace_bytes);
    std::byte* more = workspace + job.extras->more_workspace;
    const ScalingRule& scaling = job.extras->scaling;
    std::byte* const factors = more;
    if (scaling.kind != ScalingRule::Kind::none) {
      more += scaling_bytes<double>(n, job.matrix.entries, Memory::global);
    }
    auto* const outer_vectors = reinterpret_cast<double*>(more);

    auto& reductions = *reinterpret_cast<typename Context::Reductions*>(scratch.data);
    const CsrSystem<double> matrix{n, job.matrix.entries, job.matrix.row_offsets, job.matrix.columns,
                                   job.matrix.values + set * job.matrix.entries};
    Context context(team, reductions, matrix, {nullptr, outer_vectors, n, 0}, nullptr, nullptr, job.rhs + number * n,
                    job.x + number * n);
    if (scaling.kind != ScalingRule::Kind::none) {
      team_scale(context, scaling, set, factors, static_cast<double*>(nullptr));
    }
    History<1> history{{job.history_of(number)}, {1}, {0}};

    auto* const in_scratch = reinterpret_cast<float*>(scratch.data + placement.collective_bytes);
    auto* const in_global = reinterpret_cast<float*>(workspace);
    float* const scratch_end = in_scratch + placement.vectors_in_scratch * placement.vector_stride;
    float* const global_end =
        in_global + (first_vector + Method::vectors - placement.vectors_in_scratch) * placement.vector_stride;
    float* const values = placement.matrix == Memory::scratch ? scratch_end + placement.preconditioner_stride
                                                              : reinterpret_cast<float*>(outer_vectors + 2 * index_t{n});
    PHPC_EXPECT(
        scratch.reaches(scratch_end + (placement.preconditioner == Memory::scratch ? placement.preconditioner_stride : 0)) &&
        (placement.matrix != Memory::scratch || scratch.reaches(values + matrix.entries)));
    for (std::int32_t entry = team.rank(); entry < matrix.entries; entry += team.size()) {
      values[entry] = static_cast<float>(context.matrix().values[entry]);
    }
    team.barrier();
    float* const preparation = placement.preconditioner == Memory::scratch ? scratch_end : global_end;
    InnerContext inner_context(team, *reinterpret_cast<typename InnerContext::Reductions*>(scratch.data),
                               {n, matrix.entries, matrix.row_offsets, matrix.columns, values},
                               {in_scratch, in_global, placement.vector_stride, placement.vectors_in_scratch}, preparation,
                               preparation + Preconditioner<InnerContext>::workspace_size(n, matrix.entries, job.table), nullptr,
                               nullptr, job.table);
    if (history.norms[0] != nullptr) {
      context.record_in(&history);
      inner_context.record_in(&history);
    }
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
