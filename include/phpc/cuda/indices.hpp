#pragma once
#include <cstddef>
#include <cstdint>

#include "phpc/cuda/vector_types.hpp"
#include "phpc/cuda/words.hpp"
#if !defined(PHPC_CUDA_PARSING)
#include "phpc/exec/team.hpp"
#endif

/// threadIdx, blockIdx, blockDim and gridDim. In translated sources they are locals: parameters of the function that a thread of
/// a kernel runs (PHPC_THREAD), declared by PHPC_INDICES_HERE in the device functions that use them.

#if defined(PHPC_CUDA_PARSING)
extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
#else

/// The first parameters of a kernel's function, and the same as arguments.
#define PHPC_THREAD                                                                                                    \
  [[maybe_unused]] const uint3 threadIdx, [[maybe_unused]] const uint3 blockIdx, [[maybe_unused]] const dim3 blockDim, \
      [[maybe_unused]] const dim3 gridDim
#define PHPC_INDICES threadIdx, blockIdx, blockDim, gridDim

/// Declares the indices in a function that a kernel calls.
#define PHPC_INDICES_HERE                                                     \
  [[maybe_unused]] const auto phpc_here = phpc::cuda::detail::indices_here(); \
  [[maybe_unused]] const uint3 threadIdx = phpc_here.thread_index;            \
  [[maybe_unused]] const uint3 blockIdx = phpc_here.block_index;              \
  [[maybe_unused]] const dim3 blockDim = phpc_here.block_dim;                 \
  [[maybe_unused]] const dim3 gridDim = phpc_here.grid_dim

namespace phpc::cuda::detail {

struct Indices {
  uint3 thread_index;
  uint3 block_index;
  dim3 block_dim;
  dim3 grid_dim;
};

/// The sizes of a grid and of its blocks, with what divides by them: threads of a block and blocks of a grid are numbered x
/// first.
///
/// GPUs divide by multiplications (Granlund and Montgomery 1994, theorem 4.2): n / d = n m >> (31 + s) for n < 2^31,
/// s = ceil(log2 d), m = floor(2^(31 + s) / d) + 1; in a block, where n and d are at most 1024, n / d = n m >> 20 with
/// m = floor(2^20 / d) + 1.
class Geometry {
 public:
  Geometry() = default;
  Geometry(dim3 grid, dim3 block)
      : grid_{grid.x, grid.y, grid.z},
        block_magic_{(1U << 20) / block.x + 1, (1U << 20) / block.y + 1},
        grid_magic_{magic(grid.x), magic(grid.y)},
        block_{static_cast<std::uint16_t>(block.x), static_cast<std::uint16_t>(block.y), static_cast<std::uint16_t>(block.z)},
        grid_shift_{shift(grid.x), shift(grid.y)} {}

  [[nodiscard, gnu::always_inline]] dim3 grid_dim() const { return dim3(grid_[0], grid_[1], grid_[2]); }
  [[nodiscard, gnu::always_inline]] dim3 block_dim() const { return dim3(block_[0], block_[1], block_[2]); }
  [[nodiscard, gnu::always_inline]] int threads() const { return block_[0] * block_[1] * block_[2]; }

  [[nodiscard, gnu::always_inline]] uint3 thread_index(std::uint32_t rank) const {
    if (block_[1] == 1 && block_[2] == 1) {
      return uint3{rank, 0, 0};
    }
    const std::uint32_t row = rank * block_magic_[0] >> 20;
    const std::uint32_t plane = row * block_magic_[1] >> 20;
    return uint3{rank - row * block_[0], row - plane * block_[1], plane};
  }

  [[nodiscard, gnu::always_inline]] uint3 block_index(std::uint32_t rank) const {
    if (grid_[1] == 1 && grid_[2] == 1) {
      return uint3{rank, 0, 0};
    }
    const std::uint32_t row = quotient(rank, 0);
    const std::uint32_t plane = quotient(row, 1);
    return uint3{rank - row * grid_[0], row - plane * grid_[1], plane};
  }

 private:
  static std::uint8_t shift(std::uint32_t divisor) {
    return static_cast<std::uint8_t>(divisor <= 1 ? 0 : 32 - __builtin_clz(divisor - 1));
  }
  static std::uint32_t magic(std::uint32_t divisor) {
    return static_cast<std::uint32_t>((std::uint64_t{1} << (31 + shift(divisor))) / divisor + 1);
  }
  [[nodiscard, gnu::always_inline]] std::uint32_t quotient(std::uint32_t number, int axis) const {
    return static_cast<std::uint32_t>(std::uint64_t{number} * grid_magic_[axis] >> (31 + grid_shift_[axis]));
  }

  std::uint32_t grid_[3];
  std::uint32_t block_magic_[2];
  std::uint32_t grid_magic_[2];
  std::uint16_t block_[3];
  std::uint8_t grid_shift_[2];
};

}  // namespace phpc::cuda::detail

#endif
