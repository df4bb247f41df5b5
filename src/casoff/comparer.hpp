#pragma once
#include "casoff/finder.hpp"
#include "casoff/window.hpp"
#include "phpc/exec/team.hpp"

/// Device code: mismatches of every guide at the starts that fit the pattern.
namespace phpc::casoff {

inline constexpr int guides_per_block = 8;

/// Masks of eight guides on one strand, lane by lane: on the host eight guides are one vector operation. Bit j of a mask is the
/// letter over base j of the window (for the - strand the guide's masks are reverse-complemented, not the window).
struct GuideBlock {
  std::uint64_t mask[plane_count][guides_per_block];  ///< see MatchRule
  std::int64_t threshold[guides_per_block];           ///< -1 where the block has no guide
};

struct Hit {
  std::uint32_t offset;  ///< of the window's first base in the chunk
  std::uint32_t guide;
  std::uint16_t strand;  ///< 0 plus, 1 minus
  std::uint16_t mismatches;
};

[[gnu::always_inline]] inline std::uint64_t fetch_add(std::uint64_t* counter, std::uint64_t value) {
  return __atomic_fetch_add(counter, value, __ATOMIC_RELAXED);
}

/// One launch compares all guides. A team lists the starts of its tile in scratch, then each thread takes a start, loads its
/// window once and runs through the guides.
template <int TeamSize>
struct ComparerKernel {
  static constexpr int team_size = TeamSize;
  struct Scratch {
    std::uint64_t listed;
    std::uint16_t list[2 * tile_words * bases_per_word];  ///< start within the tile * 2 + strand
  };
#if PHPC_GPU_PASS
  static constexpr int guides_at_once = 1;
#else
  static constexpr int guides_at_once = guides_per_block;
#endif

  const BaseWord* words;  ///< words[0] is word `word_base` of the chunk
  const Tile* tiles;      ///< one a group
  const StartWord* starts;
  const GuideBlock* guides;  ///< `blocks` of the + strand, then as many of the - strand
  Hit* hits;                 ///< at most `capacity` are written, in any order
  std::uint64_t* hit_count;  ///< all hits, also those beyond the capacity; 0 before the launch
  std::uint64_t capacity;
  index_t word_base;
  MatchRule rule;  ///< invert holds the window's bits only
  int guide_count;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const Tile tile = tiles[team.league_rank()];
    const index_t first = tile.first_word - word_base;
    const int words_of_tile = static_cast<int>((tile.starts + bases_per_word - 1) / bases_per_word);
    if (team.rank() == 0) {
      scratch.listed = 0;
    }
    team.barrier();
    for (int item = team.rank(); item < 2 * words_of_tile; item += team.size()) {
      const int word = item / 2;
      const int strand = item % 2;
      std::uint64_t bits = starts[first + word].strand[strand];
      if (bits != 0) {
        std::uint64_t slot = fetch_add(&scratch.listed, static_cast<std::uint64_t>(__builtin_popcountll(bits)));
        for (; bits != 0; bits &= bits - 1) {
          const int start = word * bases_per_word + __builtin_ctzll(bits);
          scratch.list[slot++] = static_cast<std::uint16_t>(2 * start + strand);
        }
      }
    }
    team.barrier();
    const int listed = static_cast<int>(scratch.listed);
    for (int item = team.rank(); item < listed; item += team.size()) {
      compare(tile, first, scratch.list[item] / 2, scratch.list[item] % 2);
    }
  }

 private:
  [[gnu::always_inline]] void compare(const Tile& tile, index_t first, int start, int strand) const {
    const Planes window = load_window(words + first + start / bases_per_word, start % bases_per_word, rule);
    const int blocks = (guide_count + guides_per_block - 1) / guides_per_block;
    const GuideBlock* const own = guides + (strand == 0 ? 0 : blocks);
    for (int guide = 0; guide < guide_count; guide += guides_at_once) {
      const GuideBlock& block = own[guide / guides_per_block];
      const int lane = guide % guides_per_block;
      // Without a branch first: hits are rare, and this loop becomes vector code on the host.
      std::int64_t any = 0;
      for (int i = 0; i < guides_at_once; ++i) {
        any |= std::int64_t{mismatches(window, block, lane + i) <= block.threshold[lane + i]};
      }
      if (any != 0) {
        for (int i = 0; i < guides_at_once; ++i) {
          const std::int64_t count = mismatches(window, block, lane + i);
          if (count <= block.threshold[lane + i]) {
            const std::uint64_t slot = fetch_add(hit_count, 1);
            if (slot < capacity) {
              hits[slot] = {tile.first_word * static_cast<std::uint32_t>(bases_per_word) + static_cast<std::uint32_t>(start),
                            static_cast<std::uint32_t>(guide + i), static_cast<std::uint16_t>(strand),
                            static_cast<std::uint16_t>(count)};
            }
          }
        }
      }
    }
  }

  [[nodiscard, gnu::always_inline]] std::int64_t mismatches(const Planes& window, const GuideBlock& block, int lane) const {
    std::uint64_t counted = 0;
#pragma GCC unroll 5
    for (int plane = 0; plane < plane_count; ++plane) {
      counted |= window.plane[plane] & block.mask[plane][lane];
    }
    return __builtin_popcountll(counted ^ rule.invert);
  }
};

}  // namespace phpc::casoff
