#include "batch/register_shapes.hpp"

#include <algorithm>
#include <limits>

namespace phpc::batch {

bool fits(const CsrPattern& pattern, const RegisterShape& shape) {
  if (pattern.rows() > shape.rows() || pattern.entries() >= std::numeric_limits<std::uint16_t>::max()) {
    return false;
  }
  if (shape.storage == RowStorage::dense) {
    return pattern.rows() <= shape.slots;
  }
  for (std::size_t row = 0; row + 1 < pattern.row_offsets.size(); ++row) {
    if (pattern.row_offsets[row + 1] - pattern.row_offsets[row] > shape.slots) {
      return false;
    }
  }
  return true;
}

std::vector<SlotSource> slot_sources(const CsrPattern& pattern, const RegisterShape& shape) {
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
