#pragma once
#include "phpc/exec/subgroup.hpp"
#include "phpc/exec/team.hpp"

/// Reductions and broadcast within a team. Prefix `team_`: all threads of the team call it, with scratch that the kernel
/// provides; every thread holds the result; it ends on a barrier, so that the scratch may be used again at once.
namespace phpc::exec {

/// Scratch of a team collective over values of type T in teams of at most MaxTeam threads.
/// On a GPU whole sub-groups leave one partial value each; on the host (and in odd teams) every thread does.
template <class T, int MaxTeam>
struct CollectiveScratch {
  static constexpr bool by_subgroup = subgroup_size > 1 && MaxTeam % subgroup_size == 0;
  static constexpr int slots = by_subgroup ? MaxTeam / subgroup_size : MaxTeam;
  T partial[slots];
};

/// The function objects that reductions take. Each is associative and commutative up to rounding.
struct Plus {
  template <class T>
  [[gnu::always_inline]] constexpr T operator()(T a, T b) const {
    return a + b;
  }
};
struct Maximum {
  template <class T>
  [[gnu::always_inline]] constexpr T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct Minimum {
  template <class T>
  [[gnu::always_inline]] constexpr T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};

/// Combines the values of all threads, one each. The order of combination depends on the team size alone: same bytes from run to
/// run.
template <class T, int MaxTeam, class Combine>
[[nodiscard, gnu::always_inline]] inline T team_reduce(const Team& team, T value, Combine combine,
                                                       CollectiveScratch<T, MaxTeam>& scratch) {
  if (team.size() == 1) {
    return value;
  }
  using Slots = CollectiveScratch<T, MaxTeam>;
  int filled = team.size();
  if constexpr (Slots::by_subgroup) {
    value = subgroup_reduce(team, value, combine);
    if constexpr (Slots::slots == 1) {
      team.barrier();
      return value;
    }
    filled = Slots::slots;
    if (subgroup_lane(team) == 0) {
      scratch.partial[team.rank() / subgroup_size] = value;
    }
  } else {
    scratch.partial[team.rank()] = value;
  }
  team.barrier();
  T result = scratch.partial[0];
  for (int slot = 1; slot < filled; ++slot) {
    result = combine(result, scratch.partial[slot]);
  }
  team.barrier();
  return result;
}

/// Returns the value that thread `root` passed.
template <class T, int MaxTeam>
[[nodiscard, gnu::always_inline]] inline T team_broadcast(const Team& team, T value, int root,
                                                          CollectiveScratch<T, MaxTeam>& scratch) {
  if (team.size() == 1) {
    return value;
  }
  if (team.rank() == root) {
    scratch.partial[0] = value;
  }
  team.barrier();
  const T result = scratch.partial[0];
  team.barrier();
  return result;
}

}  // namespace phpc::exec
