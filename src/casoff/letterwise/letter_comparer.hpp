#pragma once
#include "casoff/letterwise/letter_finder.hpp"

/// Device code: Cas-OFFinder's comparer, and the four optimisations of Jin and Vetter.
namespace phpc::casoff {

/// What a comparer finds, in any order; `count` is 0 before the launch. There is room for both strands of each candidate.
struct LetterHits {
  std::uint32_t* places;  ///< of a site's first letter
  char* directions;       ///< '+' or '-'
  std::uint16_t* mismatches;
  std::uint64_t* count;
};

/// A pointer, which aliases no other where Restricted.
template <bool Restricted, class T>
struct PointerOf {
  using type = T*;
};
template <class T>
struct PointerOf<true, T> {
  using type = T* __restrict;
};

/// Compares the candidates with one guide, one work item for each candidate: the kernel of the paper's listing. Each step of
/// `Which` (see Comparer) changes what the paper changed, and nothing else.
template <Comparer Which>
struct LetterComparer {
  static_assert(Which != Comparer::ours);
  static constexpr int team_size = group_items;
  static constexpr int x86_64_team_size = 4;
  using Scratch = QueryLetters;

  const char* letters;
  const std::uint32_t* places;  ///< of the candidates
  const char* flags;            ///< of the candidates
  index_t candidates;
  const QueryLetters* guide;
  int length;               ///< of the guide
  std::uint16_t threshold;  ///< the most mismatches of a hit
  LetterHits hits;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    if constexpr (Which >= Comparer::opt3) {
      copy_query(*guide, length, team.rank(), team.size(), scratch);
    } else if (team.rank() == 0) {
      copy_query(*guide, length, 0, 1, scratch);
    }
    team.barrier();
    for (int item = team.rank(); item < group_items; item += team.size()) {
      const index_t candidate = team.league_rank() * group_items + item;
      if (candidate < candidates) {
        compare(scratch, candidate, letters, places, flags, hits.places, hits.directions, hits.mismatches);
      }
    }
  }

 private:
  template <class T>
  using Pointer = typename PointerOf<(Which >= Comparer::opt1), T>::type;

  /// The pointers are parameters, since that is where compilers look at the qualifier.
  [[gnu::always_inline]] void compare(const Scratch& scratch, index_t candidate, Pointer<const char> text,
                                      Pointer<const std::uint32_t> place, Pointer<const char> flag,
                                      Pointer<std::uint32_t> hit_places, Pointer<char> hit_directions,
                                      Pointer<std::uint16_t> hit_mismatches) const {
    const char own_flag = flag[candidate];
    const std::uint32_t own_place = place[candidate];
    for (int strand = 0; strand < 2; ++strand) {
      const char other = strand == 0 ? minus_only : plus_only;
      if ((Which >= Comparer::opt2 ? own_flag : flag[candidate]) == other) {
        continue;
      }
      const int differing = mismatches(scratch, strand, [&](int at) {
        return text[(Which >= Comparer::opt2 ? own_place : place[candidate]) + static_cast<std::uint32_t>(at)];
      });
      if (differing <= threshold) {
        const std::uint64_t number = fetch_add(hits.count, 1);
        hit_places[number] = Which >= Comparer::opt2 ? own_place : place[candidate];
        hit_directions[number] = strand == 0 ? '+' : '-';
        hit_mismatches[number] = static_cast<std::uint16_t>(differing);
      }
    }
  }

  /// How many letters of the guide mismatch, or threshold + 1 where there are more. `genome_at` gives the letter at a place.
  template <class GenomeAt>
  [[nodiscard, gnu::always_inline]] int mismatches(const Scratch& scratch, int strand, const GenomeAt& genome_at) const {
    int differing = 0;
    for (int i = 0; i < length; ++i) {
      const int at = scratch.places[strand * length + i];
      if (at < 0) {
        break;
      }
      const char* const letter = &scratch.letters[strand * length + at];
      if constexpr (Which >= Comparer::opt4) {
        const char query = *letter;
        differing += letters_mismatch([&] { return query; }, [&] { return genome_at(at); }) ? 1 : 0;
      } else {
        // Read for each comparison of the chain, as the paper found it compiled; a compiler that sees no store in between would
        // make opt4 of it by itself.
        const volatile char* const query = letter;
        differing += letters_mismatch([&] { return *query; }, [&] { return genome_at(at); }) ? 1 : 0;
      }
      if (differing > threshold) {
        break;
      }
    }
    return differing;
  }
};

}  // namespace phpc::casoff
