#pragma once
// clang-format off: before all others
#include "phpc/cuda/detail/header_begin.inc"
// clang-format on
#include "phpc/cuda/intrinsics.hpp"
#include "phpc/cuda/synchronization.hpp"
#include "phpc/cuda/warp.hpp"

/// Cooperative groups: thread blocks, tiles of a warp, the threads of a warp that are here, and a launch as far as its threads
/// are counted. What waits for several blocks is not there: the translator refuses it.
PHPC_CUDA_BEGIN

#if defined(PHPC_CUDA_PARSING)
#define PHPC_INDICES_OF_GROUP
#else
#define PHPC_INDICES_OF_GROUP PHPC_INDICES_HERE
#endif

namespace cooperative_groups {

/// All threads of a block.
class thread_block {
 public:
  [[gnu::always_inline]] static void sync() { __syncthreads(); }
  [[gnu::always_inline]] static unsigned size() {
    PHPC_INDICES_OF_GROUP;
    return blockDim.x * blockDim.y * blockDim.z;
  }
  [[gnu::always_inline]] static unsigned num_threads() { return size(); }
  [[gnu::always_inline]] static unsigned thread_rank() {
    PHPC_INDICES_OF_GROUP;
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  [[gnu::always_inline]] static dim3 group_index() {
    PHPC_INDICES_OF_GROUP;
    return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
  }
  [[gnu::always_inline]] static dim3 thread_index() {
    PHPC_INDICES_OF_GROUP;
    return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
  }
  [[gnu::always_inline]] static dim3 group_dim() {
    PHPC_INDICES_OF_GROUP;
    return dim3(blockDim.x, blockDim.y, blockDim.z);
  }
  [[gnu::always_inline]] static dim3 dim_threads() { return group_dim(); }
};

[[gnu::always_inline]] inline thread_block this_thread_block() {
  return {};
}

namespace detail {

/// What tiles and coalesced threads share: lanes of one warp, given by a mask.
class Lanes {
 public:
  [[gnu::always_inline]] explicit Lanes(unsigned mask) : mask_(mask) {}
  [[gnu::always_inline]] void sync() const { __syncwarp(mask_); }
  [[gnu::always_inline]] int any(int predicate) const { return __any_sync(mask_, predicate); }
  [[gnu::always_inline]] int all(int predicate) const { return __all_sync(mask_, predicate); }
  /// Bit n is lane n of the warp.
  [[gnu::always_inline]] unsigned mask() const { return mask_; }

