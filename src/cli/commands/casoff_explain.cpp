#include "cli/commands/casoff_explain.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <vector>

#include "phpc/casoff/score.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/io/search_input.hpp"

namespace phpc::cli {

namespace {

constexpr int label_width = 11;
constexpr std::string_view red = "\x1b[31m";
constexpr std::string_view yellow = "\x1b[33m";
constexpr std::string_view plain = "\x1b[0m";

std::string upper_case_row(std::string_view row, const char* what) {
  std::string upper(row);
  PHPC_VALIDATE(!row.empty(), ErrorKind::usage, fmt::format("the {} is empty; give its letters", what));
  for (char& letter : upper) {
    if (letter >= 'a' && letter <= 'z') {
      letter = static_cast<char>(letter - 'a' + 'A');
    } else if (letter == '_') {
      letter = '-';
    }
    PHPC_VALIDATE((letter >= 'A' && letter <= 'Z') || letter == '-', ErrorKind::usage,
                  fmt::format("'{}' is no row of the {}; give letters, and - for bulges", row, what));
  }
  return upper;
}

std::string reverse_complement(const std::string& row) {
  std::string reversed(row.rbegin(), row.rend());
  std::transform(reversed.begin(), reversed.end(), reversed.begin(), casoff::complement_letter);
  return reversed;
}

enum class Column { match, ambiguous_match, mismatch, dna_bulge, rna_bulge };

/// An alignment, column by column.
class Alignment {
 public:
  Alignment(std::string guide, std::string site, casoff::Ambiguity ambiguity) : guide_(std::move(guide)), site_(std::move(site)) {
    for (std::size_t i = 0; i < guide_.size(); ++i) {
      columns_.push_back(column(guide_[i], site_[i], ambiguity));
    }
  }

  [[nodiscard]] const std::string& guide() const { return guide_; }
  [[nodiscard]] const std::string& site() const { return site_; }
  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  [[nodiscard]] auto count(Column kind) const { return std::count(columns_.begin(), columns_.end(), kind); }
  /// 1-based number of the guide's letter at a column, or of the one before it where there is none.
  [[nodiscard]] std::size_t letter_number(std::size_t column) const {
    return column + 1 -
           static_cast<std::size_t>(std::count(guide_.begin(), guide_.begin() + static_cast<std::ptrdiff_t>(column) + 1, '-'));
  }

 private:
  static Column column(char guide, char site, casoff::Ambiguity ambiguity) {
    if (guide == '-') {
      return Column::dna_bulge;
    }
    if (site == '-') {
      return Column::rna_bulge;
    }
    const casoff::Code code = casoff::iupac_code(guide);
    // A letter outside IUPAC matches everything, as in a search.
    if (code != casoff::no_base && casoff::is_mismatch(code, site, ambiguity)) {
      return Column::mismatch;
    }
    return guide == site ? Column::match : Column::ambiguous_match;
  }

