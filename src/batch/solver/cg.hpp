#pragma once
#include "batch/csr_system.hpp"
#include "batch/solver/cycle.hpp"

namespace phpc::batch {

/// Preconditioned conjugate gradients (Hestenes and Stiefel 1952; Saad, Iterative Methods, algorithm 9.1) for symmetric definite
/// A. It stops on ||r||, not on the preconditioned norm sqrt(r.z).
struct ConjugateGradients {
  enum Vector : int { p, residual, q, correction, vectors };

  template <class T, int TeamSize, class Preconditioner, class Vectors>
  [[nodiscard, gnu::always_inline]] static CycleResult team_cycle(const exec::Team& team, const CsrSystem<T>& matrix,
                                                                  const Preconditioner& preconditioner, const Vectors& vector,
                                                                  Collectives<T, TeamSize>& collectives, T target,
                                                                  std::int32_t cap) {
    const std::int32_t n = matrix.rows;
    T* const direction = vector(p);
    T* const r = vector(residual);
    T* const a_direction = vector(q);
    T* const d = vector(correction);

    // z = M^-1 r;  p = z;  rho = r.z
    const T* z = preconditioner.apply(team, n, r);
    thread_for(team, n, [&](std::int32_t i) { direction[i] = z[i]; });
    T rho = team_sum(team, collectives, n, [&](std::int32_t i) { return r[i] * z[i]; });

    for (std::int32_t iteration = 0; iteration < cap;) {
      // q = A p;  alpha = rho / p.q
      team_multiply(team, matrix, direction, a_direction);
      const T curvature = team_sum(team, collectives, n, [&](std::int32_t i) { return direction[i] * a_direction[i]; });
      const T alpha = rho / curvature;
      if (!finite(alpha)) {
        return {CycleEnd::breakdown, iteration};
      }
      // d += alpha p;  r -= alpha q
      thread_for(team, n, [&](std::int32_t i) {
        d[i] += alpha * direction[i];
        r[i] -= alpha * a_direction[i];
      });
      ++iteration;
      // z = M^-1 r;  (r.r, r.z)
      z = preconditioner.apply(team, n, r);
      const SumPair<T> products =
          team_sum_pair(team, collectives, n, [&](std::int32_t i) { return SumPair<T>{r[i] * r[i], r[i] * z[i]}; });
      const T norm = square_root(products.first);
      if (norm <= target) {
        return {CycleEnd::converged, iteration};
      }
      if (!finite(norm)) {
        return {CycleEnd::not_finite, iteration};
      }
      // beta = rho' / rho;  p = z + beta p
      const T beta = products.second / rho;
      rho = products.second;
      if (!finite(beta) || norm > growth_limit<T>) {
        return {CycleEnd::breakdown, iteration};
      }
      thread_for(team, n, [&](std::int32_t i) { direction[i] = z[i] + beta * direction[i]; });
    }
    return {CycleEnd::iteration_cap, cap};
  }
};

}  // namespace phpc::batch
