// SAM 1.6: each site is an alignment of the guide.
//   QNAME  the guide's id, or its letters; characters that SAM forbids become '_'
//   FLAG   16 on the minus strand; 256 for all but the first row of a name, since SAM wants one primary alignment a read
//   RNAME  ContigName::word
//   CIGAR  M, D for a base of the genome that the guide has not (DNA bulge), I for a letter of the guide more (RNA bulge)
//   SEQ    the guide, PAM included, on the + strand as SAM wants it; letters that SAM does not know become N
//   NM, MD as SAM defines them: only equal letters of A, C, G, T match, so that the Ns of the guide count
//   XM:i   mismatches as the search counts them
//   XB:Z   bulge type (X, DNA, RNA, mixed)
//   XC:f, XH:f  CFD and MIT (Hsu), with scores and where a site has them
//   XF:Z   names of features with ';' between, with features and where there are some
// The header lists the genome's sequences with their lengths, but those without a letter, which SAM cannot say.
#include <cmath>
#include <string>

#include "io/rows/row_text.hpp"

namespace phpc::io {

namespace {

constexpr int flag_reverse = 16;
constexpr int flag_secondary = 256;

constexpr bool is_base(char letter) {
  return letter == 'A' || letter == 'C' || letter == 'G' || letter == 'T';
}

char known_letter(char letter) {
  return std::string_view("ACGTRYSWKMBDHVN").find(letter) == std::string_view::npos ? 'N' : letter;
}

/// Text of a header field or a name: printable characters only.
void append_printable(std::string& text, std::string_view field, std::string_view forbidden) {
  const std::size_t begin = text.size();
  text += field;
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (text[i] < ' ' || text[i] > '~' || forbidden.find(text[i]) != std::string_view::npos) {
      text[i] = '_';
    }
  }
}

/// QNAME.
void append_name(std::string& text, const SiteRow& row) {
  constexpr std::size_t longest = 254;
  append_printable(text, guide_name(row).substr(0, longest), " @");
}

/// Puts together CIGAR, SEQ and MD of an alignment, column by column along the + strand.
class Alignment {
 public:
  std::string cigar;
  std::string sequence;
  std::string md;
  int differences = 0;

  explicit Alignment(const SiteRow& row) {
    const std::size_t columns = row.guide_row.size();
    const bool guide_has_gaps = row.bulge == Bulge::dna || row.bulge == Bulge::mixed;
    for (std::size_t i = 0; i < columns; ++i) {
      const bool forward = row.strand == '+';
      const std::size_t column = forward ? i : columns - 1 - i;
      char guide = known_letter(row.guide_row[column]);
      char site = known_letter(unmarked(row.site_row[column]));
      guide = forward ? guide : complement_or_n(guide);
      site = forward ? site : complement_or_n(site);
      if (guide_has_gaps && row.guide_row[column] == '-') {
        delete_base(site);
      } else if (site_has_gap(row, column)) {
        insert_base(guide);
      } else {
        align(guide, site);
      }
    }
    end_operation();
    append_number(md, matches_);
  }

 private:
  void begin_operation(char operation) {
    if (operation != operation_) {
      end_operation();
      operation_ = operation;
    }
    ++length_;
  }

  void end_operation() {
    if (length_ > 0) {
      append_number(cigar, length_);
      cigar += operation_;
    }
    length_ = 0;
  }

  void align(char guide, char site) {
    begin_operation('M');
    sequence += guide;
    if (guide == site && is_base(guide)) {
      ++matches_;
    } else {
      append_number(md, matches_);
      md += site;
      matches_ = 0;
      ++differences;
    }
  }

  void delete_base(char site) {
    if (operation_ != 'D') {
      append_number(md, matches_);
      md += '^';
      matches_ = 0;
    }
    begin_operation('D');
    md += site;
    ++differences;
  }

  void insert_base(char guide) {
    begin_operation('I');
    sequence += guide;
    ++differences;
  }

  char operation_ = ' ';
  index_t length_ = 0;
  index_t matches_ = 0;
};

class SamRows final : public SiteFormat {
 public:
  explicit SamRows(SiteColumns columns) : columns_(columns) {}

  [[nodiscard]] bool header_lists_contigs() const override { return true; }

  [[nodiscard]] std::string marked_name(const SiteRow& row) const override {
    std::string name;
    append_name(name, row);
    return name;
  }

  void append_header(std::string& text, const SiteFileHeader& header) const override {
    text += "@HD\tVN:1.6\tSO:coordinate\n";
    for (const ContigLength& contig : header.contigs) {
      if (contig.length > 0) {
        text.append("@SQ\tSN:").append(contig.word).append("\tLN:");
        append_number(text, contig.length);
        text += '\n';
      }
    }
    text += "@PG\tID:portable-hpc\tPN:portable-hpc\tVN:";
    append_printable(text, header.version, "");
    if (!header.command_line.empty()) {
      text += "\tCL:";
      append_printable(text, header.command_line, "");
    }
    text += '\n';
  }

  void append_row(std::string& text, const SiteRow& row, const ContigName& contig) const override {
    const Alignment alignment(row);
    append_name(text, row);
    text += '\t';
    append_number(text, (row.strand == '-' ? flag_reverse : 0) | (row.repeats_name ? flag_secondary : 0));
    text += '\t';
    text += contig.word;
    text += '\t';
    append_number(text, row.position + 1);
    text.append("\t255\t").append(alignment.cigar).append("\t*\t0\t0\t").append(alignment.sequence).append("\t*\tNM:i:");
    append_number(text, alignment.differences);
    text.append("\tMD:Z:").append(alignment.md).append("\tXM:i:");
    append_number(text, row.mismatches);
    text.append("\tXB:Z:").append(to_text(row.bulge));
    if (columns_.scores) {
      append_tag(text, "\tXC:f:", row.cfd);
      append_tag(text, "\tXH:f:", row.mit);
    }
    if (columns_.features && !row.features.empty()) {
      std::string names;
      append_features(names, row.features);
      text += "\tXF:Z:";
      append_printable(text, names, "");
    }
    text += '\n';
  }

 private:
  static void append_tag(std::string& text, std::string_view tag, double score) {
    if (!std::isnan(score)) {
      text += tag;
      append_score(text, score);
    }
  }

  SiteColumns columns_;
};

}  // namespace

std::unique_ptr<SiteFormat> make_sam_rows(SiteColumns columns) {
  return std::make_unique<SamRows>(columns);
}

}  // namespace phpc::io
