#pragma once
#if !defined(PHPC_CUDA_PARSING)
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>

#include "phpc/cuda/detail/block.hpp"
#include "phpc/cuda/detail/host_launch.hpp"
#include "phpc/cuda/detail/shared.hpp"
#include "phpc/cuda/launch_queue.hpp"
#include "phpc/exec/launch.hpp"
#endif

/// How a translated kernel is launched:
///   void scale_thread(PHPC_THREAD, float* a, float f) { ... the kernel's text ... }
///   void scale(phpc::cuda::Grid phpc_grid, float* a, float f) {
///     PHPC_LAUNCH(phpc_grid, independent, scale_thread(PHPC_INDICES, a, f));
///   }
/// and scale<<<blocks, threads>>>(a, 2) becomes scale(phpc::cuda::Grid(blocks, threads), a, 2).
#if !defined(PHPC_CUDA_PARSING)
/// Stands before a loop over independent threads: its turns may run in the lanes of vectors, whatever they read and write, since
/// CUDA's threads promise each other no order. It needs PHPC_CUDA_VECTORS, which the package's options of phpc::cuda set together
/// with -enable-interleaved-mem-accesses=false: told of no dependences between turns, clang 19 would reorder accesses
/// of one turn as well to make groups of those.
#if PHPC_CUDA_VECTORS
#define PHPC_IN_LANES _Pragma("clang loop vectorize(assume_safety) interleave_count(1)")
#else
#define PHPC_IN_LANES
#endif
/// The same where threads have arrays of their own, which clang's vectoriser would have all lanes share: for the pass
/// src/port/passes/thread_lanes.cpp alone (PHPC_CUDA_THREAD_LANES: the pass runs).
#if PHPC_CUDA_VECTORS && PHPC_CUDA_THREAD_LANES
#define PHPC_IN_OWN_LANES _Pragma("clang loop vectorize(assume_safety) vectorize_width(1) interleave_count(1)")
#else
#define PHPC_IN_OWN_LANES
#endif

/// Stands around a kernel's argument for a parameter `const T* __restrict__`: memory that no thread of the kernel writes. Where
/// the pass src/port/passes/nvidia/read_only_loads.cpp runs (PHPC_CUDA_READ_ONLY_LOADS), it takes this call away and loads by
/// ld.global.nc.
#if defined(__NVPTX__) && PHPC_CUDA_READ_ONLY_LOADS
extern "C" [[gnu::const]] const void* phpc_cuda_read_only(const void* pointer) noexcept;
#define PHPC_READ_ONLY(pointer) static_cast<decltype(pointer)>(phpc_cuda_read_only(pointer))
#else
#define PHPC_READ_ONLY(pointer) pointer
#endif

namespace phpc::cuda {

/// What the threads of a kernel do together, which decides how the host and the x86_64 device run a block.
enum Threads : unsigned {
  independent = 0,   ///< nothing: a loop over the threads
  share_memory = 1,  ///< shared memory: a loop over the threads of a block that says which one runs
  cooperate = 2,     ///< barriers or warp functions: loops between the barriers, or each thread on a stack of its own
  ask_indices = 4,   ///< device functions ask for the indices
  own_arrays = 8,    ///< nothing, but each has arrays of its own, or pointers to its own variables
  in_step = 16,      ///< they may rely on the lanes of a warp going in step: on the host, as far as the pass makes them do so
};

namespace detail {

/// What the parameters of a target region hold: 48 words.
inline constexpr std::size_t most_parameter_bytes = 384;

/// Dynamic shared memory is aligned so, as variables in shared memory are on the host. Scratch of the x86_64 device begins
/// anywhere.
inline constexpr std::size_t shared_alignment = 128;

[[nodiscard, gnu::always_inline]] inline std::byte* aligned(std::byte* memory) {
  return memory + (-reinterpret_cast<std::uintptr_t>(memory) & (shared_alignment - 1));
}

/// Differs from one launch to another, also of kernels of the same name in two sources, and of a header's kernel in two sources
/// that make it for types of one name in anonymous namespaces: device images tell kernels by the names of their types. `source`
/// includes `file`.
consteval std::uint64_t launch_number(std::string_view source, std::string_view file, std::uint64_t line) {
  std::uint64_t hash = 14695981039346656037U ^ line;  // FNV-1a
  for (const std::string_view path : {source, file}) {
    for (const char letter : path) {
      hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211U;
    }
  }
  return hash;
}

/// A kernel of CUDA's kind as exec launches it: one group of work a thread block. Body: called as body(threadIdx, blockIdx,
/// blockDim, gridDim); its bytes travel, as those of a CUDA kernel's parameters do. Remote: the bytes lie in memory of the
/// device.
template <unsigned how, std::uint64_t where, class Body, bool Remote>
struct BlockKernel {
  using Scratch = exec::DynamicScratch;
  static constexpr int team_size = exec::sized_by_launch;
  using ReadsHardwareIndices = void;

