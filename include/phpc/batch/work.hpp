#pragma once

namespace phpc::batch {

/// What the solve of one system takes, counted by a model of the kernel that solves it: operations, and bytes through each level
/// of memory. The levels of a roofline model (Williams, Waterman and Patterson 2009).
struct Work {
  double flops = 0;         ///< additions, subtractions, products, divisions and square roots; of complex numbers by their parts
  double memory_bytes = 0;  ///< through main memory at least: matrix, b, guess and x once, and what a system keeps in memory once
  double cache_bytes = 0;   ///< that threads read of global memory and write there, whichever caches serve them
  double scratch_bytes = 0;  ///< that threads read of their team's scratch and write there; 0 where scratch is ordinary memory

  Work& operator+=(const Work& other) {
    flops += other.flops;
    memory_bytes += other.memory_bytes;
    cache_bytes += other.cache_bytes;
    scratch_bytes += other.scratch_bytes;
    return *this;
  }
  friend Work operator*(double factor, const Work& work) {
    return {factor * work.flops, factor * work.memory_bytes, factor * work.cache_bytes, factor * work.scratch_bytes};
  }
};

}  // namespace phpc::batch
