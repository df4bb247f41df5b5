#pragma once
#include "phpc/core/types.hpp"

/// The limits of GPUs by which the rules of the general kernel choose teams and tiles: those of NVIDIA's H100 and H200.
namespace phpc::fft {

inline constexpr index_t warp_threads = 32;
inline constexpr index_t registers_of_unit = 65536;
inline constexpr index_t threads_of_unit = 2048;       ///< of a multiprocessor
inline constexpr index_t scratch_of_unit = 228 << 10;  ///< bytes, of an H100's multiprocessor
inline constexpr index_t scratch_of_team = 1 << 10;    ///< that each team takes beside its own
inline constexpr index_t most_threads = 512;           ///< of a team
inline constexpr index_t sector_bytes = 32;            ///< that a GPU reads and writes at least
inline constexpr index_t place_bytes = 128;  ///< of a team's scratch, behind its elements: where its tile lies in memory
inline constexpr double usual_tile = 11200;  ///< bytes

/// Returns the warps of a multiprocessor that registers allow: each warp has its own in one of four parts of it.
constexpr index_t warps_by_registers(index_t registers) {
  constexpr index_t parts = 4;
  return parts * (registers_of_unit / parts / (registers * warp_threads));
}

/// Returns the most threads of a team whose kernel has so many registers.
constexpr index_t most_threads_of(index_t registers) {
  const index_t threads = warps_by_registers(registers) * warp_threads;
  return threads < most_threads ? threads : most_threads;
}

constexpr index_t full_warps(index_t threads) {
  return ceil_div(threads, warp_threads) * warp_threads;
}

}  // namespace phpc::fft