  Geometry geometry;
  alignas(8) std::byte bytes[Remote ? sizeof(void*) : (sizeof(Body) + 7) / 8 * 8];

  /// Bytes of a launch are aligned to words, those in memory of a device to 16 bytes: more needs a copy.
  static constexpr bool is_copied = alignof(Body) > (Remote ? 16 : 8);

  [[nodiscard, gnu::always_inline]] std::conditional_t<is_copied, Body, const Body&> body() const {
    const void* place = bytes;
    if constexpr (Remote) {
      __builtin_memcpy(&place, bytes, sizeof(place));
      place = PHPC_READ_ONLY(place);
    }
    if constexpr (is_copied) {
      alignas(Body) std::byte copy[sizeof(Body)];
      __builtin_memcpy(copy, place, sizeof(Body));
      return *reinterpret_cast<const Body*>(copy);
    } else {
      return *static_cast<const Body*>(place);
    }
  }

  [[gnu::always_inline]] void operator()([[maybe_unused]] const exec::Team& team,
                                         [[maybe_unused]] exec::DynamicScratch& scratch) const {
#if defined(__NVPTX__)
    const Indices here = indices_here();
    body()(here.thread_index, here.block_index, here.block_dim, here.grid_dim);
#else
    const uint3 block_index = geometry.block_index(static_cast<std::uint32_t>(team.league_rank()));
    const dim3 block_dim = geometry.block_dim();
    const dim3 grid_dim = geometry.grid_dim();
#if PHPC_GPU_PASS
    if constexpr ((how & ask_indices) != 0) {
      shared_geometry() = geometry;  // every thread writes, and so reads, the same
    }
    body()(geometry.thread_index(static_cast<std::uint32_t>(team.rank())), block_index, block_dim, grid_dim);
#else
    if constexpr (asks_here) {
      std::byte* const memory = aligned(scratch.data);
      const Here here{.indices = {.thread_index = {}, .block_index = block_index, .block_dim = block_dim, .grid_dim = grid_dim},
                      .dynamic_shared = memory + board_bytes,
                      .board = reinterpret_cast<TeamBoard*>(memory),
                      .rank = team.rank(),
                      .size = team.size()};
      phpc_cuda_enter_block(&here);
    }
#if PHPC_CUDA_VECTORS && PHPC_CUDA_THREAD_LANES
    if constexpr ((how & in_step) != 0) {
      if (team.size() == 1 && phpc_cuda_has_steps(&run_in_step)) {
        phpc_cuda_run_cooperating(&run_in_step, this);
        return;
      }
    }
#endif
    if constexpr ((how & cooperate) != 0) {
#if PHPC_CUDA_VECTORS && PHPC_CUDA_THREAD_LANES
      if (team.size() == 1 && run_between_barriers(*this, block_index.x, block_index.y, block_index.z)) {
        return;
      }
#endif
      phpc_cuda_run_cooperating(
          [](const void* kernel) {
            const Indices here = indices_here();
            static_cast<const BlockKernel*>(kernel)->body()(here.thread_index, here.block_index, here.block_dim, here.grid_dim);
          },
          this);
    } else if (team.size() == 1) {
      run_in_turn(body(), block_index, block_dim, grid_dim);
    } else {
      for (int thread = team.rank(); thread < geometry.threads(); thread += team.size()) {
        run_thread(body(), geometry.thread_index(static_cast<std::uint32_t>(thread)), block_index, block_dim, grid_dim);
      }
    }
#endif
#endif
  }

#if !PHPC_GPU_PASS
 private:
  /// Whether the kernel asks where it runs: which thread, or where the block's shared memory is.
  static constexpr bool asks_here = (how & ~own_arrays) != independent;

