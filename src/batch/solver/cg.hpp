#pragma once
#include "batch/solver/cycle.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

/// Preconditioned conjugate gradients (Hestenes and Stiefel 1952; Saad, Iterative Methods, algorithm 9.1) for symmetric
/// or Hermitian definite A. It stops on ||r||, not on the preconditioned norm sqrt(r.z). Where the preconditioner may not be
/// symmetric, beta is that of flexible CG (Golub and Ye 1999; Notay 2000).
struct ConjugateGradients {
  static constexpr int vectors = 2;
  static constexpr bool preconditioned = true;
  static constexpr KernelSizes plain_kernels = KernelSizes::all;
  static index_t workspace_size(index_t /*rows*/, const std::int32_t* /*table*/) { return 0; }
  static bool accepts(std::int32_t /*row*/, std::int32_t /*column*/) { return true; }

  template <class Context, class Preconditioner>
  [[nodiscard, gnu::always_inline]] static CycleResult<typename Context::Value> team_cycle(
      Context& context, Preconditioner& preconditioner, typename Context::Vector& r, typename Context::Vector& d,
      const CycleTask<typename Context::Value>& task) {
    using Value = typename Context::Value;
    using Real = RealOf<Value>;
    using Mask = MaskOf<Value>;
    using Scalar = ScalarOf<Value>;
    typename Context::Vector p = context.vector(first_vector);
    typename Context::Vector q = context.vector(first_vector + 1);
    CycleResult<Value> result;
    MaskOf<Value> active = task.active;
    const Real target_squared = task.target * task.target;

    // z = M^-1 r;  p = z;  rho = r.z, all products being real
    Real rho{};
    {
      const typename Context::Vector& z = preconditioner.team_apply(context, r);
      for (const int i : context.my_rows()) {
        p[i] = z[i];
        rho += real_inner(r[i], z[i]);
      }
    }
    context.team_sum(rho);
    Real inverse_rho = Scalar{1} / rho;  // early, so that beta does not wait for the division

    for (;;) {
      result.finish(active, result.iterations >= task.cap, CycleEnd::iteration_cap);
      if (!context.any(active)) {
        return result;
      }
      // q = A p;  alpha = rho / p.q
      Real curvature{};
      context.team_multiply(p, q, [&](int i, Value q_i) { curvature += real_inner(p[i], q_i); });
      context.team_sum(curvature);
      const Real alpha = rho / curvature;
      result.finish(active, mask_not(finite(alpha)), CycleEnd::breakdown);
      if (!context.any(active)) {
        return result;
      }
      // d += alpha p;  r -= alpha q;  z = M^-1 r;  (r.r, r.z)
      Real squared{};
      for (const int i : context.my_rows()) {
        d[i] = select<Mask, Value>(active, d[i] + alpha * p[i], d[i]);
        r[i] -= alpha * q[i];
        squared += squared_magnitude(r[i]);
      }
      add_one(result.iterations, active);
      const typename Context::Vector& z = preconditioner.team_apply(context, r);
      Real product{};
      Real along{};  // q.z
      if constexpr (Preconditioner::is_identity) {
        context.team_sum(squared);
        product = squared;
      } else {
        for (const int i : context.my_rows()) {
          product += real_inner(r[i], z[i]);
        }
        if (preconditioner.is_symmetric()) {
          context.team_sum(squared, product);
        } else {
          for (const int i : context.my_rows()) {
            along += real_inner(q[i], z[i]);
          }
          context.team_sum(squared, product, along);
        }
      }
      context.record(result.iterations, active, squared);
      result.finish(active, squared <= target_squared, CycleEnd::converged);
      result.finish(active, mask_not(finite(squared)), CycleEnd::not_finite);
      // beta = rho' / rho, or (r' - r).z / rho;  p = z + beta p
      const Real beta = preconditioner.is_symmetric() ? product * inverse_rho : -(alpha * along) * inverse_rho;
      rho = product;
      inverse_rho = Scalar{1} / rho;
      constexpr Scalar limit = growth_limit<Scalar>;
      result.finish(active, mask_or(mask_not(finite(beta)), squared > limit * limit), CycleEnd::breakdown);
      if (!context.any(active)) {
        return result;
      }
      for (const int i : context.my_rows()) {
        p[i] = z[i] + beta * p[i];
      }
    }
  }
};

}  // namespace phpc::batch
