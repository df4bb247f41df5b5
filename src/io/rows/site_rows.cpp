#include "phpc/io/site_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "io/rows/row_spool.hpp"
#include "io/rows/row_text.hpp"
#include "phpc/core/error.hpp"

namespace phpc::io {

namespace {

constexpr std::array<SiteFormatEntry, 7> formats{{
    {"cas-offinder2", "Cas-OFFinder 2's rows", make_cas_offinder2_rows},
    {"cas-offinder3", "Cas-OFFinder 3's rows", make_cas_offinder3_rows},
    {"tsv", "all columns, with a header line", make_tsv_rows},
    {"bed", "BED6 and more columns", make_bed_rows},
    {"sam", "alignments of the guides", make_sam_rows},
    {"vcf", "records without alternative allele", make_vcf_rows},
    {"jsonl", "a JSON object a line", make_jsonl_rows},
}};

const SiteFormatEntry& entry_of(std::string_view name) {
  std::string names;
  for (const SiteFormatEntry& entry : formats) {
    if (entry.name == name) {
      return entry;
    }
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  fail(ErrorKind::usage, fmt::format("no format of rows is called '{}'; give one of {}", name, names));
}

/// The characters of a SAM reference name (SAM specification 1.2.1), which are also VCF's; but in front no '#', with which lines
/// of BED and VCF would be comments.
bool fits_name(char letter, bool is_first) {
  if (letter <= ' ' || letter > '~' || std::string_view("\\,\"'`()[]{}<>").find(letter) != std::string_view::npos) {
    return false;
  }
  return !is_first || (letter != '*' && letter != '=' && letter != '#');
}

/// Names of sequences, which stay where they are.
class ContigNames {
 public:
  void add(std::string_view full) {
    const std::size_t begin = std::min(full.find_first_not_of(" \t"), full.size());
    std::string word(full.substr(begin, full.find_first_of(" \t", begin) - begin));
    for (std::size_t i = 0; i < word.size(); ++i) {
      if (!fits_name(word[i], i == 0)) {
        word[i] = '_';
      }
    }
    if (word.empty()) {
      word = "_";
    }
    names_.push_back({std::string(full), unique(std::move(word))});
  }

  [[nodiscard]] index_t size() const { return static_cast<index_t>(names_.size()); }
  [[nodiscard]] ContigName operator[](index_t contig) const {
    const Names& names = names_[static_cast<std::size_t>(contig)];
    return {names.full, names.word};
  }

 private:
  struct Names {
    std::string full;
    std::string word;
  };

  /// The word, or the first of word_2, word_3, ... that no sequence has. Each try but the last of all calls meets another name,
  /// so that they take time in proportion to the names, however many share a word.
  std::string unique(std::string word) {
    const auto [known, is_new] = copies_.try_emplace(word, 1);
    if (is_new) {
      return word;
    }
    int& copies = known->second;  // stays where it is when names are added
    std::string name;
    do {
      name = fmt::format("{}_{}", word, ++copies);
    } while (!copies_.try_emplace(name, 1).second);
    return name;
  }

  std::deque<Names> names_;
  std::unordered_map<std::string, int> copies_;  ///< of names given: the number of the last copy
};

}  // namespace

std::string_view to_text(Bulge bulge) {
  switch (bulge) {
    case Bulge::none:
      return "X";
    case Bulge::dna:
      return "DNA";
    case Bulge::rna:
      return "RNA";
    case Bulge::mixed:
      return "mixed";
  }
  return "";
}

std::span<const SiteFormatEntry> site_formats() {
  return formats;
}

void append_score(std::string& text, double score) {
  if (std::isnan(score)) {
    text += '.';
  } else {
    fmt::format_to(std::back_inserter(text), "{:.6g}", score);
  }
}

void append_field(std::string& text, std::string_view field) {
  const std::size_t begin = text.size();
  text += field;
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (static_cast<unsigned char>(text[i]) < ' ' || text[i] == '\x7f') {
      text[i] = ' ';
    }
  }
}

void append_features(std::string& text, std::span<const std::string_view> features) {
  if (features.empty()) {
    text += '.';
  }
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (i != 0) {
      text += ';';
    }
    const std::size_t begin = text.size();
    append_field(text, features[i]);
    for (std::size_t at = begin; at < text.size(); ++at) {
      text[at] = text[at] == ';' ? ',' : text[at];
    }
  }
}

void append_id(std::string& text, const SiteRow& row) {
  if (row.id.empty()) {
    append_number(text, row.guide_number);
  } else {
    append_field(text, row.id);
  }
}

