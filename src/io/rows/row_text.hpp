#pragma once
#include <charconv>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "phpc/io/site_rows.hpp"

/// What the formats of rows share.
namespace phpc::io {

std::unique_ptr<SiteFormat> make_cas_offinder2_rows(SiteColumns columns);
std::unique_ptr<SiteFormat> make_cas_offinder3_rows(SiteColumns columns);
std::unique_ptr<SiteFormat> make_tsv_rows(SiteColumns columns);
std::unique_ptr<SiteFormat> make_bed_rows(SiteColumns columns);
std::unique_ptr<SiteFormat> make_sam_rows(SiteColumns columns);
std::unique_ptr<SiteFormat> make_vcf_rows(SiteColumns columns);
std::unique_ptr<SiteFormat> make_jsonl_rows(SiteColumns columns);

inline void append_number(std::string& text, index_t number) {
  char digits[24];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

/// Appends texts, letters and numbers with tabs between.
template <class First, class... Others>
void append_columns(std::string& text, const First& first, const Others&... others) {
  if constexpr (std::is_convertible_v<First, std::string_view> || std::is_same_v<First, char>) {
    text += first;
  } else {
    append_number(text, first);
  }
  if constexpr (sizeof...(others) > 0) {
    text += '\t';
    append_columns(text, others...);
  }
}

/// Six significant digits, as few as say it; '.' for no score.
void append_score(std::string& text, double score);

/// Text in a column between tabs: control characters (tabs, line breaks, ...) become blanks.
void append_field(std::string& text, std::string_view field);

/// Names of features with ';' between; a ';' within a name becomes ','. "." when there is none.
void append_features(std::string& text, std::span<const std::string_view> features);

/// A guide as rows call it: its id, or its number where it has none.
void append_id(std::string& text, const SiteRow& row);

/// A guide as SAM and BED call it: its id, or its letters where it has none.
inline std::string_view guide_name(const SiteRow& row) {
  return row.id.empty() ? row.guide : row.id;
}

/// Whether the site has a gap (an RNA bulge) at a column of the alignment.
inline bool site_has_gap(const SiteRow& row, std::size_t column) {
  return !row.site_gaps.empty() && row.site_gaps[column] == '-';
}

/// Upper case, without the mark of a mismatch.
constexpr char unmarked(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

/// The IUPAC complement of an upper-case letter; N for characters that are none.
char complement_or_n(char letter);

}  // namespace phpc::io
