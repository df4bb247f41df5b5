#include "phpc/io/table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "phpc/core/error.hpp"

namespace phpc::io {

namespace {

std::string tsv_text(std::string text) {
  for (char& letter : text) {
    if (letter == '\t' || letter == '\n' || letter == '\r') {
      letter = ' ';
    }
  }
  return text;
}

struct TsvCell {
  std::string operator()(const std::string& text) const { return tsv_text(text); }
  std::string operator()(index_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const { return fmt::format("{}", value); }
};

struct JsonCell {
  nlohmann::ordered_json operator()(const std::string& text) const { return text; }
  nlohmann::ordered_json operator()(index_t value) const { return value; }
  nlohmann::ordered_json operator()(double value) const {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
  }
};

}  // namespace

TableFormat parse_table_format(std::string_view name) {
  if (name == "tsv") {
    return TableFormat::tsv;
  }
  PHPC_VALIDATE(name == "json", ErrorKind::usage, fmt::format("unknown format '{}'; give tsv or json", name));
  return TableFormat::json;
}

TableWriter::TableWriter(OutputFile& out, TableFormat format, std::vector<std::string> columns,
                         const nlohmann::ordered_json& meta)
    : out_(out), format_(format), columns_(std::move(columns)) {
  if (format_ == TableFormat::tsv) {
    out_.write(fmt::format("{}\n", fmt::join(columns_, "\t")));
  } else {
    // Names and paths may hold bytes that are no UTF-8; they are replaced, never thrown over.
    out_.write(fmt::format("{{\"meta\": {},\n \"rows\": [", meta.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
  }
}

void TableWriter::row(const std::vector<Cell>& cells) {
  PHPC_EXPECT(cells.size() == columns_.size());
  if (format_ == TableFormat::tsv) {
    std::string line;
    for (const Cell& cell : cells) {
      if (&cell != cells.data()) {
        line += '\t';
      }
      line += std::visit(TsvCell{}, cell);
    }
    out_.write(line + "\n");
  } else {
    nlohmann::ordered_json object;
    for (std::size_t column = 0; column < cells.size(); ++column) {
      object[columns_[column]] = std::visit(JsonCell{}, cells[column]);
    }
    out_.write((first_ ? "\n  " : ",\n  ") + object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  first_ = false;
}

void TableWriter::finish() {
  if (format_ == TableFormat::json) {
    out_.write("\n ]}\n");
  }
}

}  // namespace phpc::io
