#pragma once
#include <cstddef>

#include "phpc/core/error.hpp"
#include "phpc/core/types.hpp"

/// 1 while a translation unit is compiled for a GPU, where scratch is true shared memory and a team is a work-group.
#if defined(__NVPTX__) || defined(__AMDGCN__)
#define PHPC_GPU_PASS 1
#else
#define PHPC_GPU_PASS 0
#endif

/// The attribute of a member function of a kernel that holds one of several stages: part of the kernel on GPUs, where its
/// variables stay in registers, and a function of its own elsewhere. There clang took three times as long for all radices of an
/// FFT in one function (49 s against 15 s for the tests of the general kernel). Single transforms of 8 to 2048 elements on the
/// x86_64 device, most of whose time is the launch, took 240 to 270 us at least both ways; longer work was not measured.
#if PHPC_GPU_PASS
#define PHPC_TEAM_STAGE [[gnu::always_inline]]
#else
#define PHPC_TEAM_STAGE [[gnu::noinline]]
#endif

namespace phpc::exec {

#if PHPC_GPU_PASS
/// What a thread of a GPU reads of itself from registers, and the barrier of its team.
namespace gpu {

[[nodiscard, gnu::always_inline]] inline int thread_rank() {
#if defined(__NVPTX__)
  return __nvvm_read_ptx_sreg_tid_x();
#else
  return static_cast<int>(__builtin_amdgcn_workitem_id_x());
#endif
}

[[nodiscard, gnu::always_inline]] inline int team_size() {
#if defined(__NVPTX__)
  return __nvvm_read_ptx_sreg_ntid_x();
#else
  return __builtin_amdgcn_workgroup_size_x();
#endif
}

[[nodiscard, gnu::always_inline]] inline int team_number() {
#if defined(__NVPTX__)
  return __nvvm_read_ptx_sreg_ctaid_x();
#else
  return static_cast<int>(__builtin_amdgcn_workgroup_id_x());
#endif
}

[[gnu::always_inline]] inline void team_barrier() {
#if defined(__NVPTX__)
  __nvvm_bar_sync(0);
#else
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
#endif
}

}  // namespace gpu
#endif

/// A team (work-group) as one of its threads sees it. The league is the set of all groups of work of one launch.
///
/// A kernel must be right for every size() >= 1: it loops `for (i = team.rank(); i < count; i += team.size())` between
/// barriers and keeps nothing in registers across a barrier that a thread with several items could not keep.
class Team {
 public:
  [[gnu::always_inline]] Team(index_t league_rank, index_t league_size, int rank, int size)
      : league_rank_(league_rank), league_size_(league_size), rank_(rank), size_(size) {
    PHPC_EXPECT(0 <= rank && rank < size && 0 <= league_rank && league_rank < league_size);
  }

  /// Which group of work this is, 0-based, and how many there are.
  [[nodiscard, gnu::always_inline]] index_t league_rank() const { return league_rank_; }
  [[nodiscard, gnu::always_inline]] index_t league_size() const { return league_size_; }
  /// Which thread of the team this is, 0-based, and how many there are (a host team: 1).
  [[nodiscard, gnu::always_inline]] int rank() const { return rank_; }
  [[nodiscard, gnu::always_inline]] int size() const { return size_; }

  /// Waits until all threads of the team have arrived; scratch and global writes of the team are then visible to it.
  /// A team of one thread must not meet `omp barrier`: on the host that would bind to the region of all teams.
  [[gnu::always_inline]] void barrier() const {
    if (size_ > 1) {
#if PHPC_GPU_PASS
      gpu::team_barrier();  // the same for `parallel` regions in SPMD mode and for bare ones, where OpenMP's may not be used
#else
#pragma omp barrier
#endif
    }
  }

 private:
  index_t league_rank_;
  index_t league_size_;
  int rank_;
  int size_;
};

/// The Scratch type of a kernel whose scratch size is known only at run time (LaunchShape::scratch_bytes).
struct DynamicScratch {
  std::byte* data;  ///< aligned to 16 bytes on a GPU, 128 on the host (two packs of AVX-512); uninitialised
  std::size_t bytes;

  /// Whether what a kernel has laid out up to `end` fits, for PHPC_EXPECT.
  [[nodiscard, gnu::always_inline]] bool reaches(const void* end) const { return end <= data + bytes; }
};

}  // namespace phpc::exec
