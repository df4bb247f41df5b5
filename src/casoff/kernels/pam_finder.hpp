#pragma once
#include "casoff/kernels/column.hpp"
#include "phpc/exec/team.hpp"

/// Device code: lists the candidates, the slots that fit the pattern (the PAM).
namespace phpc::casoff {

/// The candidates of either strand, in any order: at most `capacity` are written for a strand, and counts[strand] counts all.
struct CandidateLists {
  std::uint32_t* slots[2];  ///< in the chunk, in bases
  std::uint64_t* counts;    ///< 0 before the launch
  std::uint64_t capacity;
};

/// Lists the candidates of a tile: marks slots that fit, column by column, reserves places in the lists for all of them at once,
/// and writes their numbers.
template <int TeamSize, int Lanes>
struct PamFinderKernel {
  static constexpr int team_size = TeamSize;
  static constexpr int columns = (tile_words + Lanes - 1) / Lanes;
  struct Scratch {
    std::uint64_t fits[2][columns * Lanes];
    std::uint64_t listed[2];
    std::uint64_t place[2];
  };

  ProgramView program;
  WordView view;
  const Tile* tiles;  ///< one for each group
  CandidateLists lists;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const Tile tile = tiles[team.league_rank()];
    const index_t first = tile.first_word - view.base;
    const int tile_columns = static_cast<int>((tile.slots + 64U * Lanes - 1) / (64U * Lanes));
    if (team.rank() == 0) {
      scratch.listed[0] = scratch.listed[1] = 0;
    }
    team.barrier();
    for (int column = team.rank(); column < tile_columns; column += team.size()) {
      const ColumnPlanes<Lanes> planes(view, first + index_t{Lanes} * column, program.rule);
      const SlotWord<Lanes> valid = tile_slots<Lanes>(tile, column);
      for (int strand = 0; strand < 2; ++strand) {
        const SlotWord<Lanes> fits = fitting<Lanes>(planes, program, strand, valid);
        exec::store_lanes<Lanes>(scratch.fits[strand] + column * Lanes, fits);
        std::uint64_t count = 0;
        for (int lane = 0; lane < Lanes; ++lane) {
          count += static_cast<std::uint64_t>(__builtin_popcountll(exec::lane_of(fits, lane)));
        }
        take(team, &scratch.listed[strand], count);
      }
    }
    team.barrier();
    for (int strand = team.rank(); strand < 2; strand += team.size()) {
      scratch.place[strand] = fetch_add(&lists.counts[strand], scratch.listed[strand]);
    }
    team.barrier();
    for (int item = team.rank(); item < 2 * tile_columns * Lanes; item += team.size()) {
      const int strand = item / (tile_columns * Lanes);
      const int word = item % (tile_columns * Lanes);
      std::uint64_t bits = scratch.fits[strand][word];
      std::uint64_t place = take(team, &scratch.place[strand], static_cast<std::uint64_t>(__builtin_popcountll(bits)));
      const std::uint32_t slot = 64 * (tile.first_word + static_cast<std::uint32_t>(word));
      for (; bits != 0; bits &= bits - 1, ++place) {
        if (place < lists.capacity) {
          lists.slots[strand][place] = slot + static_cast<std::uint32_t>(__builtin_ctzll(bits));
        }
      }
    }
  }

 private:
  /// Does what fetch_add does, within the team: a team of one thread needs no atomic operation.
  [[gnu::always_inline]] static std::uint64_t take(const exec::Team& team, std::uint64_t* counter, std::uint64_t count) {
    if (team.size() > 1) {
      return fetch_add(counter, count);
    }
    const std::uint64_t before = *counter;
    *counter = before + count;
    return before;
  }
};

}  // namespace phpc::casoff
