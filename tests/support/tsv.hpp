#pragma once
#include <sstream>
#include <string>
#include <vector>

namespace phpc::test {

/// The cells of a TSV, header first.
inline std::vector<std::vector<std::string>> cells_of(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, '\t');) {
      rows.back().push_back(cell);
    }
  }
  return rows;
}

}  // namespace phpc::test
