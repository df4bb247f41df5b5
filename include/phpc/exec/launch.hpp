#pragma once
#include <omp.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "phpc/core/error.hpp"
#include "phpc/core/first_error.hpp"
#include "phpc/exec/buffer.hpp"
#include "phpc/exec/device.hpp"
#include "phpc/exec/launch_trace.hpp"
#include "phpc/exec/target_region.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::exec {

/// A kernel: a trivially copyable functor, called once per group of work by every thread of a team.
///   K::Scratch    trivial struct shared by the team, uninitialised, or DynamicScratch
///   K::team_size  threads of a team on a GPU, compile-time, so that the register budget follows from it. A team of the
///                 x86_64 device has as many, or K::x86_64_team_size where there is that; one of the host has one. Or
///                 sized_by_launch: LaunchShape::team_size says how many.
/// The call operator never allocates, prints or throws, and is right for any Team::size() from 1 to K::team_size. Mark it and its
/// helpers [[gnu::always_inline]] (clang 19 otherwise left a radix-16 FFT kernel as a real call, far slower).
template <class K>
concept TeamKernel = std::is_trivially_copyable_v<K> && std::is_trivially_default_constructible_v<typename K::Scratch> &&
                     requires(const K kernel, const Team team, typename K::Scratch& scratch) {
                       { K::team_size } -> std::convertible_to<int>;
                       { kernel(team, scratch) } -> std::same_as<void>;
                     };

/// How much work a launch is, and in what teams.
struct LaunchShape {
  index_t groups = 0;  ///< groups of work; 0 launches nothing
  /// Teams of the league; 0 = one a group. Fewer teams each take every `teams`-th group.
  /// Kernels with K::team_size == sized_by_launch have one a group on a GPU, at most INT_MAX.
  index_t teams = 0;
  std::size_t scratch_bytes = 0;  ///< of a team, for kernels with DynamicScratch
  int team_size = 0;              ///< threads of a team, for kernels with K::team_size == sized_by_launch
  /// The groups and the threads of a team as boxes, for kernels with K::team_size == sized_by_launch and a member type
  /// ReadsHardwareIndices. Their code for NVIDIA GPUs asks the hardware for its indices, which have these sides there.
  Box league_box = {};
  Box team_box = {};
};

namespace detail {

struct HostFree {
  void operator()(std::byte* pointer) const { free_bytes(Device::host(), pointer); }
};

/// Scratch of one host team: on the thread's stack while it is small.
template <class K>
class HostScratch {
  static constexpr bool on_stack = !has_dynamic_scratch<K>;
  struct Heap {
    Heap(std::size_t bytes, FirstError& error) {
      error.guard([&] {
        bytes_.reset(static_cast<std::byte*>(allocate_bytes(Device::host(), bytes)));
        memory_ = {bytes_.get(), bytes};
        allocated_ = true;
      });
    }
    [[nodiscard]] bool allocated() const { return allocated_; }
    typename K::Scratch& get() { return scratch_at<K>(memory_); }
    std::unique_ptr<std::byte, HostFree> bytes_;
    DynamicScratch memory_{};
    bool allocated_ = false;
  };
  struct Stack {
    Stack(std::size_t /*bytes*/, FirstError& /*error*/) {}
    [[nodiscard]] static constexpr bool allocated() { return true; }
    typename K::Scratch& get() { return scratch_; }
    alignas(64) typename K::Scratch scratch_;
  };

 public:
  /// Without the memory for it, scratch is not allocated() and `error` holds the reason.
  HostScratch(std::size_t bytes, FirstError& error) : storage_(bytes, error) {}
  [[nodiscard]] bool allocated() const { return storage_.allocated(); }
  typename K::Scratch& get() { return storage_.get(); }

 private:
  std::conditional_t<on_stack, Stack, Heap> storage_;
};

/// Threads of a team on a GPU.
template <class K>
constexpr int team_size_of(const LaunchShape& shape) {
  return K::team_size == sized_by_launch ? shape.team_size : K::team_size;
}

/// Bytes of a team's scratch.
template <class K>
constexpr std::size_t scratch_bytes_of(const LaunchShape& shape) {
  return std::is_same_v<typename K::Scratch, DynamicScratch> ? shape.scratch_bytes : sizeof(typename K::Scratch);
}

/// Bytes of it that are no static array on a GPU, in whole units of 16.
template <class K>
constexpr std::size_t dynamic_bytes(const LaunchShape& shape) {
  return has_dynamic_scratch<K> ? (scratch_bytes_of<K>(shape) + 15) / 16 * 16 : 0;
}

}  // namespace detail

