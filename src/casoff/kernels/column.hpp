#pragma once
#include "casoff/kernels/program_view.hpp"
#include "casoff/kernels/slot_word.hpp"

/// Device code: a column, 64 * Lanes consecutive slots, and where its bases mismatch with query letters.
namespace phpc::casoff {

/// The words of a chunk that lie in a device's memory; words[0] is word `base` of the chunk.
struct WordView {
  const BaseWord* words;
  index_t count;
  index_t base;
};

/// The bit planes of a column and of the word on either side of it, so that shifts go from -63 to 63.
template <int Lanes>
class ColumnPlanes {
  static constexpr int step = Lanes < 8 ? Lanes : 8;
  static constexpr int parts = (Lanes + 2 + step - 1) / step;
  static constexpr int padded = parts * step;

 public:
  using Word = SlotWord<Lanes>;

  /// Reads the planes; `first` is the column's first word, counted from view.words. Bases beyond the view count as non-IUPAC
  /// letters.
  [[gnu::always_inline]] ColumnPlanes(const WordView& view, index_t first, const MatchRule& rule) : rule_(rule) {
    alignas(64) std::uint64_t stored[4][padded];
    if (first >= 1 && first - 1 + padded <= view.count) {
      read(view.words + first - 1, stored);
    } else {
      read_edge(view, first - 1, stored);
    }
#pragma GCC unroll 32
    for (int part = 0; part < parts; ++part) {
      parts_[part].resolve(exec::load_lanes<step>(stored[0] + part * step), exec::load_lanes<step>(stored[1] + part * step),
                           exec::load_lanes<step>(stored[2] + part * step), exec::load_lanes<step>(stored[3] + part * step),
                           rule);
    }
  }

  /// Mismatches with one query letter, at any shift.
  class Letter {
   public:
    [[gnu::always_inline]] Letter(const ColumnPlanes& planes, unsigned taken) {
#pragma GCC unroll 32
      for (int part = 0; part < parts; ++part) {
        exec::store_lanes<step>(bits_ + part * step, planes.parts_[part].mismatches(taken, planes.rule_));
      }
    }
    [[nodiscard, gnu::always_inline]] Word at(int shift) const { return shift < 0 ? before(shift) : from(shift); }
    /// at() of shifts below 0, and of shifts from 0 on.
    [[nodiscard, gnu::always_inline]] Word before(int shift) const {
      return shifted(exec::load_lanes<Lanes>(bits_), exec::load_lanes<Lanes>(bits_ + 1), shift + 64);
    }
    [[nodiscard, gnu::always_inline]] Word from(int shift) const {
      return shifted(exec::load_lanes<Lanes>(bits_ + 1), exec::load_lanes<Lanes>(bits_ + 2), shift);
    }

   private:
    alignas(64) std::uint64_t bits_[padded];
  };

 private:
  [[gnu::always_inline]] static void read(const BaseWord* words, std::uint64_t (&stored)[4][padded]) {
#pragma GCC unroll 32
    for (int i = 0; i < padded; ++i) {
#pragma GCC unroll 4
      for (int base = 0; base < 4; ++base) {
        stored[base][i] = words[i].may_be[base];
      }
    }
  }

  [[gnu::always_inline]] static void read_edge(const WordView& view, index_t first, std::uint64_t (&stored)[4][padded]) {
#pragma GCC unroll 1
    for (int i = 0; i < padded; ++i) {
      const bool has_word = first + i >= 0 && first + i < view.count;
      for (int base = 0; base < 4; ++base) {
        stored[base][i] = has_word ? view.words[first + i].may_be[base] : 0;
      }
    }
  }

  MatchRule rule_;
  Planes<SlotWord<step>> parts_[parts];
};

/// Sets the bits of a column's first `slots` slots, or of all where there are fewer.
template <int Lanes>
[[nodiscard, gnu::always_inline]] inline SlotWord<Lanes> first_slots(index_t slots) {
  if (slots >= index_t{64} * Lanes) {
    return exec::broadcast<Lanes>(~std::uint64_t{0});
  }
  std::uint64_t bits[Lanes];
  for (int lane = 0; lane < Lanes; ++lane) {
    const index_t left = slots - index_t{64} * lane;
    bits[lane] = left >= 64 ? ~std::uint64_t{0} : left <= 0 ? 0 : (std::uint64_t{1} << left) - 1;
  }
  return exec::load_lanes<Lanes>(bits);
}

/// Sets the bits of those slots of a column that are the tile's; `number` is the column's in the tile, from 0 on.
template <int Lanes>
[[nodiscard, gnu::always_inline]] inline SlotWord<Lanes> tile_slots(const Tile& tile, int number) {
  const SlotWord<Lanes> slots = first_slots<Lanes>(tile.slots - index_t{64} * Lanes * number);
  return number == 0 && tile.left_out != 0 ? slots & ~first_slots<Lanes>(tile.left_out) : slots;
}

/// Sets the bits of those slots in `among` that fit the pattern on a strand (0 plus, 1 minus).
template <int Lanes>
[[nodiscard, gnu::always_inline]] inline SlotWord<Lanes> fitting(const ColumnPlanes<Lanes>& planes, const ProgramView& program,
                                                                 int strand, const SlotWord<Lanes>& among) {
  SlotWord<Lanes> fits = among;
  for (int i = strand_begin(program.pattern_end, strand); i < program.pattern_end[strand]; ++i) {
    const TableRow row = program.pattern[i];
    fits &= ~typename ColumnPlanes<Lanes>::Letter(planes, row.letter).at(row.shift);
  }
  return fits;
}

}  // namespace phpc::casoff
