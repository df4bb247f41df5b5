#pragma once
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "phpc/cuda/detail/block.hpp"
#include "phpc/cuda/detail/shared.hpp"

/// Warp functions: exchanges and votes of 32 threads. On the host the lanes of a warp wait for each other, and the last to come
/// does the work for all. AMD GPUs run two warps in one wavefront of 64.
PHPC_CUDA_BEGIN

#if defined(PHPC_CUDA_PARSING)
static const int warpSize = 32;
#else
inline constexpr int warpSize = 32;
#endif

namespace phpc::cuda::detail {

inline constexpr unsigned full_warp = 0xffffffffU;

/// Which lane a shuffle reads, in segments of `width` lanes: for lane `own` the lane, or `own` where it would lie outside.
struct Direct {
  [[gnu::always_inline]] static int source(int own, int lane, int width) { return (own & ~(width - 1)) | (lane & (width - 1)); }
};
struct Up {
  [[gnu::always_inline]] static int source(int own, int delta, int width) {
    return (own & (width - 1)) < delta ? own : own - delta;
  }
};
struct Down {
  [[gnu::always_inline]] static int source(int own, int delta, int width) {
    return (own & (width - 1)) + delta >= width ? own : own + delta;
  }
};
struct Xor {
  [[gnu::always_inline]] static int source(int own, int mask, int width) {
    const int other = own ^ mask;
    return other > (own | (width - 1)) ? own : other;
  }
};

#if defined(PHPC_CUDA_PARSING)
template <class Pattern, class T>
T shuffle(unsigned mask, T value, int lane, int width);
unsigned ballot(unsigned mask, bool predicate);
unsigned active_lanes();
void meet(unsigned mask);
int lane_of_warp();

#elif PHPC_GPU_PASS

[[gnu::always_inline]] inline int lane_of_warp() {
#if defined(__NVPTX__)
  return __nvvm_read_ptx_sreg_laneid();
#else
  return exec::gpu::thread_rank() % warpSize;
#endif
}

template <class Pattern>
[[gnu::always_inline]] inline std::uint32_t shuffle_word([[maybe_unused]] unsigned mask, std::uint32_t word, int lane,
                                                         int width) {
#if defined(__NVPTX__)
  const int segment = (warpSize - width) << 8;
  if constexpr (std::is_same_v<Pattern, Direct>) {
    return static_cast<std::uint32_t>(__nvvm_shfl_sync_idx_i32(mask, static_cast<int>(word), lane, segment | 31));
  } else if constexpr (std::is_same_v<Pattern, Up>) {
    return static_cast<std::uint32_t>(__nvvm_shfl_sync_up_i32(mask, static_cast<int>(word), lane, segment));
  } else if constexpr (std::is_same_v<Pattern, Down>) {
    return static_cast<std::uint32_t>(__nvvm_shfl_sync_down_i32(mask, static_cast<int>(word), lane, segment | 31));
  } else {
    return static_cast<std::uint32_t>(__nvvm_shfl_sync_bfly_i32(mask, static_cast<int>(word), lane, segment | 31));
  }
#else
  const int own = exec::gpu::thread_rank() % 64;
  const int source = (own & 32) | Pattern::source(own % 32, lane, width);
  return static_cast<std::uint32_t>(__builtin_amdgcn_ds_bpermute(source * 4, static_cast<int>(word)));
#endif
}

template <class Pattern, class T>
[[gnu::always_inline]] inline T shuffle(unsigned mask, T value, int lane, int width) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::uint32_t words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
  for (std::uint32_t& word : words) {
    word = shuffle_word<Pattern>(mask, word, lane, width);
  }
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}

[[gnu::always_inline]] inline unsigned ballot([[maybe_unused]] unsigned mask, bool predicate) {
#if defined(__NVPTX__)
  return static_cast<unsigned>(__nvvm_vote_ballot_sync(mask, predicate));
#else
  const std::uint64_t both = __builtin_amdgcn_uicmp(predicate ? 1U : 0U, 0U, 33);  // 33: not equal
  return static_cast<unsigned>(both >> (exec::gpu::thread_rank() & 32)) & mask;
#endif
}

[[gnu::always_inline]] inline unsigned active_lanes() {
#if defined(__NVPTX__)
  unsigned lanes;
  asm volatile("activemask.b32 %0;" : "=r"(lanes));
  return lanes;
#else
  return ballot(full_warp, true);
#endif
}

[[gnu::always_inline]] inline void meet([[maybe_unused]] unsigned mask) {
#if defined(__NVPTX__)
  __nvvm_bar_warp_sync(mask);
#else
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
#endif
}

#else

