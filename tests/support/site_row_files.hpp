#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phpc/io/site_rows.hpp"

namespace phpc::test {

/// What `format` makes of rows, read back from the file: header, rows. Sequence k is called names[k] and lengths[k] long.
std::string written_rows(std::string_view format, std::span<const io::SiteRow> rows, io::SiteColumns columns,
                         std::span<const std::string> names, std::span<const index_t> lengths);

std::vector<std::string> lines_of(const std::string& text);

/// Text between separators; empty fields stay.
std::vector<std::string> fields_of(const std::string& line, char separator = '\t');

/// Rows of a golden.v3.tsv (Id, Bulge Type, crRNA, DNA, Chromosome, Location, Direction, Mismatches, Bulge Size), in order of
/// their sequence, with the text that they point into.
struct GoldenRows {
  std::vector<std::vector<std::string>> fields;  ///< of each row, and behind them the guide without gaps
  std::vector<std::string> names;                ///< of the sequences, in order
  std::vector<index_t> lengths;                  ///< at least as long as the rows need
  std::vector<io::SiteRow> rows;
};

/// Ids that are whole numbers are taken for numbers of guides without id.
GoldenRows read_golden_rows(const std::string& path);

/// The folders of the shared cases; empty where they are not.
std::vector<std::string> shared_casoff_cases();

}  // namespace phpc::test
