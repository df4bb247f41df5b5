#pragma once
#include <bit>

#include "batch/system/scratch_plan.hpp"
#include "phpc/exec/collective.hpp"

namespace phpc::batch {

/// TeamSums reduces several values at a time over a team whose size is known only at the launch. With each exchange within a
/// sub-group, a lane holds half as many values as before: five sums take 9 exchanges, one by one they would take 25, and a
/// multiprocessor does one exchange a turn. Sub-groups then leave their results in scratch, in one of two sets by turns, so that
/// one barrier is enough. The order of summation depends on the team size alone.
template <class T>
class TeamSums {
 public:
  static constexpr int lanes = exec::subgroup_size;
  /// Values of scratch for a team of `groups` sub-groups.
  [[nodiscard, gnu::always_inline]] static constexpr int scratch_values(int groups) { return 2 * most_slots * groups; }

  [[gnu::always_inline]] TeamSums(const exec::Team& team, T* scratch)
      : team_(team), scratch_(scratch), groups_(team.size() / lanes) {}

  /// Combines each value over all threads of the team, which all then hold the result. Values are >= 0 unless they are summed.
  template <class Combine, class... Values>
  [[gnu::always_inline]] void team_reduce(Combine combine, Values&... values) {
    constexpr int count = sizeof...(values);
    constexpr int slots = static_cast<int>(std::bit_ceil(static_cast<unsigned>(count)));
    constexpr int share = slots < lanes ? lanes / slots : 1;  // neighbouring lanes that then hold the same sum
    static_assert(count <= most_sums);
    T part[slots] = {values...};
    const int lane = team_.rank() % lanes;
    if constexpr (lanes > 1) {
#pragma unroll
      for (int half = slots / 2; half > 0; half /= 2) {
        const int mask = share * half;
        const bool upper = (lane & mask) != 0;
#pragma unroll
        for (int k = 0; k < half; ++k) {
          const T sent = upper ? part[k] : part[k + half];
          const T kept = upper ? part[k + half] : part[k];
          part[k] = combine(kept, exec::subgroup_shuffle_xor(team_, sent, mask));
        }
      }
      part[0] = over_share<share>(combine, part[0]);
      if (groups_ == 1) {
        int number = 0;
        ((values = slots == 1 ? part[0] : exec::subgroup_shuffle(team_, part[0], share * number++)), ...);
        return;
      }
    }
    turn_ ^= 1;
    T* const left = scratch_ + turn_ * most_slots * groups_;
    if constexpr (lanes > 1) {
      if (lane % share == 0) {
        left[team_.rank() / lanes * slots + lane / share] = part[0];
      }
    } else {
      for (int k = 0; k < slots; ++k) {
        left[team_.rank() * slots + k] = part[k];
      }
    }
    team_.barrier();
    if (lanes == 1) {
      combine_in_order<slots>(combine, left, values...);
    } else if (groups_ <= few) {
      read_all<slots, few>(combine, left, values...);
    } else if constexpr (count <= 2) {
      read_all<slots, most>(combine, left, values...);
    } else {
      T mine{};
#pragma unroll
      for (int k = 0; k < most; k += share) {
        const int group = k + lane % share;
        const T other = group < groups_ ? left[group * slots + lane / share] : T{};
        mine = combine(mine, other);
      }
      mine = over_share<share>(combine, mine);
      int number = 0;
      ((values = slots == 1 ? mine : exec::subgroup_shuffle(team_, mine, share * number++)), ...);
    }
  }

 private:
  static constexpr int most_slots = static_cast<int>(std::bit_ceil(static_cast<unsigned>(most_sums)));
  static constexpr int few = 4;
  static constexpr int most = 16;  ///< sub-groups of a GPU's team

  /// Every thread reads and combines what the sub-groups left, all loads under way at once.
  template <int Slots, int Most, class Combine, class... Values>
  [[gnu::always_inline]] void read_all(Combine combine, const T* left, Values&... values) const {
    int number = 0;
    ((values = tree<Slots, Most>(combine, left + number++)), ...);
  }
  template <int Slots, int Most, class Combine>
  [[nodiscard, gnu::always_inline]] T tree(Combine combine, const T* left) const {
    T part[Most];
#pragma unroll
    for (int group = 0; group < Most; ++group) {
      part[group] = group < groups_ ? left[group * Slots] : T{};
    }
#pragma unroll
    for (int half = Most / 2; half > 0; half /= 2) {
#pragma unroll
      for (int group = 0; group < half; ++group) {
        part[group] = combine(part[group], part[group + half]);
      }
    }
    return part[0];
  }
  /// read_all() for host teams, each thread of which is a sub-group of its own.
  template <int Slots, class Combine, class... Values>
  [[gnu::always_inline]] void combine_in_order(Combine combine, const T* left, Values&... values) const {
    int number = 0;
    ((values = left[number++]), ...);
    for (int group = 1; group < groups_; ++group) {
      number = 0;
      ((values = combine(values, left[group * Slots + number++])), ...);
    }
  }

  template <int Share, class Combine>
  [[nodiscard, gnu::always_inline]] T over_share(Combine combine, T value) const {
#pragma unroll
    for (int mask = Share / 2; mask > 0; mask /= 2) {
      value = combine(value, exec::subgroup_shuffle_xor(team_, value, mask));
    }
    return value;
  }

  const exec::Team& team_;
  T* scratch_;
  int groups_;
  int turn_ = 0;
};

}  // namespace phpc::batch
