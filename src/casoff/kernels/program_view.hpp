#pragma once
#include "casoff/query/query_program.hpp"

namespace phpc::casoff {

inline constexpr int tile_words = 64;
/// Up to tile_words * 64 consecutive slots within one piece: the work of one team.
struct Tile {
  std::uint32_t first_word;    ///< of the chunk
  std::uint16_t slots;         ///< 1 ... tile_words * 64, from the first base of that word on
  std::uint16_t left_out = 0;  ///< so many of the first ones do not belong to the tile: fewer than slots and than 64
};

/// A slot where a query has no more mismatches than it may; whether the window lies within the piece is not yet known.
struct Hit {
  std::uint32_t slot;  ///< in the chunk, in bases
  std::uint32_t variant;
  std::uint16_t strand;  ///< 0 plus, 1 minus
  std::uint16_t mismatches;
};

/// A QueryProgram in device memory: in each array the + strand's part, then the - strand's.
struct ProgramView {
  const TableRow* rows;
  const TableRow* pattern;
  const QueryGroup* groups;  ///< their offsets count from the first strand's on
  const Query* queries;
  const std::uint16_t* row_numbers;
  const std::uint16_t* used_rows;
  MatchRule rule;
  int pattern_end[2];  ///< of each strand's part; the - strand's begins where the + strand's ends
  int group_end[2];
  int used_end[2];
  int row_count;
};

/// Where a strand's part begins.
[[nodiscard, gnu::always_inline]] inline int strand_begin(const int (&end)[2], int strand) {
  return strand == 0 ? 0 : end[0];
}

/// Where hits go: at most `capacity` are written, in any order; `count` counts all of them and is 0 before the launch.
struct HitSink {
  Hit* hits;
  std::uint64_t* count;
  std::uint64_t capacity;
};

/// Adds to a counter that other threads add to as well, and returns what it was before.
[[gnu::always_inline]] inline std::uint64_t fetch_add(std::uint64_t* counter, std::uint64_t value) {
  return __atomic_fetch_add(counter, value, __ATOMIC_RELAXED);
}

}  // namespace phpc::casoff
