#pragma once
#include "batch/solver/cycle.hpp"

namespace phpc::batch {

/// Preconditioned BiCGSTAB (van der Vorst 1992; Barrett et al., Templates, figure 2.10) for any non-singular A, with two
/// reductions a step: the norm and the product with the shadow of the new residual follow from those of s and t, but for a norm
/// that is near the target or that cancels, which is summed.
struct BiCgStab {
  static constexpr int vectors = 4;

  template <class Space, class Preconditioner>
  [[nodiscard, gnu::always_inline]] static CycleResult<typename Space::Value> cycle(
      Space& space, Preconditioner& preconditioner, typename Space::Vector& r, typename Space::Vector& d,
      typename Space::Value target, CountOf<typename Space::Value> cap, MaskOf<typename Space::Value> active) {
    using Value = typename Space::Value;
    using Mask = MaskOf<Value>;
    using Scalar = ScalarOf<Value>;
    constexpr Scalar epsilon = orthogonality_limit<Scalar>;
    typename Space::Vector p = space.vector(first_vector);
    typename Space::Vector v = space.vector(first_vector + 1);
    typename Space::Vector t = space.vector(first_vector + 2);
    typename Space::Vector shadow = space.vector(first_vector + 3);
    CycleResult<Value> result;
    const Value target_squared = target * target;

    // r^ = p = r;  rho = r^.r
    Value rho{};
    for (const int i : space.own()) {
      p[i] = r[i];
      shadow[i] = r[i];
      rho += r[i] * r[i];
    }
    space.sum(rho);

    for (;;) {
      result.finish(active, result.iterations >= cap, CycleEnd::iteration_cap);
      if (!space.any(active)) {
        return result;
      }
      // p^ = M^-1 p;  v = A p^;  alpha = rho / r^.v
      const typename Space::Vector& p_hat = preconditioner.apply(space, p);
      space.multiply(p_hat, v);
      Value denominator{};
      for (const int i : space.own()) {
        denominator += shadow[i] * v[i];
      }
      space.sum(denominator);
      const Value alpha = rho / denominator;
      result.finish(active, complement(finite(alpha)), CycleEnd::breakdown);
      if (!space.any(active)) {
        return result;
      }
      // s = r - alpha v;  d += alpha p^
      for (const int i : space.own()) {
        d[i] = select<Mask, Value>(active, d[i] + alpha * p_hat[i], d[i]);
        r[i] -= alpha * v[i];
      }
      add_one(result.iterations, active);
      // s^ = M^-1 s;  t = A s^
      const typename Space::Vector& s_hat = preconditioner.apply(space, r);
      space.multiply(s_hat, t);
      Value s_s{};
      Value t_s{};
      Value t_t{};
      Value shadow_s{};
      Value shadow_t{};
      for (const int i : space.own()) {
        s_s += r[i] * r[i];
        t_s += t[i] * r[i];
        t_t += t[i] * t[i];
        shadow_s += shadow[i] * r[i];
        shadow_t += shadow[i] * t[i];
      }
      space.sum(s_s, t_s, t_t, shadow_s, shadow_t);
      result.finish(active, s_s <= target_squared, CycleEnd::converged);
      result.finish(active, complement(finite(s_s)), CycleEnd::not_finite);
      // omega = t.s / t.t
      const Value omega = t_s / t_t;
      result.finish(active, complement(finite(omega)), CycleEnd::breakdown);
      result.finish(active, absolute(t_s) <= epsilon * (square_root(s_s) * square_root(t_t)), CycleEnd::breakdown);
      if (!space.any(active)) {
        return result;
      }
      // d += omega s^;  r = s - omega t;  r.r and r^.r
      for (const int i : space.own()) {
        d[i] = select<Mask, Value>(active, d[i] + omega * s_hat[i], d[i]);
        r[i] -= omega * t[i];
      }
      Value squared = s_s - omega * t_s;
      const Value next = shadow_s - omega * shadow_t;
      if (space.any(both(active, either(squared <= Scalar{4} * target_squared, squared <= Scalar{0.01F} * s_s)))) {
        Value exact{};
        for (const int i : space.own()) {
          exact += r[i] * r[i];
        }
        space.sum(exact);
        squared = exact;
      }
      result.finish(active, squared <= target_squared, CycleEnd::converged);
      result.finish(active, complement(finite(squared)), CycleEnd::not_finite);
      // beta = (rho' / rho) (alpha / omega);  p = r + beta (p - omega v)
      const Value beta = (next / rho) * (alpha / omega);
      rho = next;
      constexpr Scalar limit = growth_limit<Scalar>;
      result.finish(active, complement(finite(beta)), CycleEnd::breakdown);
      result.finish(active, either(rho * rho <= epsilon * epsilon * squared, squared > limit * limit), CycleEnd::breakdown);
      if (!space.any(active)) {
        return result;
      }
      for (const int i : space.own()) {
        p[i] = r[i] + beta * (p[i] - omega * v[i]);
      }
    }
  }
};

}  // namespace phpc::batch
