#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phpc/core/types.hpp"
#include "phpc/io/input_file.hpp"

namespace phpc::io {

/// An off-target search as its user writes it, in text: in Cas-OFFinder's input file or on a command line.
struct SearchInput {
  struct Query {
    std::string sequence;  ///< as written, or filled up with N; as long as the pattern
    index_t mismatches;    ///< >= 0
    std::string id;        ///< empty without ids; then all queries are
    std::string place;     ///< where it was given, for messages: "input.txt:3", "--guide 'ACGT'"
  };

  std::string genome_path;  ///< without blanks at its ends; relative to the current directory
  std::string pattern;      ///< as written
  std::string pattern_place;
  bool has_bulge_fields = false;  ///< sizes of bulges were given, 0 included: Cas-OFFinder's version 3
  index_t dna_bulge = 0;          ///< largest sizes; >= 0
  index_t rna_bulge = 0;
  std::vector<Query> queries;  ///< at least one
};

/// Cas-OFFinder's input file, versions 2 and 3; "-" is standard input:
///     genome path
///     pattern [DNA-bulge RNA-bulge]
///     query mismatches [id]
///     ...
/// Fields are separated by blanks and tabs, lines end in LF, CR LF or CR. Blank lines are skipped wherever they are (Cas-OFFinder
/// takes the first for the end and drops what follows). Every line that does not fit is Error(input) "file:line: ...".
SearchInput read_search_input(const std::string& path);

/// A guide of a command line or of a list of guides.
struct GuideText {
  std::string sequence;
  std::optional<index_t> mismatches;
  std::string id;
  std::string place;
};

/// "SEQUENCE[:MISMATCHES[:ID]]"; the id may hold colons. Throws Error(input).
GuideText parse_guide(std::string_view text);

/// A file of guides, "sequence [mismatches [id]]" a line; blank lines are skipped; "-" is standard input. Throws Error(input).
std::vector<GuideText> read_guides(const std::string& path);

/// Letters of RNA as those of DNA: T for U, in either case. Guides are RNA, and lists of them are often written so; U itself is a
/// letter that matches everything, as in Cas-OFFinder.
std::string as_dna(std::string_view letters);

/// The input of a command line. Pattern and guides are taken as_dna. Guides without a number of mismatches get `mismatches`;
/// guides that are shorter than the pattern are filled up with N over the PAM: at the end of the pattern whose last letter is not
/// N, or at its beginning. Throws Error(input) with the guide's place for what does not fit, as read_search_input does.
SearchInput make_search_input(std::string genome_path, const std::string& pattern, const std::vector<GuideText>& guides,
                              std::optional<index_t> mismatches);

/// "place: problem" as Error(input), or as Error(usage) where the place is an option of the command line.
[[noreturn]] void fail_at(const std::string& place, const std::string& problem);

}  // namespace phpc::io
