#pragma once
#include "batch/host/lane_systems.hpp"
#include "batch/math/lane_transpose.hpp"
#include "batch/mixed/mixed_cycle.hpp"
#include "batch/solver/solve_system.hpp"
#include "batch/system/scaling.hpp"
#include "batch/system/solve_job.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::batch {

/// HostKernel with cycles of float: solves as many systems at a time as a pack has floats; their doubles take wide packs.
template <class Method, template <class> class Preconditioner>
struct MixedHostKernel {
  static constexpr int team_size = 1;
  using Scratch = exec::DynamicScratch;
  using Value = WidePack<double>;
  using Low = Pack<float>;
  using Context = MemoryContext<Value, 1>;
  using InnerContext = MemoryContext<Low, 1>;
  static constexpr int lanes = batch::lanes<Value>;
  SolveJob<double> job;

  /// Wide packs of scratch: for r and d, matrix, b, x, and the factors of scaling.
  [[nodiscard]] index_t wide_packs() const {
    const index_t rows = job.matrix.rows;
    return 4 * rows + job.matrix.entries + (job.scaling().kind == ScalingRule::Kind::none ? 0 : 2 * rows);
  }
  /// Packs of scratch: for vectors, the preconditioner, the method's work and the matrix.
  [[nodiscard]] index_t low_packs() const {
    const index_t rows = job.matrix.rows;
    const index_t entries = job.matrix.entries;
    return (first_vector + Method::vectors) * rows + Preconditioner<InnerContext>::workspace_size(rows, entries, job.table) +
           Method::workspace_size(rows, job.table) + entries;
  }
  [[nodiscard]] exec::LaunchShape shape() const {
    return {.groups = (job.matrix.systems + lanes - 1) / lanes,
            .scratch_bytes =
                static_cast<std::size_t>(wide_packs()) * sizeof(Value) + static_cast<std::size_t>(low_packs()) * sizeof(Low)};
  }

  void operator()(const exec::Team& team, Scratch& scratch) const {
    const index_t n = job.matrix.rows;
    const index_t entries = job.matrix.entries;
    auto* const outer_vectors = reinterpret_cast<Value*>(scratch.data);
    Value* const values = outer_vectors + 2 * n;
    Value* const b = values + entries;
    Value* const x = b + n;
    Value* const factors = x + n;
    auto* const inner_vectors = reinterpret_cast<Low*>(outer_vectors + wide_packs());
    Low* const preparation = inner_vectors + (first_vector + Method::vectors) * n;
    Low* const work = preparation + Preconditioner<InnerContext>::workspace_size(n, entries, job.table);
    Low* const low_values = work + Method::workspace_size(n, job.table);
    PHPC_EXPECT(scratch.reaches(low_values + entries));

    LaneSystems<double, lanes> systems(job, team.league_rank());
    to_wide_lanes_at<double>(job.value_places(), systems.values, job.set_values(), values);
    to_wide_lanes<double>(systems.rhs, n, b);
    to_wide_lanes<double>(systems.x, n, x);

    typename Context::Reductions unused;
    Context context(team, unused, {job.matrix.rows, job.matrix.entries, job.matrix.row_offsets, job.matrix.columns, values},
                    {nullptr, outer_vectors, n, 0}, nullptr, nullptr, b, x);
    if (const ScalingRule scaling = job.scaling(); scaling.kind != ScalingRule::Kind::none) {
      scale_lanes(context, scaling, systems.set_of, {values, factors, factors + n});
    }
    for (index_t entry = 0; entry < entries; ++entry) {
      low_values[entry] = lanes_as<Low>(values[entry]);
    }
    typename InnerContext::Reductions unused_too;
    InnerContext inner_context(team, unused_too,
                               {job.matrix.rows, job.matrix.entries, job.matrix.row_offsets, job.matrix.columns, low_values},
                               {nullptr, inner_vectors, n, 0}, preparation, work, nullptr, nullptr, job.table);
    if (systems.has_history()) {
      context.record_in(&systems.history);
      inner_context.record_in(&systems.history);
    }
    Preconditioner<InnerContext> preconditioner(inner_context);
    InnerSystem<InnerContext, Preconditioner<InnerContext>> inner{inner_context, preconditioner};
    const Outcome<Value> outcome = team_solve_system<MixedCycle<Method>>(
        context, inner, job.stop, systems.template tolerances<Value>(job), systems.template valid<Value>());
    from_wide_lanes<double>(x, n, systems.used, systems.x);
    systems.report(job, outcome);
  }
};

}  // namespace phpc::batch
