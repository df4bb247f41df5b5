#include "phpc/io/site_rows.hpp"

#include <charconv>

namespace phpc::io {

namespace {

void append_number(std::string& text, index_t number) {
  char digits[24];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

}  // namespace

void append_cas_offinder2(std::string& text, const SiteRow& row) {
  text += row.query;
  text += '\t';
  text += row.sequence;
  text += '\t';
  append_number(text, row.position);
  text += '\t';
  text += row.letters;
  text += '\t';
  text += row.strand;
  text += '\t';
  append_number(text, row.mismatches);
  if (!row.id.empty()) {
    text += '\t';
    text += row.id;
  }
  text += '\n';
}

}  // namespace phpc::io
