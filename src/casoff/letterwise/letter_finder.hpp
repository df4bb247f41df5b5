#pragma once
#include "casoff/kernels/program_view.hpp"
#include "casoff/letterwise/letters.hpp"
#include "phpc/core/base_word.hpp"

/// Device code: Cas-OFFinder's finder, which lists the candidates.
namespace phpc::casoff {

/// The strands on which a candidate fits the pattern, as Cas-OFFinder calls them.
enum StrandFlag : char { both_strands, plus_only, minus_only };

/// The candidates, in any order: at most `capacity` are written, `count` counts all and is 0 before the launch.
struct LetterCandidates {
  std::uint32_t* places;  ///< of a candidate's first letter
  char* flags;            ///< a StrandFlag
  std::uint64_t* count;
  std::uint64_t capacity;
};

/// Lists the slots of tiles whose letters fit the pattern: one work item for each slot.
struct LetterFinder {
  static constexpr int team_size = group_items;
  static constexpr int x86_64_team_size = 4;
  /// A tile is so many groups.
  static constexpr int tile_groups = tile_words * bases_per_word / group_items;
  using Scratch = QueryLetters;

  const char* letters;
  std::uint32_t first_slot;  ///< the slot of letters[0], in the chunk
  const Tile* tiles;
  const QueryLetters* pattern;
  int length;  ///< of the pattern
  LetterCandidates found;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    if (team.rank() == 0) {
      copy_query(*pattern, length, 0, 1, scratch);
    }
    team.barrier();
    const Tile tile = tiles[team.league_rank() / tile_groups];
    const int first_item = static_cast<int>(team.league_rank() % tile_groups) * group_items;
    for (int item = team.rank(); item < group_items; item += team.size()) {
      const int slot = first_item + item;
      if (slot >= tile.left_out && slot < tile.slots) {
        find(scratch, bases_per_word * tile.first_word + static_cast<std::uint32_t>(slot) - first_slot);
      }
    }
  }

 private:
  [[gnu::always_inline]] void find(const Scratch& scratch, std::uint32_t place) const {
    const bool plus = fits(scratch, place, 0);
    const bool minus = fits(scratch, place, 1);
    if (plus || minus) {
      const std::uint64_t number = fetch_add(found.count, 1);
      if (number < found.capacity) {
        found.places[number] = place;
        found.flags[number] = plus && minus ? both_strands : plus ? plus_only : minus_only;
      }
    }
  }

  [[nodiscard, gnu::always_inline]] bool fits(const Scratch& scratch, std::uint32_t place, int strand) const {
    for (int i = 0; i < length; ++i) {
      const int at = scratch.places[strand * length + i];
      if (at < 0) {
        break;
      }
      const char query = scratch.letters[strand * length + at];
      const char genome = letters[place + static_cast<std::uint32_t>(at)];
      if (letters_mismatch([&] { return query; }, [&] { return genome; })) {
        return false;
      }
    }
    return true;
  }
};

}  // namespace phpc::casoff
