#pragma once
#include <cstdint>

#include "phpc/casoff/genome.hpp"

/// Device code: windows of bit planes and their comparison with masks.
namespace phpc::casoff {

/// Planes of a window as comparisons want them: A, C, G, T, and `no base` (bit set where none of the four is).
inline constexpr int plane_count = 5;
inline constexpr int no_base_plane = 4;

struct Planes {
  std::uint64_t plane[plane_count];
};

/// How the policy for ambiguous letters turns into mask arithmetic. Mismatches of a window are
///     ((A & mask A) | (C & mask C) | (G & mask G) | (T & mask T) | (no base & mask no base)) ^ invert.
/// For cas_offinder and strict, a mask holds the letters that its base counts against, and `invert` is 0. For `any`, it holds the
/// letters that its base matches, and `invert` makes mismatches of what no base of the genome's letter matched.
struct MatchRule {
  std::uint64_t keep_ambiguous;  ///< all ones: planes as stored; 0: a letter that may be several bases is none (cas_offinder)
  std::uint64_t invert;          ///< 0 or all ones
};

/// The planes of a word of 64 bases.
[[gnu::always_inline]] inline Planes resolve(const std::uint64_t (&may_be)[4], const MatchRule& rule) {
  const std::uint64_t a = may_be[0];
  const std::uint64_t c = may_be[1];
  const std::uint64_t g = may_be[2];
  const std::uint64_t t = may_be[3];
  // Exactly one of four: an odd number of them, and not three, in which case both of A, C or both of G, T are set.
  const std::uint64_t single = (a ^ c ^ g ^ t) & ~(a & c) & ~(g & t);
  const std::uint64_t kept = single | rule.keep_ambiguous;
  Planes planes;
  planes.plane[0] = a & kept;
  planes.plane[1] = c & kept;
  planes.plane[2] = g & kept;
  planes.plane[3] = t & kept;
  planes.plane[no_base_plane] = ~(planes.plane[0] | planes.plane[1] | planes.plane[2] | planes.plane[3]);
  return planes;
}

/// Bits [shift, shift + 64) of the 128 bits `high:low`; 0 <= shift < 64.
[[gnu::always_inline]] inline std::uint64_t shifted(std::uint64_t low, std::uint64_t high, int shift) {
  return (low >> shift) | ((high << 1) << (63 - shift));
}

/// The 64 bases from bit `shift` of words[0] on; reads words[0] and words[1].
[[gnu::always_inline]] inline Planes load_window(const BaseWord* words, int shift, const MatchRule& rule) {
  std::uint64_t may_be[4];
#pragma GCC unroll 4
  for (int base = 0; base < 4; ++base) {
    may_be[base] = shifted(words[0].may_be[base], words[1].may_be[base], shift);
  }
  return resolve(may_be, rule);
}

}  // namespace phpc::casoff
