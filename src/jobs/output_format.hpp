#pragma once
#include <string>
#include <vector>

#include "phpc/io/table.hpp"

namespace phpc::jobs {

/// The formats that one output of a subcommand can have.
struct OutputKind {
  std::string what;                  ///< plural, for messages: "rows of sites"
  std::string place;                 ///< the option that names the file: "-o"
  std::string format_option;         ///< the option that chooses the format; empty = only the name does
  std::vector<std::string> formats;  ///< as format_option has them, the one of names without a known suffix first
  bool is_text = true;               ///< in all its formats: then .txt and .dat ask for the first one
};

/// The format of an output: `given` where that is not empty, else the one that the suffix of `path` names, in either case of
/// letters, else the first of the kind. A file that is called x.csv and holds something else misleads whoever opens it: throws
/// Error(usage) where the suffix names a format that the output cannot have.
std::string output_format(const std::string& path, const std::string& given, const OutputKind& kind);

/// The same of a table, tsv or json; `place` is the option that names its file.
io::TableFormat table_format(const std::string& path, const std::string& given, const std::string& place);

/// The suffixes that name a format, with dots, in the order of the table.
std::vector<std::string> suffixes_of(const std::string& format);

}  // namespace phpc::jobs
