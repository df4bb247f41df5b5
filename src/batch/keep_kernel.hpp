#pragma once
#include <algorithm>

#include "batch/dispatch.hpp"
#include "batch/flush_subnormals.hpp"
#include "batch/lane_transpose.hpp"
#include "batch/memory_space.hpp"
#include "batch/precond/any_preconditioner.hpp"
#include "batch/scaling.hpp"
#include "batch/solve_job.hpp"
#include "phpc/exec/launch.hpp"

/// Kernels that make factors to be kept: those of a method, or a preconditioner's. Of a solve with them, nothing but the
/// factorisation is left out, so that its bytes are those of a solve that makes its own.
namespace phpc::batch {

/// What stands for a method where a preconditioner's factors are kept.
struct KeptPreconditioner {
  template <class Space>
  [[gnu::always_inline]] static void factorise(Space& space) {
    static_cast<void>(AnyPreconditioner<Space>(space));
  }
};

/// Factorises one set of values a team: in scratch where there is room, as the placement's preconditioner says.
template <class T, class Method, int TeamSize>
struct KeepKernel {
  static constexpr int team_size = TeamSize;
  static constexpr int x86_64_team_size = 1;
  using Scratch = exec::DynamicScratch;
  using Space = MemorySpace<T, TeamSize>;
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
    Space space(team, *reinterpret_cast<typename Space::Reductions*>(scratch.data), matrix, {}, place, place, nullptr, nullptr,
                job.table);
    if (const ScalingRule& scaling = job.extras->scaling; scaling.kind != ScalingRule::Kind::none) {
      scale_in_team(space, scaling, set, job.workspace + set * static_cast<index_t>(placement.workspace_bytes),
                    static_cast<T*>(nullptr));
    }
    Method::factorise(space);
    space.barrier();
    if (staged) {
      for (index_t i = team.rank(); i < size; i += team.size()) {
        kept[i] = place[i];
      }
    }
  }
};

/// The same with a set in each lane of a pack, on one host thread.
template <class T, class Method>
struct HostKeepKernel {
  static constexpr int team_size = 1;
  using Scratch = exec::DynamicScratch;
  using Value = Pack<T>;
  using Space = MemorySpace<Value, 1>;
  static constexpr int lanes = batch::lanes<Value>;
  SolveJob<T> job;

  [[nodiscard]] exec::LaunchShape shape() const {
    const index_t rows = job.matrix.rows;
    return {.groups = (job.matrix.value_sets + lanes - 1) / lanes,
            .scratch_bytes = static_cast<std::size_t>(job.matrix.entries + 2 * rows) * sizeof(Value)};
  }

  void operator()(const exec::Team& team, Scratch& scratch) const {
    [[maybe_unused]] const FlushSubnormals<T> flush;
    const index_t entries = job.matrix.entries;
    auto* const values = reinterpret_cast<Value*>(scratch.data);
    auto* const factors = reinterpret_cast<RealOf<Value>*>(values + entries);
    PHPC_EXPECT(scratch.reaches(factors + 2 * job.matrix.rows));
    const T* value_of[lanes];
    index_t set_of[lanes];
    for (int lane = 0; lane < lanes; ++lane) {
      set_of[lane] = std::min(team.league_rank() * lanes + lane, job.matrix.value_sets - 1);
      value_of[lane] = job.matrix.values + set_of[lane] * job.set_values();
    }
    values_to_lanes<T>(job.value_places(), job.conjugates(), value_of, job.set_values(), entries, values);
    Value* const kept = job.template factors_at<Value>(team.league_rank());
    typename Space::Reductions unused;
    Space space(team, unused, {job.matrix.rows, job.matrix.entries, job.matrix.row_offsets, job.matrix.columns, values}, {}, kept,
                kept, nullptr, nullptr, job.table);
    if (const ScalingRule& scaling = job.extras->scaling; scaling.kind != ScalingRule::Kind::none) {
      scale_lanes(space, scaling, set_of, {values, factors, factors + job.matrix.rows});
    }
    Method::factorise(space);
  }
};

template <class T, class Method>
void launch_keep_lanes(const SolveJob<T>& job) {
  const HostKeepKernel<T, Method> kernel{job};
  exec::launch_on_host(kernel.shape(), kernel);
}

template <class T, class Method>
void launch_keep_teams(exec::Device device, const SolveJob<T>& job) {
  exec::launch(device, {.groups = job.matrix.value_sets, .scratch_bytes = job.placement.scratch_bytes},
               KeepKernel<T, Method, general_team_size>{job});
}

}  // namespace phpc::batch
