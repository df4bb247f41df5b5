#pragma once
#include <cstdint>
#include <vector>

#include "phpc/batch/matrix.hpp"
#include "phpc/batch/solver.hpp"

/// Tables of integers that preconditioners read beside the pattern: made of it on the host once for a plan, and kept on the
/// plan's device for all systems (context.table()).
namespace phpc::batch {

using PatternTable = std::vector<std::int32_t>;

/// The preconditioner that a table is of, its first integer (any_preconditioner.hpp).
enum class PatternKind : std::int32_t { none, jacobi, block_jacobi, ilu, isai, ilu_isai };

/// Tables of the kind alone.
PatternTable identity_table(const CsrPattern& pattern, const Options& options);
PatternTable jacobi_table(const CsrPattern& pattern, const Options& options);

/// The kind, and the number of rows of a block.
PatternTable block_jacobi_table(const CsrPattern& pattern, const Options& options);
/// The triangles of A and the order of work in them, as IluTable reads them.
PatternTable ilu_table(const CsrPattern& pattern, const Options& options);
PatternTable ilu_isai_table(const CsrPattern& pattern, const Options& options);
/// The pattern with a full diagonal, as IsaiTable reads it.
PatternTable isai_table(const CsrPattern& pattern, const Options& options);

/// Reads block_jacobi_table().
[[nodiscard, gnu::always_inline]] inline std::int32_t block_size(const std::int32_t* table) {
  return table[1];
}

/// The entries of one triangle in an order for teams (level scheduling). In step s a team does the items [step_offsets[s],
/// step_offsets[s + 1]) at once; an item is one row with those of its entries whose unknowns are known before the step. Steps,
/// and the entries within a row, come in the order of elimination, so that one schedule serves factorisation and substitution.
struct TriangleSchedule {
  std::int32_t steps;
  const std::int32_t* step_offsets;  ///< steps + 1
  const std::int32_t* item_rows;     ///< of each item, no row twice in a step
  const std::int32_t* item_offsets;  ///< items + 1, into entries
  const std::int32_t* entries;       ///< numbers of entries of A

  /// Calls each(row, first, last) for the items of a step that a team's thread takes.
  template <class Each>
  [[gnu::always_inline]] void for_items(std::int32_t step, int rank, int size, Each each) const {
    for (std::int32_t item = step_offsets[step] + rank; item < step_offsets[step + 1]; item += size) {
      each(item_rows[item], entries + item_offsets[item], entries + item_offsets[item + 1]);
    }
  }
};

/// A view of ilu_table(): entries of row i left of the diagonal are [row_offsets[i], lower_end[i]), right of it
/// [upper_begin[i], row_offsets[i + 1]); the diagonal, if there is one, is between them.
struct IluTable {
  const std::int32_t* lower_end;
  const std::int32_t* upper_begin;
  TriangleSchedule lower;
  TriangleSchedule upper;

  [[gnu::always_inline]] IluTable(const std::int32_t* table, std::int32_t rows)
      : lower_end(table + 1), upper_begin(lower_end + rows), lower(read(upper_begin + rows)) {
    upper = read(lower.entries + lower.item_offsets[items(lower)]);
  }

 private:
  [[nodiscard, gnu::always_inline]] static std::int32_t items(const TriangleSchedule& schedule) {
    return schedule.step_offsets[schedule.steps];
  }
  [[nodiscard, gnu::always_inline]] static TriangleSchedule read(const std::int32_t* from) {
    TriangleSchedule schedule{};
    schedule.steps = from[0];
    schedule.step_offsets = from + 1;
    schedule.item_rows = schedule.step_offsets + schedule.steps + 1;
    schedule.item_offsets = schedule.item_rows + items(schedule);
    schedule.entries = schedule.item_offsets + items(schedule) + 1;
    return schedule;
  }
};

/// A view of isai_table(): the pattern of the inverse, and how many rows are computed at a time.
struct IsaiTable {
  std::int32_t order;         ///< most entries of a row
  std::int32_t at_once;       ///< rows that a team works on together, so that their matrices stay small
  const std::int32_t* units;  ///< of each row, which of its entries is the diagonal
  const std::int32_t* row_offsets;
  const std::int32_t* columns;

  [[gnu::always_inline]] IsaiTable(const std::int32_t* table, index_t rows)
      : order(table[1]), at_once(table[2]), units(table + 3), row_offsets(units + rows), columns(row_offsets + rows + 1) {}
};

}  // namespace phpc::batch