char complement_or_n(char letter) {
  constexpr std::string_view letters = "ACGTRYSWKMBDHVN";
  constexpr std::string_view complements = "TGCAYRSWMKVHDBN";
  const std::size_t at = letters.find(letter);
  return at == std::string_view::npos ? 'N' : complements[at];
}

struct SiteRowWriter::State {
  OutputFile* out;  ///< none: rows go to put_rows alone
  std::function<void(std::string_view)> put_rows;
  std::unique_ptr<SiteFormat> format;
  SiteFileHeader header;
  NameOf name_of;
  ContigNames names;
  mutable std::mutex names_mutex;
  std::vector<char> has_row;                  ///< by number of the guide
  std::unordered_set<std::string> row_names;  ///< of formats that mark rows
  std::unique_ptr<RowSpool> spool;            ///< rows that wait for a header
  std::string text;

  State(OutputFile* file, std::function<void(std::string_view)> put, std::unique_ptr<SiteFormat> form, SiteFileHeader head,
        NameOf names_by_number)
      : out(file),
        put_rows(std::move(put)),
        format(std::move(form)),
        header(std::move(head)),
        name_of(std::move(names_by_number)) {}

  [[nodiscard]] std::string header_of(std::span<const index_t> contig_lengths) {
    SiteFileHeader whole = header;
    if (format->header_lists_contigs()) {
      for (std::size_t contig = 0; contig < contig_lengths.size(); ++contig) {
        whole.contigs.push_back({names[static_cast<index_t>(contig)].word, contig_lengths[contig]});
      }
    }
    std::string before;
    format->append_header(before, whole);
    return before;
  }
};

SiteRowWriter::SiteRowWriter(OutputFile& out, std::string_view format, SiteColumns columns, SiteFileHeader header, NameOf name_of)
    : SiteRowWriter([&out](std::string_view text) { out.write(text); }, format, columns, std::move(header), std::move(name_of)) {
  state_->out = &out;
  State& state = *state_;
  if (state.format->header_lists_contigs()) {
    state.spool = std::make_unique<RowSpool>();
  } else {
    state.put_rows(state.header_of({}));
  }
}

SiteRowWriter::SiteRowWriter(std::function<void(std::string_view)> put, std::string_view format, SiteColumns columns,
                             SiteFileHeader header, NameOf name_of)
    : state_(new State(nullptr, std::move(put), entry_of(format).make(columns), std::move(header), std::move(name_of))) {}

SiteRowWriter::~SiteRowWriter() = default;

void SiteRowWriter::write(SiteRow row) {
  learn_names(row.contig);
  row.repeats_name = repeats_name(row);
  state_->text.clear();
  append(state_->text, row, contig_name(row.contig));
  put(state_->text);
}

void SiteRowWriter::learn_names(index_t contig) {
  State& state = *state_;
  while (state.names.size() <= contig) {
    const std::string_view full = state.name_of(state.names.size());
    const std::scoped_lock lock(state.names_mutex);
    state.names.add(full);
  }
}

bool SiteRowWriter::repeats_name(const SiteRow& row) {
  State& state = *state_;
  const auto guide = static_cast<std::size_t>(row.guide_number);
  if (guide < state.has_row.size() && state.has_row[guide] != 0) {
    return true;
  }
  std::string name = state.format->marked_name(row);
  if (name.empty()) {
    return false;
  }
  state.has_row.resize(std::max(state.has_row.size(), guide + 1));
  state.has_row[guide] = 1;
  return !state.row_names.insert(std::move(name)).second;
}

ContigName SiteRowWriter::contig_name(index_t contig) const {
  const std::scoped_lock lock(state_->names_mutex);
  return state_->names[contig];
}

void SiteRowWriter::append(std::string& text, const SiteRow& row, const ContigName& contig) const {
  state_->format->append_row(text, row, contig);
}

void SiteRowWriter::put(std::string_view rows) {
  State& state = *state_;
  if (state.spool != nullptr) {
    state.spool->write(rows);
  } else {
    state.put_rows(rows);
  }
}

void SiteRowWriter::finish(std::span<const index_t> contig_lengths) {
  State& state = *state_;
  if (state.spool == nullptr) {
    return;
  }
  state.out->write(header(contig_lengths));
  state.spool->copy_to(*state.out);
}

std::string SiteRowWriter::header(std::span<const index_t> contig_lengths) {
  learn_names(static_cast<index_t>(contig_lengths.size()) - 1);
  return state_->header_of(contig_lengths);
}

}  // namespace phpc::io
