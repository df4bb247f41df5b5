#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "phpc/core/types.hpp"
#include "phpc/io/input_file.hpp"

namespace phpc::io {

/// Cas-OFFinder's input file, versions 2 and 3:
///     genome path
///     pattern [DNA-bulge RNA-bulge]
///     query mismatches [id]
///     ...
/// Fields are separated by blanks and tabs, lines end in LF or CRLF. Blank lines are skipped wherever they are (Cas-OFFinder
/// takes the first for the end and drops what follows).
struct SearchInput {
  struct Query {
    std::string sequence;  ///< as written; as long as the pattern
    index_t mismatches;    ///< >= 0
    std::string id;        ///< empty without ids; then all queries are
    index_t line;          ///< 1-based
  };

  std::string genome_path;  ///< without blanks at its ends; relative to the current directory
  std::string pattern;      ///< as written
  index_t pattern_line = 2;
  bool has_bulge_fields = false;  ///< line 2 had three fields: version 3
  index_t dna_bulge = 0;          ///< largest sizes; >= 0
  index_t rna_bulge = 0;
  std::vector<Query> queries;  ///< at least one
  std::string file;            ///< name of the file, for messages
};

/// Reads a file, or standard input for "-". Every line that does not fit is Error(input) "file:line: ...".
SearchInput read_search_input(const std::string& path);

/// "file:line: problem" as Error(input).
[[noreturn]] void fail_at_line(const std::string& file, index_t line, const std::string& problem);

}  // namespace phpc::io
