#include "batch/precond/pattern_tables.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "phpc/core/error.hpp"

namespace phpc::batch {

namespace {

constexpr int largest_block = 32;
/// Most values of the dense systems of ISAI that a team works on at a time, unless a single one has more.
constexpr index_t isai_work_values = 2048;

void check_size(std::size_t integers) {
  PHPC_VALIDATE(integers <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()), ErrorKind::usage,
                "a pattern too large for this preconditioner; try jacobi or block-jacobi");
}

struct PlacedEntry {
  std::int32_t step;
  std::int32_t row;
  std::int32_t entry;
};

/// Appends the number of steps, then the arrays of a TriangleSchedule. `placed` has the entries of each row together, in the
/// order of elimination, their steps ascending.
void append_schedule(PatternTable& table, const std::vector<PlacedEntry>& placed) {
  std::int32_t steps = 0;
  for (const PlacedEntry& entry : placed) {
    steps = std::max(steps, entry.step + 1);
  }
  std::vector<std::vector<PlacedEntry>> by_step(static_cast<std::size_t>(steps));
  for (const PlacedEntry& entry : placed) {
    by_step[static_cast<std::size_t>(entry.step)].push_back(entry);
  }
  PatternTable step_offsets{0};
  PatternTable item_rows;
  PatternTable item_offsets{0};
  PatternTable entries;
  for (const std::vector<PlacedEntry>& step : by_step) {
    for (std::size_t i = 0; i < step.size(); ++i) {
      entries.push_back(step[i].entry);
      if (i + 1 == step.size() || step[i + 1].row != step[i].row) {
        item_rows.push_back(step[i].row);
        item_offsets.push_back(static_cast<std::int32_t>(entries.size()));
      }
    }
    step_offsets.push_back(static_cast<std::int32_t>(item_rows.size()));
  }
  table.push_back(steps);
  for (const PatternTable* part : {&step_offsets, &item_rows, &item_offsets, &entries}) {
    table.insert(table.end(), part->begin(), part->end());
  }
}

/// Schedules the entries of rows, in the order of elimination: each entry in the first step in which its column's unknown is
/// known and the row's entries before it are done. The row's own unknown is known in the step after its last entry.
class RowPlacer {
 public:
  explicit RowPlacer(index_t rows) : known_(static_cast<std::size_t>(rows), 0) {}

  void begin(std::int32_t row) { row_ = row; }
  void place(std::int32_t entry, std::int32_t column) {
    std::int32_t& own = known_[static_cast<std::size_t>(row_)];
    const std::int32_t step = std::max(known_[static_cast<std::size_t>(column)], own - 1);
    placed_.push_back({step, row_, entry});
    own = step + 1;
  }
  [[nodiscard]] const std::vector<PlacedEntry>& placed() const { return placed_; }

 private:
  std::vector<std::int32_t> known_;  ///< the step from which a row's unknown is final
  std::vector<PlacedEntry> placed_;
  std::int32_t row_ = 0;
};

PatternTable triangles_table(PatternKind kind, const CsrPattern& pattern) {
  const auto rows = static_cast<std::int32_t>(pattern.rows());
  // At most a step and an item for each entry, and what stands around them.
  check_size(4 * pattern.columns.size() + 3 * pattern.row_offsets.size() + 7);
  const auto row_begin = [&](std::int32_t row) { return pattern.row_offsets[static_cast<std::size_t>(row)]; };
  const auto column_of = [&](std::int32_t entry) { return pattern.columns[static_cast<std::size_t>(entry)]; };
  PatternTable table(2 * static_cast<std::size_t>(rows) + 1);
  table.front() = static_cast<std::int32_t>(kind);
  const auto lower_end = [&](std::int32_t row) -> std::int32_t& { return table[static_cast<std::size_t>(row) + 1]; };
  const auto upper_begin = [&](std::int32_t row) -> std::int32_t& {
    return table[static_cast<std::size_t>(rows + index_t{row} + 1)];
  };
  RowPlacer lower(rows);
  for (std::int32_t row = 0; row < rows; ++row) {
    lower.begin(row);
    std::int32_t entry = row_begin(row);
    for (; entry < row_begin(row + 1) && column_of(entry) < row; ++entry) {
      lower.place(entry, column_of(entry));
    }
    lower_end(row) = entry;
    upper_begin(row) = entry < row_begin(row + 1) && column_of(entry) == row ? entry + 1 : entry;
  }
  RowPlacer upper(rows);
  for (std::int32_t row = rows - 1; row >= 0; --row) {
    upper.begin(row);
    for (std::int32_t entry = row_begin(row + 1) - 1; entry >= upper_begin(row); --entry) {
      upper.place(entry, column_of(entry));
    }
  }
  append_schedule(table, lower.placed());
  append_schedule(table, upper.placed());
  return table;
}

}  // namespace

PatternTable identity_table(const CsrPattern& /*pattern*/, const Options& /*options*/) {
  return {static_cast<std::int32_t>(PatternKind::none)};
}

PatternTable jacobi_table(const CsrPattern& /*pattern*/, const Options& /*options*/) {
  return {static_cast<std::int32_t>(PatternKind::jacobi)};
}

PatternTable block_jacobi_table(const CsrPattern& /*pattern*/, const Options& options) {
  PHPC_VALIDATE(
      options.block_size >= 1 && options.block_size <= largest_block, ErrorKind::usage,
      "blocks of " + std::to_string(options.block_size) + " rows; give a size from 1 to " + std::to_string(largest_block));
  return {static_cast<std::int32_t>(PatternKind::block_jacobi), options.block_size};
}

PatternTable ilu_table(const CsrPattern& pattern, const Options& /*options*/) {
  return triangles_table(PatternKind::ilu, pattern);
}

PatternTable ilu_isai_table(const CsrPattern& pattern, const Options& /*options*/) {
  return triangles_table(PatternKind::ilu_isai, pattern);
}

PatternTable isai_table(const CsrPattern& pattern, const Options& /*options*/) {
  const auto rows = static_cast<std::size_t>(pattern.rows());
  check_size(pattern.columns.size() + 3 * pattern.row_offsets.size());
  PatternTable units;
  PatternTable row_offsets{0};
  PatternTable columns;
  std::int32_t order = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto begin = pattern.columns.begin() + pattern.row_offsets[row];
    const auto end = pattern.columns.begin() + pattern.row_offsets[row + 1];
    const auto own = static_cast<std::int32_t>(row);
    const auto diagonal = std::lower_bound(begin, end, own);
    units.push_back(static_cast<std::int32_t>(diagonal - begin));
    columns.insert(columns.end(), begin, diagonal);
    columns.push_back(own);
    columns.insert(columns.end(), diagonal != end && *diagonal == own ? diagonal + 1 : diagonal, end);
    row_offsets.push_back(static_cast<std::int32_t>(columns.size()));
    order = std::max(order, row_offsets[row + 1] - row_offsets[row]);
  }
  const index_t fitting = isai_work_values / (index_t{order} * (order + 1));
  PatternTable table{static_cast<std::int32_t>(PatternKind::isai), order,
                     static_cast<std::int32_t>(std::clamp<index_t>(fitting, 1, pattern.rows()))};
  for (const PatternTable* part : {&units, &row_offsets, &columns}) {
    table.insert(table.end(), part->begin(), part->end());
  }
  return table;
}

}  // namespace phpc::batch
