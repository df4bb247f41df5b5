// BED6 and further columns, after a line of names that begins with '#':
//   chrom        ContigName::word: programs that read BED allow no blanks
//   chromStart, chromEnd   0-based, half open
//   name         the guide's id, or its letters
//   score        0 to 1000: 1000 times CFD with scores (0 for sites without one), else 1000 less 100 for each mismatch and gap
//   strand, mismatches, bulgeType, bulgeSize, crRNA, DNA
//   cfd, mit     with scores; '.' where a site has none
//   features     with features; names with ';' between, '.' where there is none
// Control characters in names (tabs, line breaks, ...) become blanks, a ';' in a feature's name becomes ','.
#include <algorithm>
#include <cmath>

#include "io/rows/row_text.hpp"

namespace phpc::io {

namespace {

constexpr index_t best_score = 1000;

class BedRows final : public SiteFormat {
 public:
  explicit BedRows(SiteColumns columns) : columns_(columns) {}

  void append_header(std::string& text, const SiteFileHeader& /*header*/) const override {
    text += "#chrom\tchromStart\tchromEnd\tname\tscore\tstrand\tmismatches\tbulgeType\tbulgeSize\tcrRNA\tDNA";
    text += columns_.scores ? "\tcfd\tmit" : "";
    text += columns_.features ? "\tfeatures\n" : "\n";
  }

  void append_row(std::string& text, const SiteRow& row, const ContigName& contig) const override {
    append_columns(text, contig.word, row.position, row.position + row.site_length);
    text += '\t';
    append_field(text, guide_name(row));
    text += '\t';
    append_columns(text, score(row), row.strand, row.mismatches, to_text(row.bulge), row.bulge_size, row.guide_row, row.site_row);
    if (columns_.scores) {
      for (const double value : {row.cfd, row.mit}) {
        text += '\t';
        append_score(text, value);
      }
    }
    if (columns_.features) {
      text += '\t';
      append_features(text, row.features);
    }
    text += '\n';
  }

 private:
  [[nodiscard]] index_t score(const SiteRow& row) const {
    if (columns_.scores) {
      return std::isnan(row.cfd) ? 0 : std::lround(row.cfd * best_score);
    }
    return std::max(index_t{0}, best_score - 100 * (row.mismatches + row.bulge_size));
  }

  SiteColumns columns_;
};

}  // namespace

std::unique_ptr<SiteFormat> make_bed_rows(SiteColumns columns) {
  return std::make_unique<BedRows>(columns);
}

}  // namespace phpc::io
