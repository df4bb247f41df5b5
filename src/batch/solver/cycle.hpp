#pragma once
#include <cstdint>
#include <limits>

namespace phpc::batch {

/// Why a cycle of a Krylov method ended.
enum class CycleEnd : std::int32_t { converged, iteration_cap, breakdown, not_finite };

/// One cycle of a method: A d = r is solved from d = 0, where ||r|| = 1, until the method's own (recursive) residual is at most
/// `target`, `cap` iterations are done, or it cannot go on. The caller scales, adds d to x, recomputes the true residual and
/// decides about another cycle; so no method has thresholds that depend on the size of b.
///
/// A method is a class with
///   vectors, residual, correction   how many vectors it needs, and which of them are r and d; numbered by priority of use
///   team_cycle(...)                 the cycle
struct CycleResult {
  CycleEnd end;
  std::int32_t iterations;
};

/// How far a residual may grow over a cycle's start (of norm 1) before the cycle counts as broken down: beyond 1 / epsilon
/// nothing of the start is left in the sums that cancel to it.
template <class T>
inline constexpr T growth_limit = T{1} / std::numeric_limits<T>::epsilon();

/// Below this, a dot product of two unit vectors is rounding error.
template <class T>
inline constexpr T orthogonality_limit = std::numeric_limits<T>::epsilon();

}  // namespace phpc::batch
