#pragma once
#include <cstdint>
#include <limits>

#include "phpc/exec/collective.hpp"
#include "phpc/exec/team.hpp"

/// Dot products and norms of one system's vectors within its team.
///
/// Ownership: element i of every vector belongs to thread i % team.size(). A thread reads and writes its own elements without a
/// barrier; reading others' (a matrix product) takes one before. All loops here run over own elements.
namespace phpc::batch {

/// Two sums at once: one pass, one barrier.
template <class T>
struct SumPair {
  T first;
  T second;
  [[gnu::always_inline]] friend constexpr SumPair operator+(SumPair a, SumPair b) {
    return {a.first + b.first, a.second + b.second};
  }
};

/// What the reductions of a system need, at the start of its team's scratch.
template <class T, int TeamSize>
struct Collectives {
  exec::CollectiveScratch<T, TeamSize> single;
  exec::CollectiveScratch<SumPair<T>, TeamSize> pair;
  static constexpr std::size_t bytes_per_slot = sizeof(T) + sizeof(SumPair<T>);
};

/// Calls body(i) for the own elements of [0, count).
template <class Body>
[[gnu::always_inline]] inline void thread_for(const exec::Team& team, std::int32_t count, Body body) {
  for (std::int32_t i = team.rank(); i < count; i += team.size()) {
    body(i);
  }
}

/// Sum over all i of term(i), held by every thread. Order fixed by the team size.
template <class T, int TeamSize, class Term>
[[nodiscard, gnu::always_inline]] inline T team_sum(const exec::Team& team, Collectives<T, TeamSize>& collectives,
                                                    std::int32_t count, Term term) {
  T sum{};
  thread_for(team, count, [&](std::int32_t i) { sum += term(i); });
  return exec::team_reduce(team, sum, exec::Plus{}, collectives.single);
}

/// Two sums: term(i) returns a SumPair.
template <class T, int TeamSize, class Term>
[[nodiscard, gnu::always_inline]] inline SumPair<T> team_sum_pair(const exec::Team& team, Collectives<T, TeamSize>& collectives,
                                                                  std::int32_t count, Term term) {
  SumPair<T> sums{};
  thread_for(team, count, [&](std::int32_t i) { sums = sums + term(i); });
  return exec::team_reduce(team, sums, exec::Plus{}, collectives.pair);
}

template <class T>
[[nodiscard, gnu::always_inline]] inline T absolute(T value) {
  return value < T{0} ? -value : value;
}

template <class T>
[[nodiscard, gnu::always_inline]] inline bool finite(T value) {
  return absolute(value) <= std::numeric_limits<T>::max();
}

template <class T>
[[nodiscard, gnu::always_inline]] inline T square_root(T value) {
  if constexpr (sizeof(T) == sizeof(float)) {
    return __builtin_sqrtf(value);
  } else {
    return __builtin_sqrt(value);
  }
}

/// Euclidean norm, scaled by the largest element so that squares neither overflow nor vanish. NaN if any element is NaN or
/// infinite.
template <class T, int TeamSize>
[[nodiscard, gnu::always_inline]] inline T team_norm(const exec::Team& team, Collectives<T, TeamSize>& collectives,
                                                     std::int32_t count, const T* vector) {
  T largest{};
  thread_for(team, count, [&](std::int32_t i) { largest = exec::Maximum{}(largest, absolute(vector[i])); });
  largest = exec::team_reduce(team, largest, exec::Maximum{}, collectives.single);
  const T unit = largest > T{0} ? largest : T{1};  // all zeros or NaN: the sum then tells which
  const T sum = team_sum(team, collectives, count, [&](std::int32_t i) { return (vector[i] / unit) * (vector[i] / unit); });
  return largest * square_root(sum);
}

}  // namespace phpc::batch
