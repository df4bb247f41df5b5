#pragma once
#include <algorithm>

#include "batch/host/launch.hpp"
#include "batch/math/flush_subnormals.hpp"
#include "batch/math/lane_transpose.hpp"
#include "batch/system/memory_context.hpp"
#include "batch/system/scaling.hpp"
#include "batch/system/solve_job.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::batch {

/// Makes factors that are kept (as KeepKernel of teams) with a set of values in each lane of a pack, on one host thread.
template <class T, class Method>
struct HostKeepKernel {
  static constexpr int team_size = 1;
  using Scratch = exec::DynamicScratch;
  using Value = Pack<T>;
  using Context = MemoryContext<Value, 1>;
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
    typename Context::Reductions unused;
    Context context(team, unused, {job.matrix.rows, job.matrix.entries, job.matrix.row_offsets, job.matrix.columns, values}, {},
                    kept, kept, nullptr, nullptr, job.table);
    if (const ScalingRule& scaling = job.extras->scaling; scaling.kind != ScalingRule::Kind::none) {
      scale_lanes(context, scaling, set_of, {values, factors, factors + job.matrix.rows});
    }
    Method::team_factorise(context);
  }
};

template <class T, class Method>
void launch_keep_lanes(const SolveJob<T>& job) {
  const HostKeepKernel<T, Method> kernel{job};
  exec::launch_on_host(kernel.shape(), kernel);
}

}  // namespace phpc::batch
