#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "casoff/query/planes.hpp"
#include "phpc/casoff/pattern.hpp"
#include "phpc/casoff/variant.hpp"

/// The query program: pattern and guides as the kernels read them.
///
/// Places are counted from a *slot*: the first base, on the + strand, of the shortest window that any alignment covers. The PAM's
/// end of that window is the PAM's end of all of them, so a slot that fits the pattern is one for all alignments of all guides,
/// and the base under a query letter lies at a fixed distance, its *shift*, from the slot.
namespace phpc::casoff {

/// What a row of the kernels' table (made for 64 slots a lane) tells: where the bases at a shift mismatch with a query letter.
struct TableRow {
  std::int8_t shift;    ///< of the base from the slot, in bases
  std::uint8_t letter;  ///< bit p: the query letter takes plane p (see MatchRule)
};

/// How many slices counters may have (there is code for these), ascending.
inline constexpr int counter_slices[] = {2, 3, 4, 7};
/// The fewest slices that count up to a threshold.
constexpr int slices_for(int threshold) {
  for (const int slices : counter_slices) {
    if (threshold < 1 << slices) {
      return slices;
    }
  }
  return 0;
}

/// Queries that take the same path through the code, one after another. Each has `required` + `counted` row numbers.
struct QueryGroup {
  std::uint32_t first;     ///< number of the first query
  std::uint32_t queries;   ///< how many there are
  std::uint32_t rows;      ///< where its row numbers begin
  std::uint16_t required;  ///< rows where no mismatch may be: letters of the pattern that only longer windows have
  std::uint16_t counted;   ///< rows whose mismatches count, a multiple of 4
  std::uint8_t slices;     ///< of the counters
};

/// One alignment of a guide on one strand.
struct Query {
  std::uint32_t variant;
  std::uint32_t start;  ///< of its counter: 2^slices - 1 is reached with as many mismatches as the threshold permits
};

/// Row 0 of the table is always zero: its number fills up lists of rows.
inline constexpr std::uint16_t zero_row = 0;

/// What is searched for on one strand.
struct StrandProgram {
  std::vector<TableRow> pattern;  ///< letters that all windows have: every slot must match them
  std::vector<QueryGroup> groups;
  std::vector<Query> queries;
  std::vector<std::uint16_t> row_numbers;
  std::vector<std::uint16_t> used_rows;  ///< rows that its queries need
};

/// What is searched for on both strands.
struct QueryProgram {
  MatchRule rule;
  /// Row 0 is the zero row, the others ascend by letter and shift; the one after the last has a letter that none has.
  std::vector<TableRow> rows;
  StrandProgram strands[2];  ///< plus, minus
  int shortest = 0;          ///< bases of the shortest window
  int longest = 0;

  /// How many slots of a random genome fit the pattern, of both strands on average: 0 ... 1.
  [[nodiscard]] double fitting_fraction() const;
};

/// Makes the program of variants from make_variants().
QueryProgram make_program(const Pattern& pattern, std::span<const Guide> guides, std::span<const Variant> variants,
                          Ambiguity ambiguity);

/// Where a window of `length` bases begins, in bases from its slot; `shortest` as in QueryProgram.
int first_shift(const Pattern& pattern, int strand, int shortest, int length);

}  // namespace phpc::casoff
