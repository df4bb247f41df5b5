// VCF 4.3. A site is a stretch of the reference, not a variant of it, so its record has no alternative allele:
//   CHROM  ContigName::word
//   POS    1-based, of the leftmost base; REF that base (N where it is no A, C, G, T); ALT '.'
//   INFO   END (last base, 1-based: bcftools finds sites by overlap), GUIDE (id or 0-based number), CRRNA and DNA (the aligned
//          rows), STRAND, MM, BTYPE, BSIZE; CFD and MIT with scores, FEATURES with features, where a site has them
// In names blanks, commas, '=', ';', '%', ':' and control characters are percent-encoded.
#include <cmath>

#include "io/rows/row_text.hpp"

namespace phpc::io {

namespace {

void append_encoded(std::string& text, std::string_view name) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  for (const char letter : name) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte <= ' ' || byte == 0x7f || std::string_view(",=;%:").find(letter) != std::string_view::npos) {
      text += '%';
      text += digits[byte / 16];
      text += digits[byte % 16];
    } else {
      text += letter;
    }
  }
}

/// The leftmost base on the + strand.
char first_base(const SiteRow& row) {
  const std::size_t columns = row.site_row.size();
  for (std::size_t i = 0; i < columns; ++i) {
    const std::size_t column = row.strand == '+' ? i : columns - 1 - i;
    if (!site_has_gap(row, column)) {
      const char letter = unmarked(row.site_row[column]);
      const char base = row.strand == '+' ? letter : complement_or_n(letter);
      return std::string_view("ACGT").find(base) == std::string_view::npos ? 'N' : base;
    }
  }
  return 'N';
}

class VcfRows final : public SiteFormat {
 public:
  explicit VcfRows(SiteColumns columns) : columns_(columns) {}

  [[nodiscard]] bool header_lists_contigs() const override { return true; }

  void append_header(std::string& text, const SiteFileHeader& header) const override {
    text += "##fileformat=VCFv4.3\n##source=portable-hpc " + header.version + "\n";
    for (const ContigLength& contig : header.contigs) {
      text.append("##contig=<ID=").append(contig.word).append(",length=");
      append_number(text, contig.length);
      text += ">\n";
    }
    text +=
        "##INFO=<ID=END,Number=1,Type=Integer,Description=\"Last base of the site\">\n"
        "##INFO=<ID=GUIDE,Number=1,Type=String,Description=\"Id or 0-based number of the guide\">\n"
        "##INFO=<ID=CRRNA,Number=1,Type=String,Description=\"Guide, aligned; - for a DNA bulge\">\n"
        "##INFO=<ID=DNA,Number=1,Type=String,Description=\"Site, aligned and oriented like the guide; mismatches in lower "
        "case, - for an RNA bulge\">\n"
        "##INFO=<ID=STRAND,Number=1,Type=String,Description=\"Strand of the site, + or -\">\n"
        "##INFO=<ID=MM,Number=1,Type=Integer,Description=\"Mismatches\">\n"
        "##INFO=<ID=BTYPE,Number=1,Type=String,Description=\"Bulge type: X (none), DNA, RNA or mixed\">\n"
        "##INFO=<ID=BSIZE,Number=1,Type=Integer,Description=\"Bulge size\">\n";
    if (columns_.scores) {
      text +=
          "##INFO=<ID=CFD,Number=1,Type=Float,Description=\"CFD score (Doench et al. 2016), 0 to 1\">\n"
          "##INFO=<ID=MIT,Number=1,Type=Float,Description=\"MIT score (Hsu et al. 2013), 0 to 100\">\n";
    }
    if (columns_.features) {
      text += "##INFO=<ID=FEATURES,Number=.,Type=String,Description=\"Features that the site overlaps\">\n";
    }
    text += "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n";
  }

  void append_row(std::string& text, const SiteRow& row, const ContigName& contig) const override {
    text += contig.word;
    text += '\t';
    append_number(text, row.position + 1);
    text += "\t.\t";
    text += first_base(row);
    text += "\t.\t.\t.\tEND=";
    append_number(text, row.position + row.site_length);
    text += ";GUIDE=";
    if (row.id.empty()) {
      append_number(text, row.guide_number);
    } else {
      append_encoded(text, row.id);
    }
    text.append(";CRRNA=").append(row.guide_row).append(";DNA=");
    append_encoded(text, row.site_row);
    text += ";STRAND=";
    text += row.strand;
    text += ";MM=";
    append_number(text, row.mismatches);
    text.append(";BTYPE=").append(to_text(row.bulge)).append(";BSIZE=");
    append_number(text, row.bulge_size);
    if (columns_.scores && !std::isnan(row.cfd)) {
      text += ";CFD=";
      append_score(text, row.cfd);
    }
    if (columns_.scores && !std::isnan(row.mit)) {
      text += ";MIT=";
      append_score(text, row.mit);
    }
    if (columns_.features && !row.features.empty()) {
      const char* separator = ";FEATURES=";
      for (const std::string_view name : row.features) {
        text += separator;
        append_encoded(text, name);
        separator = ",";
      }
    }
    text += '\n';
  }

 private:
  SiteColumns columns_;
};

}  // namespace

std::unique_ptr<SiteFormat> make_vcf_rows(SiteColumns columns) {
  return std::make_unique<VcfRows>(columns);
}

}  // namespace phpc::io
