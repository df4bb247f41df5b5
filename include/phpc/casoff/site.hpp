#pragma once
#include <cstdint>
#include <string>

#include "phpc/casoff/genome.hpp"
#include "phpc/casoff/pattern.hpp"
#include "phpc/casoff/variant.hpp"

namespace phpc::casoff {

enum class Strand : std::uint8_t { plus, minus };

constexpr char to_char(Strand strand) {
  return strand == Strand::plus ? '+' : '-';
}

/// One hit: a window of a contig that fits the pattern and is within the threshold of a guide, in one alignment.
struct Site {
  index_t contig;    ///< 0-based number of the contig in the genome
  index_t position;  ///< 0-based, of the leftmost base on the + strand, whatever the strand
  index_t offset;    ///< of that base in the chunk, to read the site's letters
  Strand strand;     ///< minus: the reverse complement of the window fits
  std::int32_t guide;
  std::int32_t mismatches;
  std::int32_t variant;  ///< which of Search::variants() is the alignment
};

/// The letters of a site of `length` bases, upper-cased and oriented like the guide (reverse complement on the minus strand).
std::string site_letters(const GenomeChunk& chunk, const Site& site, int length);

/// The site's row of an alignment: its letters, oriented like the guide, and '-' at RNA bulges. As long as variant.guide_row.
std::string aligned_letters(const GenomeChunk& chunk, const Site& site, const Variant& variant);

/// Letters of a site (oriented, upper-cased) with the mismatched ones marked as Cas-OFFinder does: 32 is added, which makes
/// letters lower-case (and turns '*' into 'J', '-' into 'M': kept, since rows are compared with Cas-OFFinder's).
void mark_mismatches(std::string& letters, const Pattern& guide, Ambiguity ambiguity);

/// The same for the site's row of an alignment, against the variant's guide row; bulges are not marked.
void mark_mismatches(std::string& row, const Variant& variant, Ambiguity ambiguity);

}  // namespace phpc::casoff
