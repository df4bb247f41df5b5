#pragma once
#include "batch/solver/cycle.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

/// Preconditioned BiCGSTAB (van der Vorst 1992; Barrett et al., Templates, figure 2.10) for any non-singular A, with two
/// reductions a step: the norm of the new residual and its product with the shadow residual follow from sums over s and t; only a
/// norm that is near the target or that cancels is summed.
struct BiCgStab {
  static constexpr int vectors = 4;
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
    constexpr Scalar epsilon = orthogonality_limit<Scalar>;
    typename Context::Vector p = context.vector(first_vector);
    typename Context::Vector v = context.vector(first_vector + 1);
    typename Context::Vector t = context.vector(first_vector + 2);
    typename Context::Vector shadow = context.vector(first_vector + 3);
    CycleResult<Value> result;
    MaskOf<Value> active = task.active;
    const Real target_squared = task.target * task.target;

    // r^ = p = r;  rho = r^.r, products of complex vectors being x.y = x^H y
    Real start{};
    for (const int i : context.my_rows()) {
      p[i] = r[i];
      shadow[i] = r[i];
      start += squared_magnitude(r[i]);
    }
    context.team_sum(start);
    Value rho = from_real<Value>(start);

    for (;;) {
      result.finish(active, result.iterations >= task.cap, CycleEnd::iteration_cap);
      if (!context.any(active)) {
        return result;
      }
      // p^ = M^-1 p;  v = A p^;  alpha = rho / r^.v
      const typename Context::Vector& p_hat = preconditioner.team_apply(context, p);
      Value denominator{};
      context.team_multiply(p_hat, v, [&](int i, Value v_i) { denominator += inner(shadow[i], v_i); });
      context.team_sum(denominator);
      const Value alpha = rho / denominator;
      result.finish(active, mask_not(finite(alpha)), CycleEnd::breakdown);
      if (!context.any(active)) {
        return result;
      }
      // s = r - alpha v;  d += alpha p^
      for (const int i : context.my_rows()) {
        d[i] = select<Mask, Value>(active, d[i] + alpha * p_hat[i], d[i]);
        r[i] -= alpha * v[i];
      }
      add_one(result.iterations, active);
      // s^ = M^-1 s;  t = A s^
      const typename Context::Vector& s_hat = preconditioner.team_apply(context, r);
      Real s_s{};
      Value t_s{};
      Real t_t{};
      Value shadow_s{};
      Value shadow_t{};
      context.team_multiply(s_hat, t, [&](int i, Value t_i) {
        s_s += squared_magnitude(r[i]);
        t_s += inner(t_i, r[i]);
        t_t += squared_magnitude(t_i);
        shadow_s += inner(shadow[i], r[i]);
        shadow_t += inner(shadow[i], t_i);
      });
      context.team_sum(s_s, t_s, t_t, shadow_s, shadow_t);
      context.record(result.iterations, active, s_s);
      result.finish(active, s_s <= target_squared, CycleEnd::converged);
      result.finish(active, mask_not(finite(s_s)), CycleEnd::not_finite);
      // omega = t.s / t.t, and the factor of beta (below) that is known already
      const Value omega = t_s / t_t;
      const Value alpha_ratio = ratio(alpha, rho, t_t, t_s);
      result.finish(active, mask_not(finite(omega)), CycleEnd::breakdown);
      result.finish(active, orthogonal(t_s, s_s, t_t), CycleEnd::breakdown);
      if (!context.any(active)) {
        return result;
      }
      // d += omega s^;  r = s - omega t;  r.r and r^.r
      for (const int i : context.my_rows()) {
        d[i] = select<Mask, Value>(active, d[i] + omega * s_hat[i], d[i]);
        r[i] -= omega * t[i];
      }
      Real squared = s_s - real_inner(omega, t_s);
      const Value next = shadow_s - omega * shadow_t;
      if (context.any(mask_and(active, mask_or(squared <= Scalar{4} * target_squared, squared <= Scalar{0.01F} * s_s)))) {
        Real exact{};
        for (const int i : context.my_rows()) {
          exact += squared_magnitude(r[i]);
        }
        context.team_sum(exact);
        squared = exact;
      }
      context.record(result.iterations, active, squared);
      result.finish(active, squared <= target_squared, CycleEnd::converged);
      result.finish(active, mask_not(finite(squared)), CycleEnd::not_finite);
      // beta = (rho' / rho) (alpha / omega);  p = r + beta (p - omega v)
      const Value beta = next * alpha_ratio;
      rho = next;
      constexpr Scalar limit = growth_limit<Scalar>;
      result.finish(active, mask_not(finite(beta)), CycleEnd::breakdown);
      result.finish(active, mask_or(squared_magnitude(rho) <= epsilon * epsilon * squared, squared > limit * limit),
                    CycleEnd::breakdown);
      if (!context.any(active)) {
        return result;
      }
      for (const int i : context.my_rows()) {
        p[i] = r[i] + beta * (p[i] - omega * v[i]);
      }
    }
  }

 private:
  /// Whether a.b is only rounding error, given a.b, a.a and b.b.
  template <class Value>
  [[nodiscard, gnu::always_inline]] static MaskOf<Value> orthogonal(Value a_b, RealOf<Value> a_a, RealOf<Value> b_b) {
    constexpr ScalarOf<Value> epsilon = orthogonality_limit<ScalarOf<Value>>;
    if constexpr (sizeof(ScalarOf<Value>) == sizeof(double)) {
      return squared_magnitude(a_b) <= epsilon * epsilon * (a_a * b_b);
    }
    return absolute(a_b) <= epsilon * (square_root(a_a) * square_root(b_b));  // products of four leave the range of float
  }

  /// (alpha / rho) (t_t / t_s), by one division where the products stay in range.
  template <class Value>
  [[nodiscard, gnu::always_inline]] static Value ratio(Value alpha, Value rho, RealOf<Value> t_t, Value t_s) {
    if constexpr (sizeof(ScalarOf<Value>) == sizeof(double)) {
      return (alpha * t_t) / (rho * t_s);
    }
    return (alpha / rho) * (from_real<Value>(t_t) / t_s);
  }
};

}  // namespace phpc::batch
