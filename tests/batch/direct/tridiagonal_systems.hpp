#pragma once
#include <algorithm>

#include "support/linear_systems.hpp"

namespace phpc::test {

/// -1, 3 + something, -1 in each row.
inline SystemBatch tridiagonal(index_t rows, index_t systems) {
  SystemBatch batch;
  batch.pattern.row_offsets.push_back(0);
  for (index_t row = 0; row < rows; ++row) {
    for (index_t column = std::max<index_t>(row - 1, 0); column <= std::min(row + 1, rows - 1); ++column) {
      batch.pattern.columns.push_back(static_cast<std::int32_t>(column));
    }
    batch.pattern.row_offsets.push_back(static_cast<std::int32_t>(batch.pattern.columns.size()));
  }
  for (index_t system = 0; system < systems; ++system) {
    for (index_t row = 0; row < rows; ++row) {
      for (index_t column = std::max<index_t>(row - 1, 0); column <= std::min(row + 1, rows - 1); ++column) {
        batch.values.push_back(row == column ? 3 + 0.1 * static_cast<double>((row + system) % 7) : -1);
      }
      batch.rhs.push_back(1 + 0.01 * static_cast<double>(row * system));
    }
  }
  return batch;
}

/// The lower (or upper) triangle of every system of a batch.
enum class Half { lower, upper };
inline SystemBatch triangle_of(const SystemBatch& whole, Half half) {
  SystemBatch part{.pattern = {{0}, {}}, .values = {}, .rhs = whole.rhs};
  std::vector<index_t> taken;
  for (index_t row = 0; row < whole.rows(); ++row) {
    const auto begin = whole.pattern.row_offsets[static_cast<std::size_t>(row)];
    const auto end = whole.pattern.row_offsets[static_cast<std::size_t>(row) + 1];
    for (auto entry = begin; entry < end; ++entry) {
      const std::int32_t column = whole.pattern.columns[static_cast<std::size_t>(entry)];
      if (half == Half::lower ? column <= row : column >= row) {
        part.pattern.columns.push_back(column);
        taken.push_back(entry);
      }
    }
    part.pattern.row_offsets.push_back(static_cast<std::int32_t>(part.pattern.columns.size()));
  }
  for (index_t system = 0; system < whole.systems(); ++system) {
    for (const index_t entry : taken) {
      part.values.push_back(whole.values[static_cast<std::size_t>(system * whole.pattern.entries() + entry)]);
    }
  }
  return part;
}

}  // namespace phpc::test