  [[gnu::always_inline]] static void run_thread(const Body& body, uint3 thread, uint3 block, dim3 block_dim, dim3 grid_dim) {
    if constexpr (asks_here) {
      phpc_cuda_here()->indices.thread_index = thread;
    }
    body(thread, block, block_dim, grid_dim);
  }

#if PHPC_CUDA_VECTORS && PHPC_CUDA_THREAD_LANES
  /// What a thread runs on a stack of its own, in which the pass src/port/passes/thread_steps.cpp puts steps (phpc_cuda_step).
  [[gnu::noinline]] static void run_in_step(const void* kernel) {
    const Indices here = indices_here();
    static_cast<const BlockKernel*>(kernel)->body()(here.thread_index, here.block_index, here.block_dim, here.grid_dim);
  }

  /// The text of one thread, which the pass src/port/passes/regions makes run all threads of a block, in loops between
  /// the barriers. Returns false, having done nothing, where the pass has not.
  [[gnu::noinline]] static bool run_between_barriers(const BlockKernel& __restrict__ kernel, unsigned x, unsigned y, unsigned z) {
    const dim3 block_dim = kernel.geometry.block_dim();
    if (!phpc_cuda_runs_block(block_dim.x, block_dim.y, block_dim.z)) {
      return false;
    }
    const uint3 thread{phpc_cuda_thread_index(0), phpc_cuda_thread_index(1), phpc_cuda_thread_index(2)};
    constexpr unsigned most_threads = 1024;
    __builtin_assume(thread.x < most_threads && thread.y < most_threads && thread.z < most_threads);
    kernel.body()(thread, uint3{x, y, z}, block_dim, kernel.geometry.grid_dim());
    return true;
  }
#endif

