#include "batch/registers/register_shapes.hpp"

#include <limits>

namespace phpc::batch {

namespace {

/// Whether the pattern has all entries of a tridiagonal matrix and no others.
bool is_whole_tridiagonal(const CsrPattern& pattern) {
  const index_t rows = pattern.rows();
  if (pattern.entries() != 3 * rows - 2) {
    return false;
  }
  for (index_t row = 0; row < rows; ++row) {
    const index_t first = row == 0 ? 0 : 3 * row - 1;  // the entry of row - 1, or of row 0 that of column 0
    for (index_t column = row == 0 ? 0 : row - 1; column <= row + 1 && column < rows; ++column) {
      if (pattern.columns[static_cast<std::size_t>(first + column - (row == 0 ? 0 : row - 1))] != column) {
        return false;
      }
    }
    if (pattern.row_offsets[static_cast<std::size_t>(row)] != first) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool fits(const CsrPattern& pattern, const RegisterShape& shape) {
  if (pattern.rows() > shape.rows()) {
    return false;
  }
  if (is_blocks(shape)) {
    return true;
  }
  if (pattern.entries() >= std::numeric_limits<std::uint16_t>::max()) {
    return false;
  }
  if (shape.storage == RowStorage::dense) {
    return pattern.rows() <= shape.slots;
  }
  if (shape.storage == RowStorage::chunks) {
    return is_whole_tridiagonal(pattern);
  }
  for (std::size_t row = 0; row + 1 < pattern.row_offsets.size(); ++row) {
    if (pattern.row_offsets[row + 1] - pattern.row_offsets[row] > shape.slots) {
      return false;
    }
  }
  return true;
}

std::vector<SlotSource> slot_sources(const CsrPattern& pattern, const RegisterShape& shape) {
  if (shape.storage == RowStorage::chunks) {
    return {};
  }
  if (is_blocks(shape)) {
    std::vector<SlotSource> sources;
    for (std::int32_t row = 0; row < pattern.rows(); ++row) {
      for (auto entry = pattern.row_offsets[static_cast<std::size_t>(row)];
           entry < pattern.row_offsets[static_cast<std::size_t>(row) + 1]; ++entry) {
        sources.push_back(
            {static_cast<std::uint16_t>(pattern.columns[static_cast<std::size_t>(entry)]), static_cast<std::uint16_t>(row + 1)});
      }
    }
    return sources;
  }
  const auto rows = static_cast<std::size_t>(shape.rows());
  std::vector<SlotSource> sources(static_cast<std::size_t>(shape.slots) * rows, SlotSource{0, 0});
  for (std::size_t row = 0; row + 1 < pattern.row_offsets.size(); ++row) {
    for (std::int32_t entry = pattern.row_offsets[row]; entry < pattern.row_offsets[row + 1]; ++entry) {
      const std::int32_t column = pattern.columns[static_cast<std::size_t>(entry)];
      const std::int32_t slot = shape.storage == RowStorage::dense ? column : entry - pattern.row_offsets[row];
      sources[static_cast<std::size_t>(slot) * rows + row] = {static_cast<std::uint16_t>(column),
                                                              static_cast<std::uint16_t>(entry + 1)};
    }
  }
  return sources;
}

}  // namespace phpc::batch
