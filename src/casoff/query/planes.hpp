#pragma once
#include <cstdint>

#include "phpc/casoff/genome.hpp"

/// Device code: bit planes of a genome, and the mismatches of a query letter in them.
namespace phpc::casoff {

/// The planes: A, C, G, T, and `no base`, whose bit is set where none of the four is.
inline constexpr int plane_count = 5;
inline constexpr int no_base_plane = 4;

/// The policy for ambiguous letters as mask arithmetic. Mismatches with a query letter are
///     ((A if the letter takes A) | ... | (no base if it takes that)) ^ invert.
/// For cas_offinder and strict, a letter takes the planes that count against it, and `invert` is 0. For `any`, it takes those
/// that it matches, and `invert` makes mismatches of what no base of the genome's letter matched.
struct MatchRule {
  std::uint64_t keep_ambiguous;  ///< all ones: planes as stored; 0: a letter that may be several bases is none (cas_offinder)
  std::uint64_t invert;          ///< 0 or all ones
};

/// The planes of 64 bases a lane.
template <class Word>
struct Planes {
  Word plane[plane_count];

  /// Makes the five planes of the four that are stored.
  [[gnu::always_inline]] void resolve(const Word& a, const Word& c, const Word& g, const Word& t, const MatchRule& rule) {
    // Exactly one of four: an odd number of them, and not three, in which case both of A, C or both of G, T are set.
    const Word single = (a ^ c ^ g ^ t) & ~(a & c) & ~(g & t);
    const Word kept = single | rule.keep_ambiguous;
    plane[0] = a & kept;
    plane[1] = c & kept;
    plane[2] = g & kept;
    plane[3] = t & kept;
    plane[no_base_plane] = ~(plane[0] | plane[1] | plane[2] | plane[3]);
  }

  /// Sets the bits of bases that mismatch with a letter, which takes plane p where bit p of `taken` is set.
  [[nodiscard, gnu::always_inline]] Word mismatches(unsigned taken, const MatchRule& rule) const {
    Word counted{};
#pragma GCC unroll 5
    for (int p = 0; p < plane_count; ++p) {
      counted |= plane[p] & -static_cast<std::uint64_t>((taken >> p) & 1U);
    }
    return counted ^ rule.invert;
  }
};

}  // namespace phpc::casoff
