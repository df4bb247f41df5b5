// JSON lines: one object a site, nothing else, so that every line can be taken by itself.
//   id (string, or the guide's 0-based number), guide, crrna, dna, sequence, start, end (0-based, half open), strand, mismatches,
//   bulge_type, bulge_size; cfd and mit (null where a site has none) with scores; features (array of strings) with features
// Text is escaped as JSON wants it; bytes that are no UTF-8 become U+FFFD.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "io/rows/row_text.hpp"

namespace phpc::io {

namespace {

void append_quoted(std::string& text, std::string_view value) {
  const bool plain = std::all_of(value.begin(), value.end(),
                                 [](char letter) { return letter >= ' ' && letter <= '~' && letter != '"' && letter != '\\'; });
  if (plain) {
    text += '"';
    text += value;
    text += '"';
  } else {
    text += nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
}

void append_member(std::string& text, std::string_view key, std::string_view value) {
  text.append(",\"").append(key).append("\":");
  append_quoted(text, value);
}

void append_member(std::string& text, std::string_view key, index_t value) {
  text.append(",\"").append(key).append("\":");
  append_number(text, value);
}

void append_member(std::string& text, std::string_view key, double score) {
  text.append(",\"").append(key).append("\":");
  if (std::isnan(score)) {
    text += "null";
  } else {
    append_score(text, score);
  }
}

class JsonlRows final : public SiteFormat {
 public:
  explicit JsonlRows(SiteColumns columns) : columns_(columns) {}

  void append_header(std::string& /*text*/, const SiteFileHeader& /*header*/) const override {}

  void append_row(std::string& text, const SiteRow& row, const ContigName& contig) const override {
    text += "{\"id\":";
    if (row.id.empty()) {
      append_number(text, row.guide_number);
    } else {
      append_quoted(text, row.id);
    }
    append_member(text, "guide", row.guide);
    append_member(text, "crrna", row.guide_row);
    append_member(text, "dna", row.site_row);
    append_member(text, "sequence", contig.full);
    append_member(text, "start", row.position);
    append_member(text, "end", row.position + row.site_length);
    append_member(text, "strand", std::string_view(&row.strand, 1));
    append_member(text, "mismatches", row.mismatches);
    append_member(text, "bulge_type", to_text(row.bulge));
    append_member(text, "bulge_size", row.bulge_size);
    if (columns_.scores) {
      append_member(text, "cfd", row.cfd);
      append_member(text, "mit", row.mit);
    }
    if (columns_.features) {
      text += ",\"features\":[";
      for (std::size_t i = 0; i < row.features.size(); ++i) {
        text += i == 0 ? "" : ",";
        append_quoted(text, row.features[i]);
      }
      text += ']';
    }
    text += "}\n";
  }

 private:
  SiteColumns columns_;
};

}  // namespace

std::unique_ptr<SiteFormat> make_jsonl_rows(SiteColumns columns) {
  return std::make_unique<JsonlRows>(columns);
}

}  // namespace phpc::io
