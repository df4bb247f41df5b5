#pragma once
#include <string>
#include <vector>

namespace phpc::io {

/// Counts by row and column.
struct HeatMap {
  std::string title;
  std::string row_label;            ///< what the rows are
  std::string column_label;         ///< what the columns are
  std::vector<std::string> rows{};  ///< their names, any UTF-8 text
  std::vector<std::string> columns{};
  std::vector<double> counts{};  ///< >= 0; row after row
};

/// An SVG picture: a cell for each count, the darker the higher (by logarithm), with the number in it, and the row's sum behind.
/// A name longer than 32 characters is shortened. Rows beyond `most_rows` are left out, those with the lowest sums first; the
/// picture says how many. Throws Error(usage) when there are not as many counts as cells.
std::string to_svg(const HeatMap& map, std::size_t most_rows = 200);

}  // namespace phpc::io
