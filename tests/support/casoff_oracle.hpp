#pragma once
#include <compare>
#include <ostream>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "phpc/casoff/search.hpp"

namespace phpc::test {

/// A hit as plain values.
struct OracleSite {
  index_t contig;
  index_t position;
  char strand;
  int guide;
  int mismatches;
  std::string letters;    ///< the site's row, '-' at RNA bulges
  std::string guide_row;  ///< '-' at DNA bulges; left empty by the search without bulges, as is the next
  std::string steps;      ///< 'M' a letter over a base, 'D' a base without letter, 'R' a letter without base
  auto operator<=>(const OracleSite&) const = default;
};
std::ostream& operator<<(std::ostream& out, const OracleSite& site);

struct OracleGuide {
  std::string sequence;
  index_t threshold;
};

/// Off-target search by the definition: every window, both strands, letter by letter, with sets of base letters and nothing of
/// the program's. In order of contig, position, strand and guide.
std::vector<OracleSite> oracle_search(std::span<const casoff::Contig> contigs, const std::string& pattern,
                                      std::span<const OracleGuide> guides, casoff::Ambiguity ambiguity);

struct OracleBulges {
  int dna;
  int rna;
  bool mixed;
};

/// The same with bulges: every row of matches and gaps, written out letter by letter, that the rules of variant.hpp allow. In
/// order of contig, position, strand, guide, mismatches and rows.
std::vector<OracleSite> oracle_bulge_search(std::span<const casoff::Contig> contigs, const std::string& pattern,
                                            std::span<const OracleGuide> guides, const OracleBulges& bulges,
                                            casoff::Ambiguity ambiguity);

/// Of those, the best of each place of the PAM: fewest edits, then fewest gaps, then fewest gaps in the site's row, then gaps as
/// far to the left as may be, those in the guide's row first.
std::vector<OracleSite> oracle_best(std::vector<OracleSite> sites, const std::string& pattern);

/// What the program found, as the oracle's values; with guide rows or, for comparison with oracle_search, without.
enum class GuideRows { kept, dropped };
std::vector<OracleSite> as_oracle_sites(std::span<const casoff::FoundSite> found, const casoff::Search& search,
                                        GuideRows rows = GuideRows::dropped);

/// Guides as the program takes them.
std::vector<casoff::Guide> as_guides(std::span<const OracleGuide> guides);

/// `length` letters drawn from `alphabet`.
std::string random_letters(std::mt19937_64& random, std::string_view alphabet, std::size_t length);

/// A few contigs of 0 to `longest` letters, some of them shorter than any pattern: upper and lower case, runs of N, and where
/// `ambiguous` IUPAC letters and some outside IUPAC.
enum class GenomeLetters { acgt, ambiguous };
std::vector<casoff::Contig> random_genome(std::mt19937_64& random, int contigs, std::size_t longest, GenomeLetters letters);

}  // namespace phpc::test
