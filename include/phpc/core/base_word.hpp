#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "phpc/core/types.hpp"

namespace phpc {

/// 64 consecutive bases as four bit planes: bit i of may_be[b] is set when base i of the word may be "ACGT"[b].
///
/// A base takes half a byte. Two planes of base bits and one of "not ACGT" would take 3/8 of a byte, but one plane a letter holds
/// every IUPAC letter as it is (N sets all four bits, a letter outside IUPAC none): how ambiguous letters count is left to the
/// search, one packed genome serves all searches, and a comparison is an and/or of planes with masks, without decoding. The four
/// words of 64 bases lie together: a window of 64 bases lies in two adjacent groups, 64 bytes.
struct BaseWord {
  std::uint64_t may_be[4];
};

inline constexpr int bases_per_word = 64;

/// Words that hold so many bases.
constexpr index_t base_words(index_t bases) {
  return ceil_div(bases, bases_per_word);
}

/// Packs letters, either case, into base_words(letters.size()) words; bits after the last letter are zero. Returns how many
/// letters no code stands for (U, X, '-', '*', ...; their bits are zero).
index_t pack_bases(std::string_view letters, BaseWord* words);

/// Copies `count` bases from base `from_first` of `from` to base `to_first` of `to`. Of the first word written, the bits from
/// to_first on must be zero; bits after the last base are left zero. `from` and `to` do not overlap.
void copy_bases(BaseWord* to, index_t to_first, const BaseWord* from, index_t from_first, index_t count);

/// Makes bases [first, end) N.
void set_n(BaseWord* words, index_t first, index_t end);

/// The upper-case IUPAC letter of a base of `words`; '?' where no bit is set.
char base_letter(std::span<const BaseWord> words, index_t base);

}  // namespace phpc
