#pragma once
#include "batch/system/memory_context.hpp"
#include "batch/system/scaling.hpp"
#include "batch/system/solve_job.hpp"
#include "batch/teams/launch.hpp"
#include "batch/teams/team_sizes.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::batch {

/// Makes factors that are kept, those of a method or of a preconditioner, of one set of values a team: in scratch where there is
/// room, as the placement's preconditioner says. It does what a solve does before its first cycle, so that a solve with kept
/// factors gives the bytes of one that makes its own.
template <class T, class Method, int TeamSize>
struct KeepKernel {
  static constexpr int team_size = TeamSize;
  static constexpr int x86_64_team_size = 1;
  using Scratch = exec::DynamicScratch;
  using Context = MemoryContext<T, TeamSize>;
  SolveJob<T> job;  ///< of as many systems as there are sets; its workspace is for scaling

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const index_t set = team.league_rank();
    const Placement& placement = job.placement;
    const index_t size = job.extras->factor_stride;
    T* const kept = job.template factors_at<T>(set);
    const bool staged = placement.preconditioner == Memory::scratch;
    T* const place = staged ? reinterpret_cast<T*>(scratch.data + placement.collective_bytes) : kept;
    PHPC_EXPECT(!staged || scratch.reaches(place + size));
    const CsrSystem<T> matrix{job.matrix.rows, job.matrix.entries, job.matrix.row_offsets, job.matrix.columns,
                              job.matrix.values + set * job.matrix.entries};
    Context context(team, *reinterpret_cast<typename Context::Reductions*>(scratch.data), matrix, {}, place, place, nullptr,
                    nullptr, job.table);
    if (const ScalingRule& scaling = job.extras->scaling; scaling.kind != ScalingRule::Kind::none) {
      team_scale(context, scaling, set, job.workspace + set * static_cast<index_t>(placement.workspace_bytes),
                 static_cast<T*>(nullptr));
    }
    Method::team_factorise(context);
    context.barrier();
    if (staged) {
      for (index_t i = team.rank(); i < size; i += team.size()) {
        kept[i] = place[i];
      }
    }
  }
};

template <class T, class Method>
void launch_keep_teams(exec::Device device, const SolveJob<T>& job) {
  exec::launch(device, {.groups = job.matrix.value_sets, .scratch_bytes = job.placement.scratch_bytes},
               KeepKernel<T, Method, general_team_size>{job});
}

}  // namespace phpc::batch
