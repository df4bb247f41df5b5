#pragma once
#include <cstdint>
#include <vector>

#include "phpc/batch/matrix.hpp"
#include "phpc/batch/solver.hpp"

/// What preconditioners read of a pattern beside its entries: integers worked out on the host once for a plan, and kept on its
/// device for all systems (context.table()).
namespace phpc::batch {

using PatternTable = std::vector<std::int32_t>;

/// The first integer of a table: whose it is (any_preconditioner.hpp).
enum class PatternKind : std::int32_t { none, jacobi, block_jacobi, ilu, isai, ilu_isai };

/// The kind alone.
PatternTable identity_table(const CsrPattern& pattern, const Options& options);
PatternTable jacobi_table(const CsrPattern& pattern, const Options& options);

/// The rows of a block.
PatternTable block_jacobi_table(const CsrPattern& pattern, const Options& options);
/// The triangles of A and the order of work in them: what IluTable reads.
PatternTable ilu_table(const CsrPattern& pattern, const Options& options);
PatternTable ilu_isai_table(const CsrPattern& pattern, const Options& options);
/// The pattern with a full diagonal: what IsaiTable reads.
PatternTable isai_table(const CsrPattern& pattern, const Options& options);

/// Reads block_jacobi_table().
[[nodiscard, gnu::always_inline]] inline std::int32_t block_size(const std::int32_t* table) {
  return table[1];
}

/// The entries of one triangle in an order for teams: in step s, all items of [step_offsets[s], step_offsets[s + 1]) at once,
/// each of them one row and those of its entries whose columns have become known before the step. Steps and the entries within a
/// row come in the order of elimination, so that one schedule serves factorisation and substitution.
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

/// A view of isai_table(): the pattern of the inverse, and how much of it is worked out at a time.
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
