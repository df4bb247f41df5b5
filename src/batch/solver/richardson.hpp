#pragma once
#include "batch/solver/cycle.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

/// Preconditioned Richardson iteration x += M^-1 r (Saad, Iterative Methods, section 4.1), of use with a strong preconditioner or
/// a diagonally dominant matrix.
struct Richardson {
  static constexpr int vectors = 1;
  static constexpr bool preconditioned = true;
  static constexpr KernelSizes plain_kernels = KernelSizes::none;
  static index_t workspace_size(index_t /*rows*/, const std::int32_t* /*table*/) { return 0; }
  static bool accepts(std::int32_t /*row*/, std::int32_t /*column*/) { return true; }

  template <class Context, class Preconditioner>
  [[nodiscard, gnu::always_inline]] static CycleResult<typename Context::Value> team_cycle(
      Context& context, Preconditioner& preconditioner, typename Context::Vector& r, typename Context::Vector& d,
      const CycleTask<typename Context::Value>& task) {
    using Value = typename Context::Value;
    using Scalar = ScalarOf<Value>;
    typename Context::Vector a_z = context.vector(first_vector);
    MaskOf<Value> active = task.active;
    CycleResult<Value> result;
    for (;;) {
      result.finish(active, result.iterations >= task.cap, CycleEnd::iteration_cap);
      if (!context.any(active)) {
        return result;
      }
      // z = M^-1 r;  d += z;  r -= A z
      const typename Context::Vector& z = preconditioner.team_apply(context, r);
      context.team_multiply(z, a_z, [](int, Value) {});
      RealOf<Value> squared{};
      for (const int i : context.my_rows()) {
        d[i] = select<MaskOf<Value>, Value>(active, d[i] + z[i], d[i]);
        r[i] -= a_z[i];
        squared += squared_magnitude(r[i]);
      }
      context.team_sum(squared);
      add_one(result.iterations, active);
      context.record(result.iterations, active, squared);
      constexpr Scalar limit = growth_limit<Scalar>;
      result.finish(active, squared <= task.target * task.target, CycleEnd::converged);
      result.finish(active, mask_not(finite(squared)), CycleEnd::not_finite);
      result.finish(active, squared > limit * limit, CycleEnd::breakdown);
    }
  }
};

}  // namespace phpc::batch
