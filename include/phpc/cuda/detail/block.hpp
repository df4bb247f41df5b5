#pragma once
#if !defined(PHPC_CUDA_PARSING)
#include <atomic>
#endif
#include <cstddef>

#include "phpc/cuda/indices.hpp"

/// What a thread block is on the host and on the x86_64 device, where one host thread runs many of its threads: one after another
/// in a loop, or, where they meet in barriers or warps, in loops between these (src/port/passes/regions) or in turns,
/// each on a stack of its own (src/cuda/blocks/block_threads.cpp).
/// These functions of libphpc_cuda are called by host code and from within x86_64 images, which are libraries of the same
/// process.
#if !defined(PHPC_CUDA_PARSING)
namespace phpc::cuda::detail {

/// What the scratch of a team holds before the dynamic shared memory, where that is not a GPU's.
inline constexpr std::size_t board_bytes = 128;

}  // namespace phpc::cuda::detail
#endif

#if !defined(PHPC_CUDA_PARSING) && !PHPC_GPU_PASS
/// Keeps compilers from making the calls of a function depend on more conditions than the text does.
#if defined(__clang__)
#define PHPC_CONVERGENT [[clang::convergent]]
#else
#define PHPC_CONVERGENT
#endif

namespace phpc::cuda::detail {

struct SharedVariables;

/// What several host threads (the real threads of an x86_64 team) know of the block that they run together. It lies at the start
/// of the team's scratch; the dynamic shared memory follows it.
struct TeamBoard {
  SharedVariables* variables;
  /// For three barriers in turn: how many threads wait there, and for how many of them the predicate holds.
  std::atomic<int> waiting[3];
  std::atomic<int> votes[3];
};
static_assert(sizeof(TeamBoard) <= board_bytes);

/// The block that the calling host thread runs, and which of its threads runs now.
struct Here {
  Indices indices;
  std::byte* dynamic_shared;
  TeamBoard* board;
  int rank;  ///< of this host thread in its team
  int size;  ///< host threads of the team
};

/// One lane in a warp function. Lanes that give the same mask and `finish` meet; the last to come calls `finish`.
struct WarpMeeting {
  unsigned mask;       ///< the lanes that are awaited, those gone excepted
  bool whoever_comes;  ///< waits until no lane of the warp can run on, then takes those that are here (__activemask)
  unsigned present;    ///< out: the lanes that met
  int lane;            ///< out: the caller's lane, 0 .. 31
  void (*finish)(WarpMeeting* const* lanes, unsigned present);  ///< lanes: 32 pointers, null where there is none; may be null
};

/// What a barrier tells each thread.
struct BarrierVotes {
  int waiting;  ///< how many threads wait
  int votes;    ///< for how many of them the predicate holds
};

/// A variable in shared memory, of a kernel or of several; its number is given when a block first asks for it.
struct SharedVariable {
  std::atomic<int> number{-1};
};

// The pass src/port/passes/regions knows these functions by their names.
extern "C" {
[[gnu::const]] Here* phpc_cuda_here() noexcept;  // the same for all that a host thread runs
/// Begins a block; all host threads of the team call it.
void phpc_cuda_enter_block(const Here* here) noexcept;
/// Runs `thread(body)` for every thread of the block, each of which may wait for others.
void phpc_cuda_run_cooperating(void (*thread)(const void* body), const void* body) noexcept;
/// __syncthreads.
PHPC_CONVERGENT BarrierVotes phpc_cuda_barrier(bool predicate) noexcept;
void phpc_cuda_meet(WarpMeeting* meeting) noexcept;
/// Lets the lanes of the warp that are at smaller positions in the kernel's text go on, until the caller is among those at the
/// least. The pass puts it before accesses by which lanes may exchange values in step. place: what memory the access will read,
/// null where it may write some.
PHPC_CONVERGENT void phpc_cuda_step(unsigned position, const void* place) noexcept;
/// Whether `thread`, which phpc_cuda_run_cooperating is given, has such calls: false, but where the pass has put them there and
/// true in the place of this call.
bool phpc_cuda_has_steps(void (*thread)(const void* body)) noexcept;
/// The memory of a shared variable in the block that the caller runs.
void* phpc_cuda_shared_variable(SharedVariable* variable, std::size_t bytes) noexcept;
/// Whether the calling function, which has the text of one thread, runs all threads of a block of these sides: false, but where
/// the pass has cut its text at the barriers and put true in the place of the call.
bool phpc_cuda_runs_block(unsigned x, unsigned y, unsigned z) noexcept;
/// threadIdx in such a function; axis: 0 .. 2.
unsigned phpc_cuda_thread_index(int axis) noexcept;
/// Memory for what the threads of the block that the caller runs keep over barriers, aligned to 64 bytes; uninitialised, the
/// library's, valid until the calling host thread asks again.
void* phpc_cuda_contexts(std::size_t bytes) noexcept;
}

[[nodiscard]] inline Indices indices_here() {
  return phpc_cuda_here()->indices;
}

}  // namespace phpc::cuda::detail
#endif
