#pragma once
#include <omp.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "phpc/exec/buffer.hpp"
#include "phpc/exec/device.hpp"
#include "phpc/exec/team.hpp"

/// The one place where kernels meet a device: nothing else in the project says `omp target`. Programs call launch() (launch.hpp).
namespace phpc::exec {

/// Static scratch on a GPU ends at 48 KiB, part of which is the OpenMP run-time library's; above that the launcher takes dynamic
/// group memory (up to 227 KiB on a Hopper multiprocessor).
inline constexpr std::size_t static_scratch_limit = 47 * 1024;

/// K::team_size of a kernel whose teams get their size at the launch (LaunchShape::team_size). Such a kernel has DynamicScratch,
/// and a team of its own for every group of work on a GPU, where a thread that returns early is gone from the barriers of its
/// team.
inline constexpr int sized_by_launch = 0;

/// Sides of a box of threads or teams; x runs fastest.
struct Box {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;
};

namespace detail {

/// The league of one launch on one device.
struct LeaguePlan {
  int omp_device;
  int teams;
  int team_size = 0;
  std::size_t group_memory_bytes = 0;  ///< dynamic group memory to ask for, 0 = none
  void* pool = nullptr;                ///< device memory for `teams` scratches where there is no group memory
  bool is_gpu = false;
};
/// Plans a launch: checks team and scratch against what the device has. Throws Error(device) or Error(memory).
LeaguePlan plan_league(Device device, index_t groups, index_t teams, int team_size, std::size_t dynamic_scratch_bytes);
/// Gives back the plan's pool.
void release_league(Device device, const LeaguePlan& plan) noexcept;
/// Throws Error(device): the region ran on the host instead of the device.
[[noreturn]] void fell_back_to_host(Device device);
/// Gives the calling thread's next launch on an NVIDIA GPU a league and teams of these sides; on other devices it has no effect.
void shape_next_launch(Device device, const Box& league, const Box& team);
/// Throws Error(device) if the calling thread's last launch was refused or failed.
void check_launch();

/// The widest team that can run in a bare region whatever registers its kernel needs: 256 threads of 255 registers fill a
/// multiprocessor.
inline constexpr int widest_bare_team = 256;

/// Whether a kernel runs in a bare region (bare_region in target_regions.inc) on GPUs. One of a wider team does if it says, with
/// a member type RegistersAreCapped, that its source is compiled for no more registers than there are; with more the launch would
/// fail. One that is launched before the kind of the device is known does not, and says so with a member type
/// RunsOnUnknownDevice.
template <class K>
inline constexpr bool runs_bare = (K::team_size <= widest_bare_team || requires { typename K::RegistersAreCapped; }) &&
                                  !requires { typename K::RunsOnUnknownDevice; };

/// Threads of a team in a standard region: those of a GPU's team, but for a kernel that runs bare on GPUs and has another number
/// on the x86_64 device, its member x86_64_team_size. (It is a constant in the host's code too: what is no constant
/// there becomes an argument of the region, and must then be one in each image.)
template <class K>
inline constexpr int standard_team_size = [] {
  if constexpr (requires { K::x86_64_team_size; }) {
    static_assert(runs_bare<K> && K::x86_64_team_size <= K::team_size);
    return K::x86_64_team_size;
  } else {
    return K::team_size;
  }
}();

/// Whether scratch is dynamic group memory on a GPU, not a static array.
template <class K>
inline constexpr bool has_dynamic_scratch =
    std::is_same_v<typename K::Scratch, DynamicScratch> || (sizeof(typename K::Scratch) > static_scratch_limit);

/// A kernel's scratch in the memory of a team.
template <class K>
[[nodiscard, gnu::always_inline]] inline typename K::Scratch& scratch_at(DynamicScratch& memory) {
  if constexpr (std::is_same_v<typename K::Scratch, DynamicScratch>) {
    return memory;
  } else {
    return *reinterpret_cast<typename K::Scratch*>(memory.data);
  }
}

/// Fills scratch with bytes 0xff, which are NaN as floating point numbers and -1 as integers, before a group of a debug build: a
/// kernel that reads what it has not written then shows it on host threads and on the x86_64 device.
template <class Scratch>
[[gnu::always_inline]] inline void spoil([[maybe_unused]] Scratch& scratch) {
#if !defined(NDEBUG) && !PHPC_GPU_PASS
  if constexpr (std::is_same_v<Scratch, DynamicScratch>) {
    __builtin_memset(scratch.data, 0xff, scratch.bytes);
  } else if constexpr (!std::is_empty_v<Scratch>) {
    __builtin_memset(static_cast<void*>(&scratch), 0xff, sizeof(scratch));
  }
#endif
}

}  // namespace detail
}  // namespace phpc::exec

#if PHPC_WITH_OFFLOAD
extern "C" void* llvm_omp_target_dynamic_shared_alloc();