  /// Runs the threads of a block one after another, or, where they are independent, several at a time in the lanes of vectors.
  /// The parameters are a copy, which nothing that the kernel writes can change.
  [[gnu::always_inline]] static void run_in_turn(const Body body, uint3 block, dim3 block_dim, dim3 grid_dim) {
    for (unsigned z = 0; z < block_dim.z; ++z) {
      for (unsigned y = 0; y < block_dim.y; ++y) {
        if constexpr (how == independent) {
          PHPC_IN_LANES
          for (unsigned x = 0; x < block_dim.x; ++x) {
            run_thread(body, uint3{x, y, z}, block, block_dim, grid_dim);
          }
        } else if constexpr (how == own_arrays) {
          PHPC_IN_OWN_LANES
          for (unsigned x = 0; x < block_dim.x; ++x) {
            run_thread(body, uint3{x, y, z}, block, block_dim, grid_dim);
          }
        } else {
          for (unsigned x = 0; x < block_dim.x; ++x) {
            run_thread(body, uint3{x, y, z}, block, block_dim, grid_dim);
          }
        }
      }
    }
  }
#endif
};

/// Runs the blocks first .. last - 1 of a launch on the host, one after another in the calling thread.
template <class Kernel>
void run_blocks(const void* kernel, index_t first, index_t last, index_t blocks, exec::DynamicScratch& scratch) {
  for (index_t block = first; block < last; ++block) {
    exec::detail::spoil(scratch);
    (*static_cast<const Kernel*>(kernel))(exec::Team(block, blocks, 0, 1), scratch);
  }
}

template <class Kernel>
void launch_blocks(exec::Device device, const Grid& grid, const Kernel& kernel) {
  const bool is_gpu = device.is_gpu();
  const int threads = kernel.geometry.threads();
  const index_t blocks = static_cast<index_t>(grid.grid.x) * grid.grid.y * grid.grid.z;
  const std::size_t scratch_bytes = grid.shared_bytes + (is_gpu ? 0 : board_bytes + shared_alignment);
  if (device.is_host()) {
    static constinit HostCost cost = 0;
    run_on_host({.run = run_blocks<Kernel>,
                 .kernel = &kernel,
                 .type = typeid(Kernel),
                 .blocks = blocks,
                 .threads_of_block = threads,
                 .scratch_bytes = scratch_bytes},
                cost);
    return;
  }
  constexpr int warp = 32;
  exec::launch_on_target(
      device,
      {.groups = blocks,
       .scratch_bytes = scratch_bytes,
       // A real thread of the x86_64 device takes whole warps.
       .team_size = is_gpu ? threads : std::min((threads + warp - 1) / warp, device.properties().max_team_size),
       .league_box = {grid.grid.x, grid.grid.y, grid.grid.z},
       .team_box = {grid.block.x, grid.block.y, grid.block.z}},
      kernel);
}

}  // namespace detail

/// Launches a kernel whose threads run body(threadIdx, blockIdx, blockDim, gridDim). Does not wait; errors are found by
/// cudaGetLastError and by what waits. `how`: what its threads do together (Threads); `where`: see launch_number; `most_threads`:
/// __launch_bounds__.
template <unsigned how, std::uint64_t where, class Body>
void launch(const Grid& grid, const Body& body, int most_threads = 1024) {
  if (!detail::check_launch(grid, most_threads)) {
    return;
  }
  constexpr bool remote = sizeof(detail::BlockKernel<how, where, Body, false>) > detail::most_parameter_bytes;
  detail::BlockKernel<how, where, Body, remote> kernel;
  kernel.geometry = detail::Geometry(grid.grid, grid.block);
  if constexpr (remote) {
    const auto work = [kernel, grid, copy = std::make_shared<Body>(body)](exec::Device device) {
      const detail::RemoteParameters there(device, copy.get(), sizeof(Body));
      void* const pointer = there.get();
      auto with_pointer = kernel;
      __builtin_memcpy(with_pointer.bytes, &pointer, sizeof(pointer));
      detail::launch_blocks(device, grid, with_pointer);
    };
    detail::enqueue_launch(grid, work);
  } else {
    __builtin_memcpy(kernel.bytes, static_cast<const void*>(&body), sizeof(Body));
    detail::enqueue_launch(grid, [kernel, grid](exec::Device device) { detail::launch_blocks(device, grid, kernel); });
  }
}

}  // namespace phpc::cuda

/// Launches a kernel: what its threads do together, then the call of its function by each of them.
#define PHPC_LAUNCH(grid, how, ...) PHPC_LAUNCH_BOUNDED(grid, 1024, how, __VA_ARGS__)
/// The same of a kernel with __launch_bounds__(most_threads). The names of Threads are known where `how` stands alone: a kernel's
/// parameter may have the name of one.
#define PHPC_LAUNCH_BOUNDED(grid, most_threads, how, ...)                                               \
  {                                                                                                     \
    constexpr unsigned phpc_how = [] {                                                                  \
      using enum phpc::cuda::Threads;                                                                   \
      return static_cast<unsigned>(how);                                                                \
    }();                                                                                                \
    phpc::cuda::launch<phpc_how, phpc::cuda::detail::launch_number(__BASE_FILE__, __FILE__, __LINE__)>( \
        grid, [=](PHPC_THREAD) __attribute__((always_inline)) { __VA_ARGS__; }, most_threads);          \
  }
/// The function of a thread of a kernel that macros name: PHPC_THREAD_OF(CONCAT(scale_, 2)) is scale_2_thread.
#define PHPC_THREAD_OF(name) PHPC_THREAD_OF_NAME(name)
#define PHPC_THREAD_OF_NAME(name) name##_thread
/// Stands where a kernel's text says `__global__`: its function is a part of what each thread runs.
#define PHPC_KERNEL __attribute__((always_inline))
#endif
