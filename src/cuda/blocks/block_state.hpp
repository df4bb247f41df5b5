#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>

#include "cuda/blocks/fiber.hpp"
#include "phpc/cuda/detail/block.hpp"

/// What is known of the threads and warps of a block while a host thread runs them in turns (block_threads.cpp).
namespace phpc::cuda::detail {

/// The shared memory of the blocks that a host thread leads: a variable lies at the same place in all of them.
struct SharedVariables {
  static constexpr int most = 4096;
  std::array<std::atomic<void*>, most> places{};
  std::mutex growing;

  SharedVariables() = default;
  SharedVariables(const SharedVariables&) = delete;
  SharedVariables& operator=(const SharedVariables&) = delete;
  ~SharedVariables() {
    for (const std::atomic<void*>& place : places) {
      std::free(place.load());
    }
  }
};

inline constexpr int warp_size = 32;

enum class State : std::uint8_t { fresh, suspended, gone };

struct Thread {
  FiberContext context;
  WarpMeeting* meeting = nullptr;  ///< while it waits in a warp function
  uint3 index{};
  int stack = -1;
  State state = State::gone;
};

/// The states of a warp's lanes, a bit for each.
struct Warp {
  unsigned all = 0;  ///< that the block has
  unsigned alive = 0;
  unsigned ready = 0;    ///< can run on
  unsigned meeting = 0;  ///< wait in a warp function; the others that are alive wait at the barrier, or
  unsigned stepped = 0;  ///< wait in a step for the lanes that are ready
  bool rests = false;    ///< lets other warps run before those that have stepped
  int passes = 0;        ///< passes of the block since a lane came to a warp function
};

}  // namespace phpc::cuda::detail