  std::string guide_;
  std::string site_;
  std::vector<Column> columns_;
};

/// What marks a column between the two rows.
constexpr char mark_of(Column column) {
  switch (column) {
    case Column::match:
      return '|';
    case Column::ambiguous_match:
      return ':';
    case Column::mismatch:
      return '*';
    case Column::dna_bulge:
    case Column::rna_bulge:
      return '^';
  }
  return ' ';
}

/// Numbers of the guide's letters 1, 5, 10, ... above them.
std::string ruler(const Alignment& alignment) {
  std::string line;
  std::size_t last = 0;
  for (std::size_t column = 0; column < alignment.guide().size(); ++column) {
    const std::size_t number = alignment.letter_number(column);
    if (alignment.guide()[column] != '-' && (number == 1 || number % 5 == 0) && number != last) {
      line.resize(std::max(line.size(), column), ' ');
      if (line.size() == column) {
        line += fmt::format("{}", number);
      }
      last = number;
    }
  }
  return line;
}

/// A row of the picture in colours, the same letters without.
std::string colored(const std::string& row, const Alignment& alignment, Coloring coloring) {
  if (coloring == Coloring::none) {
    return row;
  }
  std::string out;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const Column column = alignment.columns()[i];
    const bool is_bulge = column == Column::dna_bulge || column == Column::rna_bulge;
    if (column == Column::mismatch || is_bulge) {
      out.append(is_bulge ? yellow : red).append(1, row[i]).append(plain);
    } else {
      out += row[i];
    }
  }
  return out;
}

std::string line_of(std::string_view label, std::string_view text) {
  return fmt::format("{:<{}}{}\n", label, label_width, text);
}

std::string describe_mismatches(const Alignment& alignment) {
  std::string text = fmt::format("{}", alignment.count(Column::mismatch));
  const char* separator = ": ";
  for (std::size_t i = 0; i < alignment.columns().size(); ++i) {
    if (alignment.columns()[i] == Column::mismatch) {
      text += fmt::format("{}{}{}{}", separator, alignment.guide()[i], alignment.letter_number(i), alignment.site()[i]);
      separator = ", ";
    }
  }
  return text;
}

/// Runs of gaps: where they are, and the letters that they leave out.
std::string describe_bulges(const Alignment& alignment) {
  std::string text;
  const std::vector<Column>& columns = alignment.columns();
  for (std::size_t first = 0; first < columns.size();) {
    std::size_t end = first + 1;
    while (end < columns.size() && columns[end] == columns[first]) {
      ++end;
    }
    if (columns[first] == Column::dna_bulge) {
      text += fmt::format("{}DNA {}: the site has {} more behind {}", text.empty() ? "" : "; ", end - first,
                          alignment.site().substr(first, end - first), alignment.letter_number(first));
    } else if (columns[first] == Column::rna_bulge) {
      text += fmt::format("{}RNA {}: the site lacks {} at {}", text.empty() ? "" : "; ", end - first,
                          alignment.guide().substr(first, end - first), alignment.letter_number(first));
    }
    first = end;
  }
  return text.empty() ? "none" : text;
}

std::string describe_pattern(const Alignment& alignment, const casoff::Pattern& pattern, casoff::Ambiguity ambiguity) {
  std::string misses;
  for (std::size_t i = 0; i < alignment.columns().size(); ++i) {
    const Column column = alignment.columns()[i];
    if (column == Column::dna_bulge) {
      continue;
    }
    const std::size_t letter = alignment.letter_number(i) - 1;
    const casoff::Code code = pattern.codes()[letter];
    if (column == Column::rna_bulge ? code != casoff::any_base : casoff::is_mismatch(code, alignment.site()[i], ambiguity)) {
      misses += fmt::format("{}{}{}{}", misses.empty() ? "" : ", ", pattern.text()[letter], letter + 1, alignment.site()[i]);
    }
  }
  return pattern.text() + (misses.empty() ? ", which the site fits" : ", which the site does not fit: " + misses);
}

/// The pattern that scores go by: the one given, or Ns and the guide's own PAM letters.
casoff::Pattern scored_pattern(const std::string& guide, const std::optional<casoff::Pattern>& pattern) {
  constexpr std::size_t pam = 3;
  if (pattern.has_value() || guide.size() <= pam) {
    return pattern.value_or(casoff::Pattern(guide));
  }
  return casoff::Pattern(std::string(guide.size() - pam, 'N') + guide.substr(guide.size() - pam));
}

}  // namespace

