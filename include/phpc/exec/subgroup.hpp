#pragma once
#include <cstdint>
#include <cstring>

#include "phpc/exec/team.hpp"

/// Exchanges between the threads of a sub-group (warp, wavefront), without barrier or scratch.
/// On the host a sub-group is one thread, and every exchange returns the caller's own value.
namespace phpc::exec {

#if defined(__NVPTX__)
inline constexpr int subgroup_size = 32;
#elif defined(__AMDGCN__)
inline constexpr int subgroup_size = 64;  // gfx9 (CDNA): what the AMD image is built for
#else
inline constexpr int subgroup_size = 1;
#endif

namespace detail {

/// Returns a 32-bit word of lane `lane` of the caller's sub-group.
[[gnu::always_inline]] inline std::uint32_t lane_word(std::uint32_t word, int lane) {
#if defined(__NVPTX__)
  return static_cast<std::uint32_t>(__nvvm_shfl_sync_idx_i32(~0U, static_cast<int>(word), lane, 31));
#elif defined(__AMDGCN__)
  return static_cast<std::uint32_t>(__builtin_amdgcn_ds_bpermute(lane * 4, static_cast<int>(word)));
#else
  static_cast<void>(lane);
  return word;
#endif
}

/// Returns a 32-bit word of lane `lane` ^ `mask`; `lane` is the caller's.
[[gnu::always_inline]] inline std::uint32_t xor_word(std::uint32_t word, int lane, int mask) {
#if defined(__NVPTX__)
  static_cast<void>(lane);
  return static_cast<std::uint32_t>(__nvvm_shfl_sync_bfly_i32(~0U, static_cast<int>(word), mask, 31));
#else
  return lane_word(word, lane ^ mask);
#endif
}

/// Applies `exchange` to each 32-bit word of a value (a multiple of 4 bytes, trivially copyable).
template <class T, class Exchange>
[[gnu::always_inline]] inline T exchange_words(T value, Exchange exchange) {
  static_assert(sizeof(T) % 4 == 0, "sub-group exchanges move whole 32-bit words");
  std::uint32_t words[sizeof(T) / 4];
  __builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
  for (std::uint32_t& word : words) {
    word = exchange(word);
  }
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}

}  // namespace detail

/// The caller's lane, 0 <= lane < subgroup_size. Threads of a team are numbered lane first.
[[nodiscard, gnu::always_inline]] inline int subgroup_lane(const Team& team) {
  return team.rank() % subgroup_size;
}

/// Returns the value of lane `lane`. All lanes of the sub-group must call it, with the same `lane` or not.
template <class T>
[[nodiscard, gnu::always_inline]] inline T subgroup_shuffle(const Team& team, T value, int lane) {
  if constexpr (subgroup_size == 1) {
    static_cast<void>(team), static_cast<void>(lane);
    return value;
  } else {
    static_cast<void>(team);
    return detail::exchange_words(value, [lane](std::uint32_t word) { return detail::lane_word(word, lane); });
  }
}

/// Returns the value of the lane whose number is the caller's XOR mask. All lanes of a full sub-group must call it.
template <class T>
[[nodiscard, gnu::always_inline]] inline T subgroup_shuffle_xor(const Team& team, T value, int mask) {
  if constexpr (subgroup_size == 1) {
    static_cast<void>(team), static_cast<void>(mask);
    return value;
  } else {
    const int lane = subgroup_lane(team);
    return detail::exchange_words(value, [lane, mask](std::uint32_t word) { return detail::xor_word(word, lane, mask); });
  }
}

/// Orders the scratch accesses of a sub-group's lanes among themselves: a barrier of the sub-group only.
[[gnu::always_inline]] inline void subgroup_barrier() {
#if defined(__NVPTX__)
  __nvvm_bar_warp_sync(~0U);
#elif defined(__AMDGCN__)
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
#endif
}

/// Combines the values of all lanes of a full sub-group; every lane holds the result.
template <class T, class Combine>
[[nodiscard, gnu::always_inline]] inline T subgroup_reduce(const Team& team, T value, Combine combine) {
#pragma unroll
  for (int mask = subgroup_size / 2; mask > 0; mask /= 2) {
    value = combine(value, subgroup_shuffle_xor(team, value, mask));
  }
  return value;
}

}  // namespace phpc::exec
