#pragma once
#include "phpc/exec/subgroup.hpp"

namespace phpc::batch {

/// Subtracts the product of two factors, (rows, Width) and (Width, columns), from trailing elements of a matrix, by a team (on
/// the host, one thread), all in scratch. Scratch gives a multiprocessor 16 doubles a cycle, and a product of two loaded numbers
/// would need as many again: so each loaded number is used several times, in tiles. Doubles on NVIDIA's GPUs from sm_80 on go
/// through the matrix units, in which lanes share what they have loaded. Where each pitch is as BlockLayout has them, no two
/// lanes of a load wait for the same bank.
template <class T, int TeamSize, int Width>
struct BlockUpdate {
  int rank;
  int begin;  ///< the first row of the trailing elements
  int rows;
  int first_column;  ///< of the trailing elements
  int columns;
  T* a;  ///< (rows, pitch)
  int pitch;
  const T* left;  ///< (rows, left_pitch)
  int left_pitch;
  const T* top;  ///< (Width, pitch)

  [[gnu::always_inline]] void team_update() const {
#if defined(__NVPTX__) && __CUDA_ARCH__ >= 800
    if constexpr (sizeof(T) == sizeof(double)) {
      for_tiles<16, 32>([&](int i, int j) __attribute__((always_inline)) { update_by_matrix_unit(i, j); });
      return;
    }
#endif
    for_tiles<down * tile, across * tile>([&](int i, int j) __attribute__((always_inline)) { update_tile(i, j); });
  }

 private:
  static constexpr int lanes = PHPC_GPU_PASS ? 32 : 1;
  static constexpr int tile = 4;                         ///< rows, and columns, of a lane
  static constexpr int across = PHPC_GPU_PASS ? 16 : 1;  ///< lanes, from a lane's column to its next
  static constexpr int down = PHPC_GPU_PASS ? 2 : 1;

  /// Calls update(i, j) for the first row and column of each of a sub-group's tiles.
  template <int Rows, int Columns, class Update>
  [[gnu::always_inline]] void for_tiles(Update update) const {
    const int column_tiles = (columns - first_column + Columns - 1) / Columns;
    const int tiles = column_tiles * ((rows - begin + Rows - 1) / Rows);
    const int inverse = 65536 / column_tiles + 1;  // of column_tiles, times 2^16: exact for so few tiles
#pragma clang loop unroll(disable)
    for (int number = rank / lanes; number < tiles; number += TeamSize / lanes) {
      const int row_tile = number * inverse >> 16;
      update(begin + row_tile * Rows, first_column + (number - row_tile * column_tiles) * Columns);
    }
  }

#if defined(__NVPTX__) && __CUDA_ARCH__ >= 800
  /// Updates 16 rows of 32 columns, in products of (8, 4) and (4, 8) numbers: of the first factor a lane has row lane / 4, column
  /// lane % 4, of the second row lane % 4, column lane / 4, and of the result row lane / 4 and the two columns from lane % 4 * 2
  /// on. Columns of a product are those of the matrix in the order 0, 2, 1, 3, 6, 4, 7, 5, in which both the first four and every
  /// second one differ modulo 4, for the sake of banks.
  [[gnu::always_inline]] void update_by_matrix_unit(int i, int j) const {
    constexpr int high = 2;
    constexpr int wide = 4;
    const int lane = rank % lanes;
    const int number = lane / 4;
    const int upper_column = (number & 4) + ((number ^ number >> 2) & 1) * 2 + (number >> 1 & 1);
    const int column[2] = {lane % 4 < 2 ? lane % 4 : lane % 4 + 4, lane % 4 + 2};
    exec::subgroup_barrier();  // lanes compute together, after stores that not all have done
    // Rows beyond the last are the last again; what lies beyond the end of a row is read, but not used.
    T* out[high];
    const T* lower[high];
    T sum[high][wide][2];
#pragma unroll
    for (int t = 0; t < high; ++t) {
      const int row = i + t * 8 + lane / 4;
      const int own = row < rows ? row : rows - 1;
      out[t] = a + own * pitch + j;
      lower[t] = left + own * left_pitch + lane % 4;
#pragma unroll
      for (int s = 0; s < wide; ++s) {
        sum[t][s][0] = out[t][s * 8 + column[0]];
        sum[t][s][1] = out[t][s * 8 + column[1]];
      }
    }
    const T* upper = top + lane % 4 * pitch + j + upper_column;
#pragma unroll
    for (int k = 0; k < Width; k += 4) {
      T first[high];
      T second[wide];
#pragma unroll
      for (int t = 0; t < high; ++t) {
        first[t] = -lower[t][k];
      }
#pragma unroll
      for (int s = 0; s < wide; ++s) {
        second[s] = upper[s * 8];
      }
#pragma unroll
      for (int t = 0; t < high; ++t) {
#pragma unroll
        for (int s = 0; s < wide; ++s) {
          asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                       : "+d"(sum[t][s][0]), "+d"(sum[t][s][1])
                       : "d"(first[t]), "d"(second[s]));
        }
      }
      upper += 4 * pitch;
    }
#pragma unroll
    for (int t = 0; t < high; ++t) {
      if (i + t * 8 + lane / 4 < rows) {
#pragma unroll
        for (int s = 0; s < wide; ++s) {
#pragma unroll
          for (int c = 0; c < 2; ++c) {
            if (j + s * 8 + column[c] < columns) {
              out[t][s * 8 + column[c]] = sum[t][s][c];
            }
          }
        }
      }
    }
  }
#endif

  /// Updates 8 rows of 64 columns, a lane four of these rows and every 16th of these columns; on the host, four of four.
  [[gnu::always_inline]] void update_tile(int top_row, int left_column) const {
    const int lane = rank % (across * down);
    const int j = left_column + lane % across;
    const int i = top_row + lane / across * tile;
    // Rows beyond the last are the last again; what lies beyond the end of a row is read, but not used.
    T* out[tile];
    const T* l[tile];
#pragma unroll
    for (int t = 0; t < tile; ++t) {
      const int own = i + t < rows ? i + t : rows - 1;
      out[t] = a + own * pitch + j;
      l[t] = static_cast<const T*>(__builtin_assume_aligned(left + own * left_pitch, 16));
    }
    T sum[tile][tile];
#pragma unroll
    for (int t = 0; t < tile; ++t) {
#pragma unroll
      for (int s = 0; s < tile; ++s) {
        sum[t][s] = out[t][s * across];
      }
    }
    const T* u = top + j;
#pragma unroll 4
    for (int k = 0; k < Width; ++k) {
#pragma unroll
      for (int s = 0; s < tile; ++s) {
        const T factor = u[s * across];
#pragma unroll
        for (int t = 0; t < tile; ++t) {
          sum[t][s] -= l[t][k] * factor;
        }
      }
      u += pitch;
    }
#pragma unroll
    for (int s = 0; s < tile; ++s) {
      if (j + s * across < columns) {
#pragma unroll
        for (int t = 0; t < tile; ++t) {
          if (i + t < rows) {
            out[t][s * across] = sum[t][s];
          }
        }
      }
    }
  }
};

}  // namespace phpc::batch