inline int lane_of_warp() {
  const Indices here = indices_here();
  return static_cast<int>((here.thread_index.z * here.block_dim.y + here.thread_index.y) * here.block_dim.x +
                          here.thread_index.x) %
         warpSize;
}

template <class Pattern, class T>
inline T shuffle(unsigned mask, T value, int lane, int width) {
  static_assert(std::is_trivially_copyable_v<T>);
  struct Exchange : WarpMeeting {
    T given, taken;
    int argument, width;
  };
  Exchange own{};
  own.mask = mask;
  own.given = own.taken = value;
  own.argument = lane;
  own.width = width;
  own.finish = [](WarpMeeting* const* lanes, unsigned present) {
    for (int member = 0; member < warpSize; ++member) {
      if ((present >> member & 1U) != 0) {
        auto* const taker = static_cast<Exchange*>(lanes[member]);
        const int source = Pattern::source(member, taker->argument, taker->width);
        if (source >= 0 && source < warpSize && (present >> source & 1U) != 0) {
          taker->taken = static_cast<Exchange*>(lanes[source])->given;
        }
      }
    }
  };
  phpc_cuda_meet(&own);
  return own.taken;
}

inline unsigned ballot(unsigned mask, bool predicate) {
  struct Vote : WarpMeeting {
    bool predicate;
    unsigned result;
  };
  Vote own{};
  own.mask = mask;
  own.predicate = predicate;
  own.finish = [](WarpMeeting* const* lanes, unsigned present) {
    unsigned result = 0;
    for (int member = 0; member < warpSize; ++member) {
      if ((present >> member & 1U) != 0 && static_cast<Vote*>(lanes[member])->predicate) {
        result |= 1U << member;
      }
    }
    for (int member = 0; member < warpSize; ++member) {
      if ((present >> member & 1U) != 0) {
        static_cast<Vote*>(lanes[member])->result = result;
      }
    }
  };
  phpc_cuda_meet(&own);
  return own.result;
}

inline unsigned active_lanes() {
  WarpMeeting own{.mask = full_warp, .whoever_comes = true, .present = 0, .lane = 0, .finish = nullptr};
  phpc_cuda_meet(&own);
  return own.present;
}

inline void meet(unsigned mask) {
  WarpMeeting own{.mask = mask, .whoever_comes = false, .present = 0, .lane = 0, .finish = nullptr};
  phpc_cuda_meet(&own);
}

#endif

#if !defined(PHPC_CUDA_PARSING)
/// The value that `combine` makes of those of the lanes of the mask, for integers.
template <class T, class Combine>
[[gnu::always_inline]] inline T reduce_lanes(unsigned mask, T value, Combine combine) {
  T result = value;
  bool first = true;
  for (int lane = 0; lane < warpSize; ++lane) {
    if ((mask >> lane & 1U) != 0) {
      const T other = shuffle<Direct>(mask, value, lane, warpSize);
      result = first ? other : combine(result, other);
      first = false;
    }
  }
  return result;
}

template <class T>
[[gnu::always_inline]] inline unsigned match_lanes(unsigned mask, T value) {
  unsigned same = 0;
  for (int lane = 0; lane < warpSize; ++lane) {
    if ((mask >> lane & 1U) != 0) {
      const T other = shuffle<Direct>(mask, value, lane, warpSize);
      same |= __builtin_memcmp(&other, &value, sizeof(T)) == 0 ? 1U << lane : 0U;
    }
  }
  return same;
}
#else
template <class T, class Combine>
T reduce_lanes(unsigned mask, T value, Combine combine);
template <class T>
unsigned match_lanes(unsigned mask, T value);
#endif

}  // namespace phpc::cuda::detail

template <class T>
[[gnu::always_inline]] inline T __shfl_sync(unsigned mask, T value, int lane, int width = warpSize) {
  return phpc::cuda::detail::shuffle<phpc::cuda::detail::Direct>(mask, value, lane, width);
}
template <class T>
[[gnu::always_inline]] inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
  return phpc::cuda::detail::shuffle<phpc::cuda::detail::Up>(mask, value, static_cast<int>(delta), width);
}
template <class T>
[[gnu::always_inline]] inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
  return phpc::cuda::detail::shuffle<phpc::cuda::detail::Down>(mask, value, static_cast<int>(delta), width);
}
template <class T>
[[gnu::always_inline]] inline T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = warpSize) {
  return phpc::cuda::detail::shuffle<phpc::cuda::detail::Xor>(mask, value, lane_mask, width);
}