std::string explain_site(std::string_view guide, std::string_view site, std::string_view pattern, casoff::Ambiguity ambiguity,
                         Coloring coloring) {
  std::string guide_row = upper_case_row(io::as_dna(guide), "guide");
  const std::string site_row = upper_case_row(site, "site");
  std::optional<casoff::Pattern> wanted;
  if (!pattern.empty()) {
    wanted.emplace(io::as_dna(pattern));
  }
  if (guide_row.size() < site_row.size() && (guide_row + site_row).find('-') == std::string::npos) {
    const bool pam_is_before = wanted.has_value() && wanted->codes().front() != casoff::any_base;
    guide_row.insert(pam_is_before ? 0 : guide_row.size(), site_row.size() - guide_row.size(), 'N');
  }
  PHPC_VALIDATE(guide_row.size() == site_row.size(), ErrorKind::usage,
                fmt::format("the guide's row has {} and the site's {}; write - for bulges, and N for the PAM in the guide",
                            counted(static_cast<index_t>(guide_row.size()), "letter"), site_row.size()));
  for (std::size_t i = 0; i < guide_row.size(); ++i) {
    PHPC_VALIDATE(guide_row[i] != '-' || site_row[i] != '-', ErrorKind::usage,
                  fmt::format("both rows have a - at column {}; leave it out", i + 1));
  }
  std::string letters = guide_row;
  std::erase(letters, '-');
  PHPC_VALIDATE(!wanted.has_value() || wanted->size() == static_cast<int>(letters.size()), ErrorKind::usage,
                fmt::format("the guide has {} and the pattern {}; give as many",
                            counted(static_cast<index_t>(letters.size()), "letter"), pattern.size()));

  const Alignment given(guide_row, site_row, ambiguity);
  // Only without bulges: the gaps of a reverse complement lie elsewhere.
  const Alignment turned(guide_row, reverse_complement(site_row), ambiguity);
  const bool may_turn = given.count(Column::dna_bulge) + given.count(Column::rna_bulge) == 0;
  const bool is_turned = may_turn && turned.count(Column::mismatch) < given.count(Column::mismatch);
  const Alignment& alignment = is_turned ? turned : given;

  std::string marks;
  std::transform(alignment.columns().begin(), alignment.columns().end(), std::back_inserter(marks), mark_of);
  std::string out = line_of("", ruler(alignment));
  out += line_of("guide", colored(alignment.guide(), alignment, coloring));
  out += line_of("", colored(marks, alignment, coloring));
  out += line_of("site", colored(alignment.site(), alignment, coloring));
  out += "\n";
  out += line_of("strand", is_turned ? "- (the reverse complement of the site is shown)" : "+ (the site as given)");
  out += line_of("mismatches", describe_mismatches(alignment));
  out += line_of("bulges", describe_bulges(alignment));
  if (wanted.has_value()) {
    out += line_of("pattern", describe_pattern(alignment, *wanted, ambiguity));
  }
  if (casoff::is_spcas9(scored_pattern(letters, wanted))) {
    const double cfd = casoff::cfd_score(alignment.guide(), alignment.site());
    const double mit = casoff::mit_score(alignment.guide(), alignment.site());
    out += std::isnan(cfd) ? "" : line_of("CFD", fmt::format("{:.6g} of 1", cfd));
    out += std::isnan(mit) ? "" : line_of("MIT", fmt::format("{:.6g} of 100", mit));
  }
  return out;
}

void protect_explained_rows(std::vector<std::string>& arguments) {
  const auto option = std::find(arguments.begin(), arguments.end(), "--explain");
  for (auto row = option; row != arguments.end() && row - option <= 2; ++row) {
    const std::size_t dashes = std::min(row->find_first_not_of('-'), row->size());
    const std::string rest = row->substr(dashes);
    const bool is_option =
        rest.size() < 2 || std::all_of(rest.begin(), rest.end(), [](char letter) { return letter >= 'a' && letter <= 'z'; });
    if (row != option && !is_option) {
      row->replace(0, dashes, dashes, '_');
    }
  }
}

Coloring coloring_of_standard_output() {
  const char* const refused = std::getenv("NO_COLOR");
  const bool is_refused = refused != nullptr && *refused != '\0';
  return isatty(STDOUT_FILENO) != 0 && !is_refused ? Coloring::terminal : Coloring::none;
}

}  // namespace phpc::cli