/// Runs every group on the host's OpenMP threads: a team of one thread each, groups handed out dynamically in small runs.
/// Throws Error(memory) when a thread finds no memory for its scratch.
template <TeamKernel K>
void launch_on_host(const LaunchShape& shape, const K& kernel) {
  const index_t groups = shape.groups;
  const std::size_t bytes = detail::scratch_bytes_of<K>(shape);
  const index_t chunk = std::max<index_t>(1, groups / (16 * static_cast<index_t>(omp_get_max_threads())));
  FirstError error;
  LaunchTrace trace(Device::host(), typeid(K), groups);
  trace.teams(groups > 1 ? omp_get_max_threads() : 1, 1, bytes);
#pragma omp parallel if (groups > 1)
  {
    detail::HostScratch<K> scratch(bytes, error);
#pragma omp for schedule(dynamic, chunk)
    for (index_t group = 0; group < groups; ++group) {
      if (scratch.allocated()) {
        detail::spoil(scratch.get());
        kernel(Team(group, groups, 0, 1), scratch.get());
      }
    }
  }
  error.rethrow();
}

/// Runs every group in a target region on `device` (not the host) and waits for it (but see unfinished_launches.hpp).
/// Throws Error(device) or Error(memory) when the team or its scratch does not fit, with both figures.
template <TeamKernel K>
void launch_on_target([[maybe_unused]] Device device, [[maybe_unused]] const LaunchShape& shape,
                      [[maybe_unused]] const K& kernel) {
#if PHPC_WITH_OFFLOAD
  if (shape.groups <= 0) {
    return;
  }
  const std::size_t bytes = detail::dynamic_bytes<K>(shape);
  LaunchTrace trace(device, typeid(K), shape.groups);
  detail::LeaguePlan plan = detail::plan_league(device, shape.groups, shape.teams, detail::team_size_of<K>(shape), bytes);
  if (K::team_size == sized_by_launch && plan.is_gpu) {
    plan.teams = static_cast<int>(shape.groups);
    if constexpr (requires { typename K::ReadsHardwareIndices; }) {
      detail::shape_next_launch(device, shape.league_box, shape.team_box);
    }
  }
  trace.teams(plan.teams, plan.is_gpu || K::team_size == sized_by_launch ? plan.team_size : detail::standard_team_size<K>,
              detail::scratch_bytes_of<K>(shape));
  int fallback = 0;
  detail::run_region(plan, shape.groups, bytes, kernel, &fallback);
  detail::release_league(device, plan);
  detail::check_launch();
  if (fallback != 0) {
    detail::fell_back_to_host(device);
  }
#else
  detail::fell_back_to_host(device);
#endif
}

/// launch() for kernels that exist on GPUs only, so that no host or x86_64 code is made for them, and none at all where there
/// are no images for GPUs. Throws as launch_on_target does.
#if PHPC_WITH_GPU_IMAGES
template <TeamKernel K>
void launch_on_gpu(Device device, const LaunchShape& shape, const K& kernel) {
  static_assert(detail::runs_bare<K>, "the team is too wide");
  if (shape.groups <= 0) {
    return;
  }
  const std::size_t bytes = detail::dynamic_bytes<K>(shape);
  LaunchTrace trace(device, typeid(K), shape.groups);
  detail::LeaguePlan plan = detail::plan_league(device, shape.groups, shape.teams, detail::team_size_of<K>(shape), bytes);
  if (K::team_size == sized_by_launch) {
    plan.teams = static_cast<int>(shape.groups);
  }
  trace.teams(plan.teams, plan.team_size, detail::scratch_bytes_of<K>(shape));
  int fallback = 0;
  detail::run_bare_region(plan, shape.groups, bytes, kernel, &fallback);
  detail::check_launch();
  if (fallback != 0) {
    detail::fell_back_to_host(device);
  }
}
#else
template <class K>
void launch_on_gpu(Device device, const LaunchShape& /*shape*/, const K& /*kernel*/) {
  detail::fell_back_to_host(device);
}
#endif

/// Runs `kernel` for every group of `shape` on `device` and waits for it (but see unfinished_launches.hpp).
template <TeamKernel K>
void launch(Device device, const LaunchShape& shape, const K& kernel) {
  if (shape.groups <= 0) {
    return;
  }
  if (device.is_host()) {
    launch_on_host(shape, kernel);
  } else {
    launch_on_target(device, shape, kernel);
  }
}

}  // namespace phpc::exec
