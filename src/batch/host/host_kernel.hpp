#pragma once
#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "batch/math/flush_subnormals.hpp"
#include "batch/math/lane_transpose.hpp"
#include "batch/solver/solve_system.hpp"
#include "batch/system/memory_context.hpp"
#include "batch/system/scaling.hpp"
#include "batch/system/solve_job.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::batch {

/// Solves a system in each lane of a pack, on one host thread; the same methods and preconditioners as SolveKernel's.
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

  /// Packs of scratch: vectors, preparation, the method's work, matrix, b and x.
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
  /// Kept factors are read where they are if the lanes' systems have those of neighbouring sets, as most batches do; else what
  /// each lane needs is put together in scratch, in the place of factors that are made here.
  [[nodiscard]] Value* factors_of(const index_t (&set_of)[lanes], int used, Value* scratch, index_t own) const {
    if (job.template factors_at<Value>(0) == nullptr) {
      return nullptr;
    }
    bool neighbours = set_of[0] % lanes == 0;
    bool same = true;
    for (int lane = 1; lane < used; ++lane) {
      neighbours = neighbours && set_of[lane] == set_of[0] + lane;
      same = same && set_of[lane] == set_of[0];
    }
    Value* const first = job.template factors_at<Value>(set_of[0] / lanes);
    if (neighbours) {
      return first + own;
    }
    const index_t size = Preconditioner<Context>::workspace_size(job.matrix.rows, job.matrix.entries, job.table) +
                         (KeepsFactors<Method> ? Method::workspace_size(job.matrix.rows, job.table) : 0);
    // As bits: rows of pivots are among them, which arithmetic of float would flush to zero.
    using Bits = CountOf<Real>;
    using Word = std::conditional_t<sizeof(Scalar) == 8, std::int64_t, std::int32_t>;
    constexpr index_t parts = sizeof(Value) / sizeof(Bits);
    auto* const to = reinterpret_cast<Bits*>(scratch);
    const Word* from[lanes];
    for (int lane = 0; lane < lanes; ++lane) {
      from[lane] = reinterpret_cast<const Word*>(job.template factors_at<Value>(set_of[lane] / lanes)) + set_of[lane] % lanes;
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
    const index_t first = team.league_rank() * lanes;
    const int used = static_cast<int>(std::min<index_t>(lanes, job.matrix.systems - first));
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

    // Lanes without a system repeat the last one, and take no part.
    const T* value_of[lanes];
    const T* rhs_of[lanes];
    const T* guess_of[lanes];
    T* x_of[lanes];
    MaskOf<Value> valid{};
    Real tolerance{};
    index_t set_of[lanes];
    History<lanes> history{};
    for (int lane = 0; lane < lanes; ++lane) {
      const index_t number = first + std::min(lane, used - 1);
      set_of[lane] = job.matrix.set_of(number);
      value_of[lane] = job.matrix.values + set_of[lane] * job.set_values();
      rhs_of[lane] = job.rhs + number * n;
      x_of[lane] = job.x + number * n;
      guess_of[lane] = x_of[lane];
      valid[lane] = lane < used ? -1 : 0;
      tolerance[lane] = static_cast<Scalar>(job.tolerance_of(number));
      history.norms[lane] = job.history_of(number);
    }
    values_to_lanes<T>(job.value_places(), job.conjugates(), value_of, job.set_values(), entries, values);
    systems_to_lanes<T>(nullptr, rhs_of, n, b);
    systems_to_lanes<T>(nullptr, guess_of, n, x);

    typename Context::Reductions unused;
    Value* const kept = factors_of(set_of, used, preparation, Preconditioner<Context>::workspace_size_with_factors(n, job.table));
    Context context(team, unused, {job.matrix.rows, job.matrix.entries, job.matrix.row_offsets, job.matrix.columns, values},
                    {vectors, nullptr, n, first_vector + Method::vectors}, preparation,
                    kept != nullptr ? work_beside_factors : work, b, x, job.table);
    context.take_factors(kept);
    if (const ScalingRule scaling = job.scaling(); scaling.kind != ScalingRule::Kind::none) {
      scale_lanes(context, scaling, set_of, {values, factors, factors + n});
    }
    if (history.norms[0] != nullptr) {
      context.record_in(&history);
    }
    Preconditioner<Context> preconditioner(context);
    const Outcome<Real> outcome = team_solve_system<Method>(context, preconditioner, job.stop, tolerance, valid);
    systems_from_lanes<T>(x, n, used, x_of);
    for (int lane = 0; lane < used; ++lane) {
      job.reports[first + lane] = {static_cast<double>(outcome.residual_norm[lane]), static_cast<double>(outcome.rhs_norm[lane]),
                                   static_cast<std::int32_t>(outcome.iterations[lane]),
                                   static_cast<Status>(outcome.status[lane])};
    }
  }
};

}  // namespace phpc::batch
