#pragma once
#include <cstdint>

#include "batch/vector_ops.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::batch {

/// The matrix of one system, as its team sees it.
template <class T>
struct CsrSystem {
  std::int32_t rows;
  std::int32_t entries;
  const std::int32_t* row_offsets;
  const std::int32_t* columns;
  const T* values;

  /// Row `row` of A times x.
  [[nodiscard, gnu::always_inline]] T row_times(std::int32_t row, const T* x) const {
    T sum{};
    for (std::int32_t entry = row_offsets[row]; entry < row_offsets[row + 1]; ++entry) {
      sum += values[entry] * x[columns[entry]];
    }
    return sum;
  }

  /// A's diagonal element of `row`; 0 when the pattern has none.
  [[nodiscard, gnu::always_inline]] T diagonal(std::int32_t row) const {
    T value{};
    for (std::int32_t entry = row_offsets[row]; entry < row_offsets[row + 1]; ++entry) {
      if (columns[entry] == row) {
        value = values[entry];
      }
    }
    return value;
  }
};

/// y = A x, x and y distinct; a thread a row.
template <class T>
[[gnu::always_inline]] inline void team_multiply(const exec::Team& team, const CsrSystem<T>& matrix, const T* x, T* y) {
  team.barrier();
  thread_for(team, matrix.rows, [&](std::int32_t row) { y[row] = matrix.row_times(row, x); });
  team.barrier();
}

/// r = b - A x, x and r distinct.
template <class T>
[[gnu::always_inline]] inline void team_residual(const exec::Team& team, const CsrSystem<T>& matrix, const T* b, const T* x,
                                                 T* r) {
  team.barrier();
  thread_for(team, matrix.rows, [&](std::int32_t row) { r[row] = b[row] - matrix.row_times(row, x); });
  team.barrier();
}

}  // namespace phpc::batch
