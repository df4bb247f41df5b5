#pragma once
#include "casoff/window.hpp"
#include "phpc/exec/team.hpp"

/// Device code: which starts fit the pattern.
namespace phpc::casoff {

/// Up to tile_words * 64 consecutive starts of windows within one piece: the work of one team.
inline constexpr int tile_words = 32;
struct Tile {
  std::uint32_t first_word;  ///< of the chunk; its first base is the tile's first start
  std::uint32_t starts;      ///< 1 ... tile_words * 64
};

/// One letter of the pattern that is not N.
struct PatternLetter {
  std::uint8_t offset;  ///< in the window, from its left end on the + strand
  std::uint8_t planes;  ///< bit p: plane p takes part in the comparison (see MatchRule)
};

/// The starts of a word that fit the pattern, a bit each, on the + and the - strand.
struct StartWord {
  std::uint64_t strand[2];
};

/// The pattern's letters are tested for 64 starts at once: the planes, moved by a letter's offset, tell for each start whether
/// the base under that letter fits.
template <int TeamSize>
struct FinderKernel {
  static constexpr int team_size = TeamSize;
  struct Scratch {};

  const BaseWord* words;      ///< words[0] is word `word_base` of the chunk
  const Tile* tiles;          ///< one a group
  const PatternLetter* plus;  ///< `letters` of them
  const PatternLetter* minus;
  StartWord* starts;  ///< one for each of `words`; out
  index_t word_base;
  MatchRule rule;
  int letters;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& /*scratch*/) const {
    const Tile tile = tiles[team.league_rank()];
    const index_t first = tile.first_word - word_base;
    const int words_of_tile = static_cast<int>((tile.starts + bases_per_word - 1) / bases_per_word);
    // Both strands of a word are separate items, so that a tile occupies a team of 2 * tile_words threads.
    for (int item = team.rank(); item < 2 * words_of_tile; item += team.size()) {
      const int word = item / 2;
      const int strand = item % 2;
      const int left = static_cast<int>(tile.starts) - word * bases_per_word;
      const std::uint64_t valid = left >= bases_per_word ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
      starts[first + word].strand[strand] = valid & fitting(words + first + word, strand == 0 ? plus : minus);
    }
  }

 private:
  [[nodiscard, gnu::always_inline]] std::uint64_t fitting(const BaseWord* word, const PatternLetter* pattern) const {
    const Planes low = resolve(word[0].may_be, rule);
    const Planes high = resolve(word[1].may_be, rule);
    std::uint64_t misfits = 0;
    for (int i = 0; i < letters; ++i) {
      const PatternLetter letter = pattern[i];
      std::uint64_t counted_low = 0;
      std::uint64_t counted_high = 0;
#pragma GCC unroll 5
      for (int plane = 0; plane < plane_count; ++plane) {
        const std::uint64_t taken = -static_cast<std::uint64_t>((letter.planes >> plane) & 1);
        counted_low |= low.plane[plane] & taken;
        counted_high |= high.plane[plane] & taken;
      }
      misfits |= shifted(counted_low, counted_high, letter.offset) ^ rule.invert;
    }
    return ~misfits;
  }
};

}  // namespace phpc::casoff
