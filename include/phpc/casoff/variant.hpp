#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "phpc/casoff/pattern.hpp"

namespace phpc::casoff {

/// One way to lay a guide along the genome: without bulges, or with letters left out on either side. Both rows are as long as the
/// alignment and oriented like the guide, its PAM included:
///
///     guide_row  GAT-ACANGG    '-' where the genome has a base that the guide has not (a DNA bulge)
///     site_gaps  .....-....    '-' where the guide has a letter that the genome has not (an RNA bulge), '.' elsewhere
struct Variant {
  std::int32_t guide = 0;  ///< 0-based number of the guide
  std::string guide_row;   ///< upper-case letters and '-'
  std::string site_gaps;   ///< '.' and '-'; never '-' where guide_row has one
  int dna_bulge = 0;       ///< number of '-' in guide_row
  int rna_bulge = 0;       ///< number of '-' in site_gaps

  /// Bases of the genome that the alignment covers.
  [[nodiscard]] int site_length() const { return static_cast<int>(guide_row.size()) - rna_bulge; }
};

/// Which end of the pattern stays where it is when an alignment has bulges: the one with the PAM.
enum class PamSide {
  three_prime,  ///< the pattern begins with N; the alignment grows and shrinks at its 5' end
  five_prime,   ///< any other pattern (TTTV...); it grows and shrinks at its 3' end
};
PamSide pam_side(const Pattern& pattern);

enum class BulgeMode {
  single,  ///< at most one run of gaps: 1 to D bases of the genome, or 1 to R letters of the guide, left out
  mixed,   ///< any number of runs of both kinds, D and R letters in all
};

/// How far alignments may go.
struct BulgeLimits {
  int dna = 0;  ///< D, the most bases of the genome that an alignment leaves out
  int rna = 0;  ///< R, the most letters of the guide
  BulgeMode mode = BulgeMode::single;
};

/// The most variants of all guides together.
inline constexpr std::size_t max_variants = std::size_t{1} << 22;

/// All alignments of the guides, in order of guide; the one without bulges first, then by number of gaps in the guide's row, of
/// gaps in the site's row, and place. Bulges lie between the guide's first and last letter that are not N, as Cas-OFFinder 3 has
/// them:
///   - a gap in the guide's row before any of these letters or after the last one, except at the end away from the PAM, where it
///     would leave the alignment as it was;
///   - a gap in the site's row under any of these letters but the last (in the guide's direction, whatever the PAM's side).
/// In BulgeMode::mixed gaps of the two kinds do not touch: side by side they are a mismatch written in another way.
/// Throws Error(usage) when an alignment could be longer than max_pattern_length, a limit is negative, or there are more than
/// max_variants.
std::vector<Variant> make_variants(const Pattern& pattern, std::span<const Pattern> guides, const BulgeLimits& limits);

}  // namespace phpc::casoff