namespace phpc::exec::detail {

/// Returns the number, which the compiler of NVIDIA code cannot know to be the same.
[[nodiscard, gnu::always_inline]] inline int opaque_copy(int number) {
#if defined(__NVPTX__)
  int same;
  asm volatile("mov.u32 %0, %1;" : "=r"(same) : "r"(number));
  return same;
#else
  return number;
#endif
}

/// Runs one thread's loop over the groups of its team.
template <class K>
[[gnu::always_inline]] inline void run_groups(const K kernel, int team, int teams, int rank, int size, index_t groups,
                                              typename K::Scratch& scratch) {
  for (index_t group = team; group < groups; group += teams) {
    // Addresses that depend on the rank are the same for every group; computed once and held, they cost more than they save where
    // a team has but one group (registers of an FFT of 4096 in f32: 97 with them, 64 without; 3810 and 4070 GB/s on an H200).
    const int own_rank = opaque_copy(rank);
    __builtin_assume(own_rank >= 0 && own_rank < size);
    const Team here(group, groups, own_rank, size);
#if !defined(NDEBUG) && !PHPC_GPU_PASS
    if (rank == 0) {
      spoil(scratch);
    }
    here.barrier();
#endif
    kernel(here, scratch);
    // The next group writes the scratch that this one may still be reading.
    if constexpr (!std::is_empty_v<typename K::Scratch>) {
      here.barrier();
    }
  }
}

// A kernel travels as words that the launch passes by value. Given to a target region as it is (firstprivate), a functor would
// first be copied to device memory, about 1 us a launch, and its pointers be read from there as generic ones. Words of pointer
// type would be looked up among the mapped variables, 0.3 us each. Integers are plain kernel parameters, 0.02 us each: so there
// is a short form for small kernels, and a longest one for those whose teams are sized by the launch: kernels of CUDA programs
// have many parameters.
using Word = std::uint64_t;
inline constexpr std::size_t short_form = 8;
inline constexpr std::size_t long_form = 24;
inline constexpr std::size_t longest_form = 48;

/// A word as a pointer to global memory, so that the accesses through a kernel's pointers compile to global ones. For a word that
/// holds anything else this changes nothing: global addresses are the same number in both address spaces.
[[nodiscard, gnu::always_inline]] inline void* global_pointer(Word word) {
#if PHPC_GPU_PASS
  return (void*)(reinterpret_cast<__attribute__((address_space(1))) void*>(word));
#else
  return reinterpret_cast<void*>(word);
#endif
}

/// Puts a kernel together from its words.
template <class K, class... Words>
[[nodiscard, gnu::always_inline]] inline K kernel_from(Words... words) {
  void* const word[] = {global_pointer(words)...};
  K kernel;
  __builtin_memcpy(&kernel, word, sizeof(K));
  return kernel;
}

/// The scratch of this team: dynamic group memory on a GPU, else its part of the pool.
[[nodiscard, gnu::always_inline]] inline std::byte* team_memory([[maybe_unused]] Word pool,
                                                                [[maybe_unused]] std::size_t scratch_bytes) {
#if defined(__NVPTX__)
  // Through a number, so that the compiler sees an address of shared memory: with generic ones an FFT of 1024 columns took 96
  // registers, with these 79.
  std::uint64_t address = reinterpret_cast<std::uint64_t>(llvm_omp_target_dynamic_shared_alloc());
  asm("cvta.to.shared.u64 %0, %0;" : "+l"(address));
  return (std::byte*)(reinterpret_cast<__attribute__((address_space(3))) std::byte*>(address));
#elif PHPC_GPU_PASS
  return static_cast<std::byte*>(llvm_omp_target_dynamic_shared_alloc());
#else
  return reinterpret_cast<std::byte*>(pool) + static_cast<std::size_t>(omp_get_team_num()) * scratch_bytes;
#endif
}

/// Does what one thread of a standard region does. GPU images hold nothing here for kernels that run bare there.
template <class K>
[[gnu::always_inline]] inline void standard_body([[maybe_unused]] const K kernel, [[maybe_unused]] index_t groups,
                                                 [[maybe_unused]] Word fallback, [[maybe_unused]] typename K::Scratch& scratch) {
#if PHPC_GPU_PASS
  if constexpr (!runs_bare<K>) {
    // thread_limit is a constant, so the hardware gives exactly that many. Were it ever to give fewer (OMP_THREAD_LIMIT in the
    // environment), a kernel that counts on them would be silently wrong: stop the launch instead.
    if (omp_get_num_threads() != K::team_size) {
      __builtin_trap();
    }
    run_groups(kernel, omp_get_team_num(), omp_get_num_teams(), omp_get_thread_num(), K::team_size, groups, scratch);
  }
#elif defined(PHPC_X86_64_IMAGE)
  run_groups(kernel, omp_get_team_num(), omp_get_num_teams(), omp_get_thread_num(), omp_get_num_threads(), groups, scratch);
#else
  *reinterpret_cast<int*>(fallback) = 1;  // this is the host's code, which libomptarget falls back to
#endif
}

template <class K>
[[gnu::always_inline]] inline void standard_body(const K kernel, index_t groups, Word fallback, Word pool, std::size_t bytes) {
  DynamicScratch memory{team_memory(pool, bytes), bytes};
  standard_body(kernel, groups, fallback, scratch_at<K>(memory));
}

/// Does what one thread of a bare region does. These are launched on GPUs only, so any other code is the host's.
template <class K>
[[gnu::always_inline]] inline void bare_body([[maybe_unused]] const K kernel, [[maybe_unused]] int teams,
                                             [[maybe_unused]] index_t groups, [[maybe_unused]] Word fallback,
                                             [[maybe_unused]] std::size_t bytes) {
#if PHPC_GPU_PASS
  if constexpr (runs_bare<K>) {
    if (K::team_size != sized_by_launch && gpu::team_size() != K::team_size) {
      __builtin_trap();
    }
    if constexpr (K::team_size == sized_by_launch) {
      DynamicScratch memory{team_memory(0, bytes), bytes};
      kernel(Team(gpu::team_number(), groups, gpu::thread_rank(), gpu::team_size()), memory);
    } else if constexpr (has_dynamic_scratch<K>) {
      DynamicScratch memory{team_memory(0, bytes), bytes};
      run_groups(kernel, gpu::team_number(), teams, gpu::thread_rank(), K::team_size, groups, scratch_at<K>(memory));
    } else {
      // Shared memory holds no initial values: a zero-initialised static there is refused by the AMD back end.
      [[clang::loader_uninitialized]] static typename K::Scratch scratch;
#pragma omp allocate(scratch) allocator(omp_pteam_mem_alloc)
      run_groups(kernel, gpu::team_number(), teams, gpu::thread_rank(), K::team_size, groups, scratch);
    }
  }
#else
  *reinterpret_cast<int*>(fallback) = 1;
#endif
}

#include "phpc/exec/target_regions.inc"

/// Calls run(words...) with the words of the kernel.
template <class K, class Run>
void with_words(const K& kernel, Run run) {
  constexpr std::size_t words = sizeof(K) <= short_form * sizeof(Word)                                     ? short_form
                                : sizeof(K) <= long_form * sizeof(Word) || K::team_size != sized_by_launch ? long_form
                                                                                                           : longest_form;
  static_assert(sizeof(K) <= words * sizeof(Word), "a kernel holds views and sizes; put tables into device memory");
  Word word[words] = {};
  __builtin_memcpy(word, &kernel, sizeof(K));
  [&]<std::size_t... I>(std::index_sequence<I...>) { run(word[I]...); }(std::make_index_sequence<words>{});
}

/// Runs the kernel in a bare region; `*fallback` becomes 1 if it ran on the host.
template <class K>
void run_bare_region(const LeaguePlan& plan, index_t groups, std::size_t scratch_bytes, const K& kernel, int* fallback) {
  const auto flag = reinterpret_cast<Word>(fallback);
  with_words(kernel, [&](auto... word) {
    if constexpr (K::team_size == sized_by_launch) {
      bare_sized_region<K>(plan, groups, flag, scratch_bytes, word...);
    } else {
      bare_region<K>(plan, groups, flag, scratch_bytes, word...);
    }
  });
}

/// Runs the kernel in a standard region; `*fallback` becomes 1 if it ran on the host.
template <class K>
void run_standard_region(const LeaguePlan& plan, index_t groups, std::size_t scratch_bytes, const K& kernel, int* fallback) {
  const auto flag = reinterpret_cast<Word>(fallback);
  with_words(kernel, [&](auto... word) {
    if constexpr (K::team_size == sized_by_launch) {
      sized_region<K>(plan, groups, flag, reinterpret_cast<Word>(plan.pool), scratch_bytes, word...);
    } else if constexpr (has_dynamic_scratch<K>) {
      dynamic_region<K>(plan, groups, flag, reinterpret_cast<Word>(plan.pool), scratch_bytes, word...);
    } else {
      static_region<K>(plan, groups, flag, word...);
    }
  });
}

/// Runs the kernel in the kind of region that the device takes; `*fallback` becomes 1 if it ran on the host.
template <class K>
void run_region(const LeaguePlan& plan, index_t groups, std::size_t scratch_bytes, const K& kernel, int* fallback) {
#if PHPC_WITH_GPU_IMAGES
  if constexpr (runs_bare<K>) {
    if (plan.is_gpu) {
      run_bare_region(plan, groups, scratch_bytes, kernel, fallback);
      return;
    }
  }
#endif
  run_standard_region(plan, groups, scratch_bytes, kernel, fallback);
}

}  // namespace phpc::exec::detail
#endif  // PHPC_WITH_OFFLOAD
