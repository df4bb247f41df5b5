#pragma once
#include "batch/csr_system.hpp"
#include "batch/solver/cycle.hpp"

namespace phpc::batch {

/// Preconditioned BiCGSTAB (van der Vorst 1992; Barrett et al., Templates, figure 2.10) for any non-singular A.
struct BiCgStab {
  enum Vector : int { residual, p, v, t, shadow, correction, vectors };

  template <class T, int TeamSize, class Preconditioner, class Vectors>
  [[nodiscard, gnu::always_inline]] static CycleResult team_cycle(const exec::Team& team, const CsrSystem<T>& matrix,
                                                                  const Preconditioner& preconditioner, const Vectors& vector,
                                                                  Collectives<T, TeamSize>& collectives, T target,
                                                                  std::int32_t cap) {
    const std::int32_t n = matrix.rows;
    T* const r = vector(residual);  // s as well, between the two halves of a step
    T* const direction = vector(p);
    T* const a_direction = vector(v);
    T* const a_s = vector(t);
    T* const r_shadow = vector(shadow);
    T* const d = vector(correction);

    // r^ = p = r;  rho = r^.r
    thread_for(team, n, [&](std::int32_t i) {
      direction[i] = r[i];
      r_shadow[i] = r[i];
    });
    T rho = team_sum(team, collectives, n, [&](std::int32_t i) { return r[i] * r[i]; });

    for (std::int32_t iteration = 0; iteration < cap;) {
      // p^ = M^-1 p;  v = A p^;  alpha = rho / r^.v
      const T* const p_hat = preconditioner.apply(team, n, direction);
      team_multiply(team, matrix, p_hat, a_direction);
      const T denominator = team_sum(team, collectives, n, [&](std::int32_t i) { return r_shadow[i] * a_direction[i]; });
      const T alpha = rho / denominator;
      if (!finite(alpha)) {
        return {CycleEnd::breakdown, iteration};
      }
      // s = r - alpha v;  d += alpha p^
      const T s_squared = team_sum(team, collectives, n, [&](std::int32_t i) {
        r[i] -= alpha * a_direction[i];
        d[i] += alpha * p_hat[i];
        return r[i] * r[i];
      });
      ++iteration;
      const T s_norm = square_root(s_squared);
      if (s_norm <= target) {
        return {CycleEnd::converged, iteration};
      }
      if (!finite(s_norm)) {
        return {CycleEnd::not_finite, iteration};
      }
      // s^ = M^-1 s;  t = A s^;  omega = t.s / t.t
      const T* const s_hat = preconditioner.apply(team, n, r);
      team_multiply(team, matrix, s_hat, a_s);
      const SumPair<T> products =
          team_sum_pair(team, collectives, n, [&](std::int32_t i) { return SumPair<T>{a_s[i] * r[i], a_s[i] * a_s[i]}; });
      const T omega = products.first / products.second;
      if (!finite(omega) || absolute(products.first) <= orthogonality_limit<T> * s_norm * square_root(products.second)) {
        return {CycleEnd::breakdown, iteration};
      }
      // d += omega s^;  r = s - omega t;  (r.r, r^.r)
      const SumPair<T> next = team_sum_pair(team, collectives, n, [&](std::int32_t i) {
        d[i] += omega * s_hat[i];
        r[i] -= omega * a_s[i];
        return SumPair<T>{r[i] * r[i], r_shadow[i] * r[i]};
      });
      const T norm = square_root(next.first);
      if (norm <= target) {
        return {CycleEnd::converged, iteration};
      }
      if (!finite(norm)) {
        return {CycleEnd::not_finite, iteration};
      }
      // beta = (rho' / rho) (alpha / omega);  p = r + beta (p - omega v)
      const T beta = (next.second / rho) * (alpha / omega);
      rho = next.second;
      if (!finite(beta) || absolute(rho) <= orthogonality_limit<T> * norm || norm > growth_limit<T>) {
        return {CycleEnd::breakdown, iteration};
      }
      thread_for(team, n, [&](std::int32_t i) { direction[i] = r[i] + beta * (direction[i] - omega * a_direction[i]); });
    }
    return {CycleEnd::iteration_cap, cap};
  }
};

}  // namespace phpc::batch
