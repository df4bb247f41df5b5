#pragma once
#include "batch/solver/cycle.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

/// Preconditioned conjugate gradients (Hestenes and Stiefel 1952; Saad, Iterative Methods, algorithm 9.1) for symmetric definite
/// A, or Hermitian definite. It stops on ||r||, not on the preconditioned norm sqrt(r.z). With a preconditioner that may not be
/// symmetric, beta is that of the flexible method (Golub and Ye 1999; Notay 2000).
struct ConjugateGradients {
  static constexpr int vectors = 2;
  static constexpr bool preconditioned = true;
  static constexpr KernelSizes plain_kernels = KernelSizes::all;
  static index_t need(index_t /*rows*/, const std::int32_t* /*table*/) { return 0; }
  static bool accepts(std::int32_t /*row*/, std::int32_t /*column*/) { return true; }

  template <class Space, class Preconditioner>
  [[nodiscard, gnu::always_inline]] static CycleResult<typename Space::Value> cycle(
      Space& space, Preconditioner& preconditioner, typename Space::Vector& r, typename Space::Vector& d,
      const CycleTask<typename Space::Value>& task) {
    using Value = typename Space::Value;
    using Real = RealOf<Value>;
    using Mask = MaskOf<Value>;
    using Scalar = ScalarOf<Value>;
    typename Space::Vector p = space.vector(first_vector);
    typename Space::Vector q = space.vector(first_vector + 1);
    CycleResult<Value> result;
    MaskOf<Value> active = task.active;
    const Real target_squared = task.target * task.target;

    // z = M^-1 r;  p = z;  rho = r.z, all products being real
    Real rho{};
    {
      const typename Space::Vector& z = preconditioner.apply(space, r);
      for (const int i : space.own()) {
        p[i] = z[i];
        rho += real_inner(r[i], z[i]);
      }
    }
    space.sum(rho);
    Real inverse_rho = Scalar{1} / rho;  // before it is waited for

    for (;;) {
      result.finish(active, result.iterations >= task.cap, CycleEnd::iteration_cap);
      if (!space.any(active)) {
        return result;
      }
      // q = A p;  alpha = rho / p.q
      Real curvature{};
      space.multiply(p, q, [&](int i, Value q_i) { curvature += real_inner(p[i], q_i); });
      space.sum(curvature);
      const Real alpha = rho / curvature;
      result.finish(active, complement(finite(alpha)), CycleEnd::breakdown);
      if (!space.any(active)) {
        return result;
      }
      // d += alpha p;  r -= alpha q;  z = M^-1 r;  (r.r, r.z)
      Real squared{};
      for (const int i : space.own()) {
        d[i] = select<Mask, Value>(active, d[i] + alpha * p[i], d[i]);
        r[i] -= alpha * q[i];
        squared += squared_magnitude(r[i]);
      }
      add_one(result.iterations, active);
      const typename Space::Vector& z = preconditioner.apply(space, r);
      Real product{};
      Real along{};  // q.z
      if constexpr (Preconditioner::is_identity) {
        space.sum(squared);
        product = squared;
      } else {
        for (const int i : space.own()) {
          product += real_inner(r[i], z[i]);
        }
        if (preconditioner.is_symmetric()) {
          space.sum(squared, product);
        } else {
          for (const int i : space.own()) {
            along += real_inner(q[i], z[i]);
          }
          space.sum(squared, product, along);
        }
      }
      space.record(result.iterations, active, squared);
      result.finish(active, squared <= target_squared, CycleEnd::converged);
      result.finish(active, complement(finite(squared)), CycleEnd::not_finite);
      // beta = rho' / rho, or (r' - r).z / rho;  p = z + beta p
      const Real beta = preconditioner.is_symmetric() ? product * inverse_rho : -(alpha * along) * inverse_rho;
      rho = product;
      inverse_rho = Scalar{1} / rho;
      constexpr Scalar limit = growth_limit<Scalar>;
      result.finish(active, either(complement(finite(beta)), squared > limit * limit), CycleEnd::breakdown);
      if (!space.any(active)) {
        return result;
      }
      for (const int i : space.own()) {
        p[i] = z[i] + beta * p[i];
      }
    }
  }
};

}  // namespace phpc::batch
