#pragma once
#include <cstdint>

#include "phpc/casoff/comparer.hpp"
#include "phpc/casoff/pattern.hpp"
#include "phpc/exec/team.hpp"

/// Device code: letters as bytes, and what the letterwise kernels know of them.
namespace phpc::casoff {

/// Work items of a group, each of which has one slot or one candidate.
inline constexpr int group_items = 256;

/// A pattern or a guide as text: on the + strand, then its reverse complement, and of either strand the places of the letters
/// that are not N, ended by -1 where there are fewer than letters.
struct QueryLetters {
  char letters[2 * max_pattern_length];
  int places[2 * max_pattern_length];
};

/// The upper-case IUPAC letter of a code, '?' of no_base, without a table in memory.
[[gnu::always_inline]] inline char letter_of_code(unsigned code) {
  // "?ACMGRSV", "TWYHKDBN", the first letter in the lowest byte.
  const std::uint64_t half = code < 8 ? 0x5653'5247'4d43'413fULL : 0x4e42'444b'4859'5754ULL;
  return static_cast<char>(half >> (8 * (code & 7U)));
}

/// Whether a letter of the query mismatches with one of the genome: Cas-OFFinder's chain of comparisons, one for each IUPAC
/// letter but N. `query` and `genome` give the letters; each comparison calls them again.
template <class QueryLetter, class GenomeLetter>
[[gnu::always_inline]] inline bool letters_mismatch(const QueryLetter& query, const GenomeLetter& genome) {
  return (query() == 'R' && (genome() == 'C' || genome() == 'T')) || (query() == 'Y' && (genome() == 'A' || genome() == 'G')) ||
         (query() == 'K' && (genome() == 'A' || genome() == 'C')) || (query() == 'M' && (genome() == 'G' || genome() == 'T')) ||
         (query() == 'W' && (genome() == 'C' || genome() == 'G')) || (query() == 'S' && (genome() == 'A' || genome() == 'T')) ||
         (query() == 'H' && genome() == 'G') || (query() == 'B' && genome() == 'A') || (query() == 'V' && genome() == 'T') ||
         (query() == 'D' && genome() == 'C') || (query() == 'A' && genome() != 'A') || (query() == 'G' && genome() != 'G') ||
         (query() == 'C' && genome() != 'C') || (query() == 'T' && genome() != 'T');
}

/// Copies both strands of a query of `length` letters to scratch: item `first` of the team and every `step`-th after it.
[[gnu::always_inline]] inline void copy_query(const QueryLetters& from, int length, int first, int step, QueryLetters& to) {
  for (int i = first; i < 2 * length; i += step) {
    to.letters[i] = from.letters[i];
    to.places[i] = from.places[i];
  }
}

}  // namespace phpc::casoff
