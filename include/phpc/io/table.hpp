#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "phpc/core/types.hpp"
#include "phpc/io/output_file.hpp"

namespace phpc::io {

enum class TableFormat { tsv, json };

/// "tsv" or "json"; anything else is Error(usage).
TableFormat parse_table_format(std::string_view name);

/// One cell. Reals are written so that they read back as the same double; not-a-number is `nan` in TSV and null in JSON.
using Cell = std::variant<std::string, index_t, double>;

/// A table with named columns.
///   TSV   a header line, then one line a row, tab-separated; tabs and line breaks in text become blanks
///   JSON  {"meta": {...}, "rows": [{column: value, ...}, ...]}
/// Rows are written as they come; finish() closes the table (it does not commit the file).
class TableWriter {
 public:
  TableWriter(OutputFile& out, TableFormat format, std::vector<std::string> columns, const nlohmann::ordered_json& meta);
  void row(const std::vector<Cell>& cells);
  void finish();

 private:
  OutputFile& out_;
  TableFormat format_;
  std::vector<std::string> columns_;
  bool first_ = true;
};

}  // namespace phpc::io
