#pragma once
#include "casoff/kernels/column.hpp"
#include "casoff/kernels/query_loop.hpp"
#include "phpc/exec/team.hpp"

/// Device code: compares the candidates of one strand, which PamFinderKernel has listed, with all queries, 64 * Lanes at a time.
namespace phpc::casoff {

/// Transposes 64 x 64 bits in every lane: bit c of row r becomes bit r of row c (Warren, Hacker's Delight 7-3).
template <int Lanes>
[[gnu::always_inline]] inline void transpose(const TableColumn<Lanes>& rows) {
  std::uint64_t mask = 0xffffffffU;
  for (int block = 32; block != 0; block /= 2, mask ^= mask << block) {
    for (int row = 0; row < 64; row = (row + block + 1) & ~block) {
      SlotWord<Lanes> low = rows[row];
      SlotWord<Lanes> high = rows[row + block];
      const SlotWord<Lanes> swapped = ((low >> static_cast<std::uint64_t>(block)) ^ high) & mask;
      rows[row] = low ^ (swapped << static_cast<std::uint64_t>(block));
      rows[row + block] = high ^ swapped;
    }
  }
}

/// Compares candidates (slots that fit the pattern) side by side: bit i of a table's row is about the i-th candidate. Their
/// windows are read one by one and transposed, which costs as much as some dozens of queries; all queries then have only these
/// slots to compare, an eighth of all for NRG.
template <int TeamSize, int Lanes>
struct CandidateComparerKernel {
  static constexpr int team_size = TeamSize;
  using Scratch = exec::DynamicScratch;
  using Word = SlotWord<Lanes>;

  ProgramView program;
  WordView view;
  const std::uint32_t* slots;  ///< the candidates, `count` of them; a group takes TeamSize columns of 64 * Lanes
  std::uint64_t count;
  HitSink sink;
  std::int16_t strand;
  std::int16_t first_shift;  ///< the lowest shift of the strand's rows
  std::int16_t width;        ///< 32 or 64: how many bases the strand's rows span at most

  static std::size_t scratch_bytes(int rows, int width) {
    return static_cast<std::size_t>(rows + 4 * width) * TeamSize * sizeof(Word);
  }
  static index_t slots_of_group() { return index_t{64} * Lanes * TeamSize; }

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    PHPC_EXPECT(team.size() <= team_size && scratch_bytes(program.row_count, width) <= scratch.bytes);
    Word* const own = reinterpret_cast<Word*>(scratch.data) + team.rank();
    const TableColumn<Lanes> bases{own, team.size()};
    const TableColumn<Lanes> table{own + 4 * width * team.size(), team.size()};
    for (int column = team.rank(); column < team_size; column += team.size()) {
      const std::uint64_t first = (static_cast<std::uint64_t>(team.league_rank()) * team_size + column) * (64U * Lanes);
      if (first < count) {
        read_windows(first, bases);
        make_table(bases, table);
        const auto left = static_cast<index_t>(count - first);
        run_queries<Lanes>(program, table, first_slots<Lanes>(left), strand, sink, SlotOf{slots + first});
      }
    }
  }

 private:
  struct SlotOf {
    const std::uint32_t* listed;
    [[nodiscard, gnu::always_inline]] std::uint32_t operator()(int lane, int bit) const { return listed[64 * lane + bit]; }
  };

  /// Fills rows [p * width, (p + 1) * width) with plane p of the bases from first_shift on.
  [[gnu::always_inline]] void read_windows(std::uint64_t first, const TableColumn<Lanes>& bases) const {
    const auto left = static_cast<int>(count - first < 64U * Lanes ? count - first : 64U * Lanes);
    for (int i = 0; i < 64 * Lanes; ++i) {
      // Which slot stands in for those beyond the list's end does not matter: their bits are no candidates.
      const std::uint32_t slot = slots[first + static_cast<std::uint64_t>(i < left ? i : left - 1)];
      const Window window = read_window(slot);
      std::uint64_t* const to = reinterpret_cast<std::uint64_t*>(&bases[i % 64]) + i / 64;
      const int row = bases.stride * Lanes;
      if (width == 32) {
        const Halves low = __builtin_convertvector(window, Halves);
        std::uint64_t pairs[2];
        __builtin_memcpy(pairs, &low, sizeof(pairs));
        to[0] = pairs[0];
        to[64 * row] = pairs[1];
      } else {
#pragma GCC unroll 4
        for (int p = 0; p < 4; ++p) {
          to[64 * p * row] = window[p];
        }
      }
    }
    for (int block = 0; block < 4 * width; block += 64) {
      transpose<Lanes>(TableColumn<Lanes>{&bases[block], bases.stride});
    }
  }

  using Window = SlotWord<4>;  ///< 64 bases, a lane a plane
  using Halves [[gnu::vector_size(16)]] = std::uint32_t;

  [[nodiscard, gnu::always_inline]] Window read_window(std::uint32_t slot) const {
    const index_t base = index_t{slot} + first_shift - 64 * view.base;
    const index_t word = base >> 6;
    Window low{};
    Window high{};
    if (word >= 0 && word + 1 < view.count) {
      low = exec::load_lanes<4>(view.words[word].may_be);
      high = exec::load_lanes<4>(view.words[word + 1].may_be);
    } else if (word >= 0 && word < view.count) {
      low = exec::load_lanes<4>(view.words[word].may_be);
    } else if (word + 1 == 0) {
      high = exec::load_lanes<4>(view.words[0].may_be);
    }
    return shifted(low, high, static_cast<int>(base & 63));
  }

  [[gnu::always_inline]] void make_table(const TableColumn<Lanes>& bases, const TableColumn<Lanes>& table) const {
    table[zero_row] = Word{};
    for (int i = strand_begin(program.used_end, strand); i < program.used_end[strand]; ++i) {
      const int number = program.used_rows[i];
      const TableRow row = program.rows[number];
      const int base = row.shift - first_shift;
      Planes<Word> planes;
      planes.resolve(bases[base], bases[width + base], bases[2 * width + base], bases[3 * width + base], program.rule);
      table[number] = planes.mismatches(row.letter, program.rule);
    }
  }
};

}  // namespace phpc::casoff