 protected:
  unsigned mask_;
};

[[gnu::always_inline]] inline unsigned block_rank() {
  return thread_block::thread_rank();
}

}  // namespace detail

/// `size` neighbouring threads of a warp, a power of two up to 32. Parent: what it is a part of; a variable's type may leave it
/// out.
template <unsigned tile_size, class Parent = void>
class thread_block_tile : public detail::Lanes {
 public:
  static_assert(tile_size <= 32 && (tile_size & (tile_size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
  /// The caller's tile of a group of `group_size` threads, in which the caller is number `rank`.
  [[gnu::always_inline]] thread_block_tile(unsigned rank, unsigned group_size)
      : Lanes((tile_size == 32 ? 0xffffffffU : (1U << (tile_size % 32)) - 1U) << (detail::block_rank() % 32 & ~(tile_size - 1))),
        meta_group_rank_(rank / tile_size),
        meta_group_size_((group_size + tile_size - 1) / tile_size) {}
  template <class Other>
  [[gnu::always_inline]] thread_block_tile(const thread_block_tile<tile_size, Other>& other)
      : Lanes(other.mask()), meta_group_rank_(other.meta_group_rank()), meta_group_size_(other.meta_group_size()) {}
  [[gnu::always_inline]] static unsigned size() { return tile_size; }
  [[gnu::always_inline]] static unsigned num_threads() { return tile_size; }
  [[gnu::always_inline]] static unsigned thread_rank() { return detail::block_rank() % tile_size; }
  /// Which of the tiles of its parent it is, and how many these are.
  [[gnu::always_inline]] unsigned meta_group_rank() const { return meta_group_rank_; }
  [[gnu::always_inline]] unsigned meta_group_size() const { return meta_group_size_; }
  template <class T>
  [[gnu::always_inline]] T shfl(T value, int rank) const {
    return __shfl_sync(mask_, value, rank, tile_size);
  }
  template <class T>
  [[gnu::always_inline]] T shfl_up(T value, unsigned delta) const {
    return __shfl_up_sync(mask_, value, delta, tile_size);
  }
  template <class T>
  [[gnu::always_inline]] T shfl_down(T value, unsigned delta) const {
    return __shfl_down_sync(mask_, value, delta, tile_size);
  }
  template <class T>
  [[gnu::always_inline]] T shfl_xor(T value, int lane_mask) const {
    return __shfl_xor_sync(mask_, value, lane_mask, tile_size);
  }
  [[gnu::always_inline]] unsigned ballot(int predicate) const { return to_tile(__ballot_sync(mask_, predicate)); }
  template <class T>
  [[gnu::always_inline]] unsigned match_any(T value) const {
    return to_tile(__match_any_sync(mask_, value));
  }

 private:
  [[gnu::always_inline]] unsigned to_tile(unsigned lanes) const {
    return (lanes & mask_) >> (detail::block_rank() % 32 & ~(tile_size - 1));
  }

  unsigned meta_group_rank_;
  unsigned meta_group_size_;
};

template <unsigned tile_size, class Parent>
[[gnu::always_inline]] inline thread_block_tile<tile_size, Parent> tiled_partition(const Parent& group) {
  return {group.thread_rank(), group.size()};
}

/// The threads of a warp that are here together.
class coalesced_group : public detail::Lanes {
 public:
  [[gnu::always_inline]] explicit coalesced_group(unsigned mask) : Lanes(mask) {}
  [[gnu::always_inline]] unsigned size() const { return static_cast<unsigned>(__popc(mask_)); }
  [[gnu::always_inline]] unsigned num_threads() const { return size(); }
  [[gnu::always_inline]] unsigned thread_rank() const {
    return static_cast<unsigned>(__popc(mask_ & ((1U << detail::block_rank() % 32) - 1U)));
  }
  template <class T>
  [[gnu::always_inline]] T shfl(T value, unsigned rank) const {
    return __shfl_sync(mask_, value, lane_of(rank));
  }
  template <class T>
  [[gnu::always_inline]] T shfl_up(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return __shfl_sync(mask_, value, lane_of(rank < delta ? rank : rank - delta));
  }
  template <class T>
  [[gnu::always_inline]] T shfl_down(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return __shfl_sync(mask_, value, lane_of(rank + delta >= size() ? rank : rank + delta));
  }
  [[gnu::always_inline]] unsigned ballot(int predicate) const {
    const unsigned lanes = __ballot_sync(mask_, predicate);
    unsigned packed = 0;
    unsigned rank = 0;
    for (unsigned left = mask_; left != 0; left &= left - 1, ++rank) {
      packed |= (lanes >> (__ffs(static_cast<int>(left)) - 1) & 1U) << rank;
    }
    return packed;
  }

 private:
  [[gnu::always_inline]] int lane_of(unsigned rank) const {
    unsigned left = mask_;
    for (; rank > 0; --rank) {
      left &= left - 1;
    }
    return __ffs(static_cast<int>(left)) - 1;
  }
};

[[gnu::always_inline]] inline coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

/// The threads of a group of one warp for which the predicate is the same as the caller's.
template <class Group>
[[gnu::always_inline]] inline coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned holds = __ballot_sync(group.mask(), predicate ? 1 : 0);
  return coalesced_group(group.mask() & (predicate ? holds : ~holds));
}

/// The threads of a group of one warp whose label is the same as the caller's.
template <class Group, class Label>
[[gnu::always_inline]] inline coalesced_group labeled_partition(const Group& group, Label label) {
  return coalesced_group(__match_any_sync(group.mask(), label));
}

/// A group whose kind is known at run time: all threads of a block, or some of a warp.
class thread_group {
 public:
  [[gnu::always_inline]] thread_group(const thread_block& /*block*/) {}
  [[gnu::always_inline]] thread_group(const detail::Lanes& lanes) : mask_(lanes.mask()) {}
  [[gnu::always_inline]] void sync() const {
    if (mask_ == 0) {
      __syncthreads();
    } else {
      __syncwarp(mask_);
    }
  }
  [[gnu::always_inline]] unsigned size() const {
    return mask_ == 0 ? thread_block::size() : static_cast<unsigned>(__popc(mask_));
  }
  [[gnu::always_inline]] unsigned num_threads() const { return size(); }
  [[gnu::always_inline]] unsigned thread_rank() const {
    const unsigned rank = thread_block::thread_rank();
    return mask_ == 0 ? rank : static_cast<unsigned>(__popc(mask_ & ((1U << rank % 32) - 1U)));
  }

 private:
  unsigned mask_ = 0;  ///< the lanes of a warp; 0: the block
};

/// Neighbouring threads of a block or of a tile, `size` of them, a power of two up to 32.
[[gnu::always_inline]] inline thread_group tiled_partition(const thread_group& /*group*/, unsigned size) {
  return thread_group(
      detail::Lanes((size == 32 ? 0xffffffffU : (1U << size % 32) - 1U) << (detail::block_rank() % 32 & ~(size - 1))));
}

template <class Group>
[[gnu::always_inline]] inline void sync(const Group& group) {
  group.sync();
}

template <class T>
struct plus {
  [[gnu::always_inline]] T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  [[gnu::always_inline]] T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  [[gnu::always_inline]] T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  [[gnu::always_inline]] T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  [[gnu::always_inline]] T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  [[gnu::always_inline]] T operator()(T a, T b) const { return a ^ b; }
};

/// Combines a value of every thread of a tile; all of them get the result.
template <unsigned tile_size, class Parent, class T, class Combine>
[[gnu::always_inline]] inline T reduce(const thread_block_tile<tile_size, Parent>& tile, T value, Combine combine) {
  for (int step = tile_size / 2; step > 0; step /= 2) {
    value = combine(value, tile.shfl_xor(value, step));
  }
  return value;
}
template <class T, class Combine>
[[gnu::always_inline]] inline T reduce(const coalesced_group& group, T value, Combine combine) {
  T result = group.shfl(value, 0U);
  for (unsigned rank = 1; rank < group.size(); ++rank) {
    result = combine(result, group.shfl(value, rank));
  }
  return result;
}

/// Combines the values of the threads of a tile up to the caller's, in the order of their ranks.
template <unsigned tile_size, class Parent, class T, class Combine>
[[gnu::always_inline]] inline T inclusive_scan(const thread_block_tile<tile_size, Parent>& tile, T value, Combine combine) {
  const unsigned rank = tile.thread_rank();
  for (unsigned step = 1; step < tile_size; step *= 2) {
    const T before = tile.shfl_up(value, step);
    if (rank >= step) {
      value = combine(before, value);
    }
  }
  return value;
}
template <class T, class Combine>
[[gnu::always_inline]] inline T inclusive_scan(const coalesced_group& group, T value, Combine combine) {
  const unsigned rank = group.thread_rank();
  T result = group.shfl(value, 0U);
  for (unsigned other = 1; other < group.size(); ++other) {
    const T next = group.shfl(value, other);
    if (other <= rank) {
      result = combine(result, next);
    }
  }
  return result;
}
template <class Group, class T>
[[gnu::always_inline]] inline T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

/// Combines the values of the threads before the caller. The first thread gets T(), whatever is combined, as with CUDA.
template <class Group, class T, class Combine>
[[gnu::always_inline]] inline T exclusive_scan(const Group& group, T value, Combine combine) {
  const T before = group.shfl_up(inclusive_scan(group, value, combine), 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
[[gnu::always_inline]] inline T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

/// All threads of a launch, which can be counted but do not wait for one another: the translator refuses their barrier.
class grid_group {
 public:
  [[gnu::always_inline]] static unsigned long long size() { return num_blocks() * thread_block::size(); }
  [[gnu::always_inline]] static unsigned long long num_threads() { return size(); }
  [[gnu::always_inline]] static unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  [[gnu::always_inline]] static unsigned long long block_rank() {
    PHPC_INDICES_OF_GROUP;
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  [[gnu::always_inline]] static unsigned long long num_blocks() {
    PHPC_INDICES_OF_GROUP;
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  [[gnu::always_inline]] static dim3 block_index() { return thread_block::group_index(); }
  [[gnu::always_inline]] static dim3 group_dim() { return dim_blocks(); }
  [[gnu::always_inline]] static dim3 dim_blocks() {
    PHPC_INDICES_OF_GROUP;
    return dim3(gridDim.x, gridDim.y, gridDim.z);
  }
  /// Whether the threads can wait for one another.
  [[gnu::always_inline]] static bool is_valid() { return false; }
#if defined(PHPC_CUDA_PARSING)
  __attribute__((annotate("phpc refuses grid-wide synchronisation"))) static void sync();
  __attribute__((annotate("phpc refuses grid-wide synchronisation"))) static int barrier_arrive();
  template <class Token>
  __attribute__((annotate("phpc refuses grid-wide synchronisation"))) static void barrier_wait(Token&& token);
#endif
};

[[gnu::always_inline]] inline grid_group this_grid() {
  return {};
}

#if defined(PHPC_CUDA_PARSING)
__attribute__((annotate("phpc refuses grid-wide synchronisation"))) void sync(const grid_group& group);
struct __attribute__((annotate("phpc refuses a group of several devices"))) multi_grid_group {
  void sync() const;
};
multi_grid_group this_multi_grid();
struct __attribute__((annotate("phpc refuses a cluster of blocks"))) cluster_group {
  void sync() const, barrier_arrive() const, barrier_wait() const;
  unsigned block_rank() const, num_blocks() const, thread_rank() const, num_threads() const;
  dim3 block_index() const, dim_blocks() const;
  template <class T>
  T* map_shared_rank(T*, int) const;
};
cluster_group this_cluster();
#endif

}  // namespace cooperative_groups

#undef PHPC_INDICES_OF_GROUP
PHPC_CUDA_END

#include "phpc/cuda/detail/header_end.inc"
