#pragma once
#include "casoff/kernels/column.hpp"
#include "casoff/kernels/query_loop.hpp"
#include "phpc/exec/team.hpp"

/// Device code: compares all slots of a genome with all queries, 64 * Lanes slots at a time.
namespace phpc::casoff {

/// Compares slots as they follow one another: bit i of a table's row is about slot i, and the slots that fit the pattern are a
/// mask over the result. This is the quicker of the two comparers where queries are few, since reading candidates costs as much
/// as some dozens of them, or where most slots fit the pattern.
template <int TeamSize, int Lanes>
struct AllSlotsComparerKernel {
  static constexpr int team_size = TeamSize;
  using Scratch = exec::DynamicScratch;
  using Word = SlotWord<Lanes>;

  ProgramView program;
  WordView view;
  const Tile* tiles;  ///< one for each group
  HitSink sink;

  static std::size_t scratch_bytes(int rows) { return static_cast<std::size_t>(rows) * TeamSize * sizeof(Word); }

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    PHPC_EXPECT(team.size() <= team_size && scratch_bytes(program.row_count) <= scratch.bytes);
    const Tile tile = tiles[team.league_rank()];
    const int columns = static_cast<int>((tile.slots + 64U * Lanes - 1) / (64U * Lanes));
    // A thread makes the table's column that it reads, so that no barrier is needed.
    const TableColumn<Lanes> table{reinterpret_cast<Word*>(scratch.data) + team.rank(), team.size()};
    for (int column = team.rank(); column < columns; column += team.size()) {
      compare(tile, column, table);
    }
  }

 private:
  struct SlotOf {
    std::uint32_t first;
    [[nodiscard, gnu::always_inline]] std::uint32_t operator()(int lane, int bit) const {
      return first + static_cast<std::uint32_t>(64 * lane + bit);
    }
  };

  [[gnu::always_inline]] void compare(const Tile& tile, int column, const TableColumn<Lanes>& table) const {
    const index_t word = tile.first_word - view.base + index_t{Lanes} * column;
    const ColumnPlanes<Lanes> planes(view, word, program.rule);
    const Word valid = tile_slots<Lanes>(tile, column);
    const Word candidates[2] = {fitting<Lanes>(planes, program, 0, valid), fitting<Lanes>(planes, program, 1, valid)};
    if (!any_bit<Lanes>(candidates[0] | candidates[1])) {
      return;
    }
    table[zero_row] = Word{};
    for (int row = 1; row < program.row_count;) {
      TableRow next = program.rows[row];
      const unsigned letter = next.letter;
      const typename ColumnPlanes<Lanes>::Letter mismatches(planes, letter);
      for (; next.letter == letter && next.shift < 0; next = program.rows[++row]) {
        table[row] = mismatches.before(next.shift);
      }
      for (; next.letter == letter && next.shift >= 0; next = program.rows[++row]) {
        table[row] = mismatches.from(next.shift);
      }
    }
    const SlotOf slot_of{static_cast<std::uint32_t>(64 * (word + view.base))};
    for (int strand = 0; strand < 2; ++strand) {
      if (any_bit<Lanes>(candidates[strand])) {
        run_queries<Lanes>(program, table, candidates[strand], strand, sink, slot_of);
      }
    }
  }
};

}  // namespace phpc::casoff
