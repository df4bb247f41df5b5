#include <algorithm>
#include <array>

#include "io/files/text_lines.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/io/features.hpp"

namespace phpc::io {

namespace {

enum class FeatureFormat { bed, gff };

/// What covers a whole sequence and says nothing about a place in it.
constexpr std::array<std::string_view, 5> whole_sequences{"region", "chromosome", "scaffold", "contig", "supercontig"};

/// Attributes that name a feature, best first.
constexpr std::array<std::string_view, 7> naming{"gene_name", "Name", "gene", "gene_id", "ID", "Parent", "transcript_id"};

bool says_compressed(const std::string& path) {
  const std::string name = lower_case(path);
  return name.ends_with(".gz") || name.ends_with(".bgz");
}

FeatureFormat format_of(const std::string& path) {
  std::string name = lower_case(path);
  if (says_compressed(name)) {
    name.resize(name.rfind('.'));
  }
  if (name.ends_with(".bed")) {
    return FeatureFormat::bed;
  }
  PHPC_VALIDATE(name.ends_with(".gff") || name.ends_with(".gff3") || name.ends_with(".gtf"), ErrorKind::usage,
                "'" + path + "' has the ending of no file of features; give .bed, .gff, .gff3 or .gtf, plain or with .gz behind");
  return FeatureFormat::gff;
}

std::vector<std::string_view> split_tabs(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const std::size_t tab = line.find('\t');
    fields.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) {
      return fields;
    }
    line.remove_prefix(tab + 1);
  }
}

/// %41 as A (GFF3).
std::string percent_decoded(std::string_view text) {
  const auto digit = [](char letter) {
    const std::size_t at = std::string_view("0123456789abcdef").find(lower_case({&letter, 1}));
    return at == std::string_view::npos ? -1 : static_cast<int>(at);
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0) {
      out += static_cast<char>(16 * digit(text[i + 1]) + digit(text[i + 2]));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

/// The next of attributes with ';' between, of which none within quotes counts; removes it from the text.
std::string_view take_attribute(std::string_view& text) {
  bool quoted = false;
  std::size_t end = 0;
  for (; end < text.size() && (quoted || text[end] != ';'); ++end) {
    quoted = text[end] == '"' ? !quoted : quoted;
  }
  const std::string_view attribute = trimmed(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return attribute;
}

/// The value of the best naming attribute of column 9: `key=value` (GFF3) or `key "value"` (GTF); empty without one.
std::string naming_value(std::string_view attributes) {
  std::size_t best = naming.size();
  std::string value;
  while (!attributes.empty()) {
    const std::string_view attribute = take_attribute(attributes);
    const std::size_t split = attribute.find_first_of("= \t");
    const std::size_t rank =
        static_cast<std::size_t>(std::find(naming.begin(), naming.end(), attribute.substr(0, split)) - naming.begin());
    if (split == std::string_view::npos || rank >= best) {
      continue;
    }
    best = rank;
    if (attribute[split] == '=') {
      value = percent_decoded(attribute.substr(split + 1));
    } else {
      std::string_view text = trimmed(attribute.substr(split));
      if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
        text = text.substr(1, text.size() - 2);
      }
      value = text;
    }
  }
  return value;
}

class FeatureReader {
 public:
  FeatureReader(const std::string& path, std::span<const std::string> types)
      : format_(format_of(path)), types_(types), lines_(path) {
    PHPC_VALIDATE(format_ == FeatureFormat::gff || types.empty(), ErrorKind::usage,
                  "'" + path + "' is a BED file, whose features have no type; leave the types out");
    // Where the first bytes are lost or changed nothing else tells that the rest is no text.
    PHPC_VALIDATE(lines_.is_compressed() || !says_compressed(path), ErrorKind::input,
                  "'" + path +
                      "' is not compressed, as its name says (it is damaged, empty or renamed); copy it again, or "
                      "take the last ending off its name");
  }

  FeatureIndex read() {
    for (std::string_view line; lines_.next(line);) {
      if (format_ == FeatureFormat::gff && line.starts_with("##FASTA")) {
        break;
      }
      if (trimmed(line).empty() || line.front() == '#') {
        continue;
      }
      format_ == FeatureFormat::gff ? take_gff(line) : take_bed(line);
    }
    index_.build();
    return std::move(index_);
  }

 private:
  index_t position(std::string_view field, index_t least) const {
    const auto value = parse_integer(field);
    if (!value.has_value() || *value < least) {
      lines_.fail_here("'" + std::string(field.substr(0, 40)) + "' is no position; give a whole number, " +
                       std::to_string(least) + " or more");
    }
    return *value;
  }

  /// Whether a line of BED tells a browser something: sequences may be called track1.
  static bool is_setting(std::string_view line, std::string_view word) {
    return line.starts_with(word) && (line.size() == word.size() || line[word.size()] == ' ');
  }

  void take_bed(std::string_view line) {
    if (is_setting(line, "track") || is_setting(line, "browser")) {
      return;
    }
    const std::vector<std::string_view> fields =
        line.find('\t') == std::string_view::npos ? split_blanks(line) : split_tabs(line);
    if (fields.size() < 3) {
      lines_.fail_here("no BED line; give sequence, begin and end with tabs between");
    }
    const index_t begin = position(fields[1], 0);
    const index_t end = position(fields[2], begin);
    const bool has_name = fields.size() > 3 && !fields[3].empty() && fields[3] != ".";
    index_.add(
        fields[0], begin, end,
        has_name ? std::string(fields[3]) : std::string(fields[0]) + ":" + std::to_string(begin) + "-" + std::to_string(end));
  }

  [[nodiscard]] bool wants(std::string_view type) const {
    if (types_.empty()) {
      return std::find(whole_sequences.begin(), whole_sequences.end(), type) == whole_sequences.end();
    }
    return std::find(types_.begin(), types_.end(), type) != types_.end();
  }

  void take_gff(std::string_view line) {
    const std::vector<std::string_view> fields = split_tabs(line);
    if (fields.size() < 8) {
      lines_.fail_here("no GFF line (" + counted(static_cast<index_t>(fields.size()), "field") +
                       " of 9); fields have tabs between");
    }
    const index_t first = position(fields[3], 1);
    const index_t last = position(fields[4], first);
    if (wants(fields[2])) {
      const std::string value = fields.size() > 8 ? naming_value(fields[8]) : "";
      index_.add(percent_decoded(fields[0]), first - 1, last,
                 value.empty() ? std::string(fields[2]) : std::string(fields[2]) + ":" + value);
    }
  }

  FeatureFormat format_;
  std::span<const std::string> types_;
  TextLines lines_;
  FeatureIndex index_;
};

}  // namespace

FeatureIndex read_features(const std::string& path, std::span<const std::string> types) {
  return FeatureReader(path, types).read();
}

}  // namespace phpc::io
