#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "phpc/casoff/site.hpp"

namespace phpc::casoff {

/// The rows of many sites' alignments: what aligned_letters() and mark_mismatches() give, eight letters at a time. May be used by
/// several threads at once.
class SiteLetters {
 public:
  using Row = std::array<char, max_pattern_length>;

  /// `variants` are Search::variants() and must outlive it.
  SiteLetters(std::span<const Variant> variants, Ambiguity ambiguity);

  /// The row of a site of the chunk, mismatches marked; it lies in `row`.
  std::string_view marked_row(const GenomeChunk& chunk, const Site& site, Row& row) const;

 private:
  /// An alignment as bits, bit i for column i.
  struct Columns {
    std::uint64_t may_be[4];   ///< the guide's letter takes this base, or is not compared
    std::uint64_t site_gaps;   ///< gaps in the site's row
    std::int32_t length;       ///< columns
    std::int32_t site_length;  ///< bases
  };

  std::span<const Variant> variants_;
  Ambiguity ambiguity_;
  std::vector<Columns> columns_;  ///< by variant
};

}  // namespace phpc::casoff