// Without a mask (before CUDA 9): of the lanes that are here.
template <class T>
[[gnu::always_inline]] inline T __shfl(T value, int lane, int width = warpSize) {
  return __shfl_sync(phpc::cuda::detail::active_lanes(), value, lane, width);
}
template <class T>
[[gnu::always_inline]] inline T __shfl_up(T value, unsigned delta, int width = warpSize) {
  return __shfl_up_sync(phpc::cuda::detail::active_lanes(), value, delta, width);
}
template <class T>
[[gnu::always_inline]] inline T __shfl_down(T value, unsigned delta, int width = warpSize) {
  return __shfl_down_sync(phpc::cuda::detail::active_lanes(), value, delta, width);
}
template <class T>
[[gnu::always_inline]] inline T __shfl_xor(T value, int lane_mask, int width = warpSize) {
  return __shfl_xor_sync(phpc::cuda::detail::active_lanes(), value, lane_mask, width);
}

[[gnu::always_inline]] inline unsigned __activemask() {
  return phpc::cuda::detail::active_lanes();
}
[[gnu::always_inline]] inline void __syncwarp(unsigned mask = 0xffffffffU) {
  phpc::cuda::detail::meet(mask);
}
[[gnu::always_inline]] inline unsigned __ballot_sync(unsigned mask, int predicate) {
  return phpc::cuda::detail::ballot(mask, predicate != 0);
}
[[gnu::always_inline]] inline int __any_sync(unsigned mask, int predicate) {
  return phpc::cuda::detail::ballot(mask, predicate != 0) != 0 ? 1 : 0;
}
[[gnu::always_inline]] inline int __all_sync(unsigned mask, int predicate) {
  return phpc::cuda::detail::ballot(mask, predicate == 0) == 0 ? 1 : 0;
}

#if !defined(__NVPTX__)  // defined by clang's own headers there
[[gnu::always_inline]] inline unsigned __ballot(int predicate) {
  return __ballot_sync(phpc::cuda::detail::active_lanes(), predicate);
}
[[gnu::always_inline]] inline int __any(int predicate) {
  return __any_sync(phpc::cuda::detail::active_lanes(), predicate);
}
[[gnu::always_inline]] inline int __all(int predicate) {
  return __all_sync(phpc::cuda::detail::active_lanes(), predicate);
}
#endif

template <class T>
[[gnu::always_inline]] inline unsigned __match_any_sync(unsigned mask, T value) {
#if defined(__NVPTX__)
  if constexpr (sizeof(T) == 4) {
    return __nvvm_match_any_sync_i32(mask, __builtin_bit_cast(int, value));
  } else if constexpr (sizeof(T) == 8) {
    return static_cast<unsigned>(__nvvm_match_any_sync_i64(mask, __builtin_bit_cast(long long, value)));
  }
#endif
  return phpc::cuda::detail::match_lanes(mask, value);
}
template <class T>
[[gnu::always_inline]] inline unsigned __match_all_sync(unsigned mask, T value, int* all) {
  *all = __match_any_sync(mask, value) == mask ? 1 : 0;
  return __all_sync(mask, *all) != 0 ? mask : 0;
}

#if defined(__NVPTX__)
#define PHPC_REDUCE(name, type, builtin, combine)                                       \
  [[gnu::always_inline]] inline type name(unsigned mask, type value) {                  \
    return static_cast<type>(builtin(static_cast<int>(value), static_cast<int>(mask))); \
  }
#else
#define PHPC_REDUCE(name, type, builtin, combine)                                                                    \
  [[gnu::always_inline]] inline type name(unsigned mask, type value) {                                               \
    return phpc::cuda::detail::reduce_lanes(mask, value, [](type a, type b) { return static_cast<type>(combine); }); \
  }
#endif
PHPC_REDUCE(__reduce_add_sync, unsigned, __nvvm_redux_sync_add, a + b)
PHPC_REDUCE(__reduce_add_sync, int, __nvvm_redux_sync_add, static_cast<unsigned>(a) + static_cast<unsigned>(b))
PHPC_REDUCE(__reduce_min_sync, unsigned, __nvvm_redux_sync_umin, a < b ? a : b)
PHPC_REDUCE(__reduce_min_sync, int, __nvvm_redux_sync_min, a < b ? a : b)
PHPC_REDUCE(__reduce_max_sync, unsigned, __nvvm_redux_sync_umax, a < b ? b : a)
PHPC_REDUCE(__reduce_max_sync, int, __nvvm_redux_sync_max, a < b ? b : a)
PHPC_REDUCE(__reduce_and_sync, unsigned, __nvvm_redux_sync_and, a& b)
PHPC_REDUCE(__reduce_or_sync, unsigned, __nvvm_redux_sync_or, a | b)
PHPC_REDUCE(__reduce_xor_sync, unsigned, __nvvm_redux_sync_xor, a ^ b)
#undef PHPC_REDUCE

PHPC_CUDA_END
