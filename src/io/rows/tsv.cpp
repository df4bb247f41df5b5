// Tab-separated values with a header line:
//   id           the guide's id, or its 0-based number
//   guide        without gaps
//   crrna, dna   the aligned rows, oriented like the guide, mismatches in lower case, '-' for bulges
//   sequence     of the genome
//   start, end   0-based, half open, on the + strand
//   strand, mismatches, bulge_type (X, DNA, RNA, mixed), bulge_size
//   cfd, mit     with scores; empty where a site has none, so that tables read the column as numbers
//   features     with features; names with ';' between, '.' where there is none
// Control characters in names (tabs, line breaks, ...) become blanks, a ';' in a feature's name becomes ','.
#include <cmath>

#include "io/rows/row_text.hpp"

namespace phpc::io {

namespace {

class TsvRows final : public SiteFormat {
 public:
  explicit TsvRows(SiteColumns columns) : columns_(columns) {}

  void append_header(std::string& text, const SiteFileHeader& /*header*/) const override {
    text += "id\tguide\tcrrna\tdna\tsequence\tstart\tend\tstrand\tmismatches\tbulge_type\tbulge_size";
    text += columns_.scores ? "\tcfd\tmit" : "";
    text += columns_.features ? "\tfeatures\n" : "\n";
  }

  void append_row(std::string& text, const SiteRow& row, const ContigName& contig) const override {
    append_id(text, row);
    text += '\t';
    append_columns(text, row.guide, row.guide_row, row.site_row);
    text += '\t';
    append_field(text, contig.full);
    text += '\t';
    append_columns(text, row.position, row.position + row.site_length, row.strand, row.mismatches, to_text(row.bulge),
                   row.bulge_size);
    if (columns_.scores) {
      for (const double score : {row.cfd, row.mit}) {
        text += '\t';
        if (!std::isnan(score)) {
          append_score(text, score);
        }
      }
    }
    if (columns_.features) {
      text += '\t';
      append_features(text, row.features);
    }
    text += '\n';
  }

 private:
  SiteColumns columns_;
};

}  // namespace

std::unique_ptr<SiteFormat> make_tsv_rows(SiteColumns columns) {
  return std::make_unique<TsvRows>(columns);
}

}  // namespace phpc::io
