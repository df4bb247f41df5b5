#pragma once
#include <cstdint>
#include <type_traits>

#include "batch/host/lane_systems.hpp"
#include "batch/math/flush_subnormals.hpp"
#include "batch/math/lane_transpose.hpp"
#include "batch/solver/solve_system.hpp"
#include "batch/system/memory_context.hpp"
#include "batch/system/scaling.hpp"
#include "batch/system/solve_job.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::batch {

/// Solves a system in each lane of a pack, on one host thread, by the same methods and preconditioners as SolveKernel.
template <class T, class Method, template <class> class Preconditioner>
struct HostKernel {
  static constexpr int team_size = 1;
  using Scratch = exec::DynamicScratch;
  using Value = Pack<T>;
  using Real = RealOf<Value>;
  using Scalar = ScalarOf<Value>;
  using Context = MemoryContext<Value, 1>;
  static constexpr int lanes = batch::lanes<Value>;
  SolveJob<T> job;

  /// Packs of scratch: for vectors, the preconditioner, the method's work, matrix, b and x.
  [[nodiscard]] index_t packs(index_t rows, index_t entries) const {
    return (first_vector + Method::vectors + 2) * rows + Preconditioner<Context>::workspace_size(rows, entries, job.table) +
           Method::workspace_size(rows, job.table) + work_with_factors(rows) + entries;
  }
  [[nodiscard]] index_t work_with_factors(index_t rows) const {
    if constexpr (KeepsFactors<Method>) {
      return Method::workspace_size_with_factors(rows, job.table);
    }
    return 0;
  }
  /// The kept factors of the lanes' systems, from value `own` of each lane on; null where the job keeps none. They are read where
  /// they are if the lanes have neighbouring sets of values, from a whole pack on, as in most batches; otherwise each lane's are
  /// gathered in `scratch`, where factors made here would lie.
  [[nodiscard]] Value* factors_of(const LaneSystems<T, lanes>& systems, Value* scratch, index_t own) const {
    if (job.template factors_at<Value>(0) == nullptr) {
      return nullptr;
    }
    bool neighbours = systems.set_of[0] % lanes == 0;
    bool same = true;
    for (int lane = 1; lane < systems.used; ++lane) {
      neighbours = neighbours && systems.set_of[lane] == systems.set_of[0] + lane;
      same = same && systems.set_of[lane] == systems.set_of[0];
    }
    Value* const first = job.template factors_at<Value>(systems.set_of[0] / lanes);
    if (neighbours) {
      return first + own;
    }
    const index_t size = Preconditioner<Context>::workspace_size(job.matrix.rows, job.matrix.entries, job.table) +
                         (KeepsFactors<Method> ? Method::workspace_size(job.matrix.rows, job.table) : 0);
    // As bits: the pivots' row numbers are among them, which would be flushed to zero as floats.
    using Bits = CountOf<Real>;
    using Word = std::conditional_t<sizeof(Scalar) == 8, std::int64_t, std::int32_t>;
    constexpr index_t parts = sizeof(Value) / sizeof(Bits);
    auto* const to = reinterpret_cast<Bits*>(scratch);
    const Word* from[lanes];
    for (int lane = 0; lane < lanes; ++lane) {
      from[lane] = reinterpret_cast<const Word*>(job.template factors_at<Value>(systems.set_of[lane] / lanes)) +
                   systems.set_of[lane] % lanes;
    }
    for (index_t i = own * parts; i < size * parts; ++i) {
      if (same) {
        to[i] = Bits{} + from[0][i * lanes];
      } else {
        Bits gathered{};
        for (int lane = 0; lane < lanes; ++lane) {
          gathered[lane] = from[lane][i * lanes];
        }
        to[i] = gathered;
      }
    }
    return scratch + own;
  }
  [[nodiscard]] exec::LaunchShape shape() const {
    const index_t factors = job.scaling().kind == ScalingRule::Kind::none ? 0 : 2 * index_t{job.matrix.rows};
    return {.groups = (job.matrix.systems + lanes - 1) / lanes,
            .scratch_bytes = static_cast<std::size_t>(packs(job.matrix.rows, job.matrix.entries) + factors) * sizeof(Value)};
  }

  void operator()(const exec::Team& team, Scratch& scratch) const {
    [[maybe_unused]] const FlushSubnormals<T> flush;
    const index_t n = job.matrix.rows;
    const index_t entries = job.matrix.entries;
    auto* const vectors = reinterpret_cast<Value*>(scratch.data);
    Value* const preparation = vectors + (first_vector + Method::vectors) * n;
    Value* const work = preparation + Preconditioner<Context>::workspace_size(n, entries, job.table);
    Value* const work_beside_factors = work + (KeepsFactors<Method> ? Method::workspace_size(n, job.table) : 0);
    Value* const values = work + Method::workspace_size(n, job.table) + work_with_factors(n);
    Value* const b = values + entries;
    Value* const x = b + n;
    auto* const factors = reinterpret_cast<Real*>(x + n);
    PHPC_EXPECT(scratch.reaches(factors + (job.scaling().kind == ScalingRule::Kind::none ? 0 : 2 * n)));

    LaneSystems<T, lanes> systems(job, team.league_rank());
    values_to_lanes<T>(job.value_places(), job.conjugates(), systems.values, job.set_values(), entries, values);
    systems_to_lanes<T>(nullptr, systems.rhs, n, b);
    systems_to_lanes<T>(nullptr, systems.x, n, x);

    typename Context::Reductions unused;
    Value* const kept = factors_of(systems, preparation, Preconditioner<Context>::workspace_size_with_factors(n, job.table));
    Context context(team, unused, {job.matrix.rows, job.matrix.entries, job.matrix.row_offsets, job.matrix.columns, values},
                    {vectors, nullptr, n, first_vector + Method::vectors}, preparation,
                    kept != nullptr ? work_beside_factors : work, b, x, job.table);
    context.take_factors(kept);
    if (const ScalingRule scaling = job.scaling(); scaling.kind != ScalingRule::Kind::none) {
      scale_lanes(context, scaling, systems.set_of, {values, factors, factors + n});
    }
    if (systems.has_history()) {
      context.record_in(&systems.history);
    }
    Preconditioner<Context> preconditioner(context);
    const Outcome<Real> outcome = team_solve_system<Method>(
        context, preconditioner, job.stop, systems.template tolerances<Real>(job), systems.template valid<Value>());
    systems_from_lanes<T>(x, n, systems.used, systems.x);
    systems.report(job, outcome);
  }
};

}  // namespace phpc::batch
