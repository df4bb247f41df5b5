#include "casoff/query/query_program.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace phpc::casoff {

namespace {

/// The planes that a code takes, bit p for plane p (see MatchRule).
std::uint8_t planes_of(Code code, Ambiguity ambiguity) {
  constexpr char letters[] = "ACGT?";  // '?' stands for what the no-base plane holds under the policy
  std::uint8_t planes = 0;
  for (int plane = 0; plane < plane_count; ++plane) {
    const bool mismatch = is_mismatch(code, letters[plane], ambiguity);
    const bool takes_part = ambiguity == Ambiguity::any ? !mismatch : mismatch;
    planes = static_cast<std::uint8_t>(planes | (takes_part ? 1 << plane : 0));
  }
  return planes;
}

MatchRule match_rule(Ambiguity ambiguity) {
  return {ambiguity == Ambiguity::cas_offinder ? 0 : ~std::uint64_t{0}, ambiguity == Ambiguity::any ? ~std::uint64_t{0} : 0};
}

/// Stands for a letter after all others.
constexpr std::uint8_t last_letter = 0xff;

/// A query letter over a base of a window, which is counted from the guide's first letter on, whatever the strand.
struct AlignedLetter {
  int base;
  Code code;
};

std::vector<AlignedLetter> aligned_letters_of(const Variant& variant) {
  std::vector<AlignedLetter> letters;
  int base = 0;
  for (std::size_t i = 0; i < variant.guide_row.size(); ++i) {
    if (variant.site_gaps[i] == '-') {
      continue;
    }
    const Code code = iupac_code(variant.guide_row[i]);
    if (code != no_base && code != any_base) {
      letters.push_back({base, code});
    }
    ++base;
  }
  return letters;
}

/// The pattern's letters that lie within a window of `length` bases.
std::vector<AlignedLetter> pattern_letters(const Pattern& pattern, int length) {
  const int moved = pam_side(pattern) == PamSide::three_prime ? length - pattern.size() : 0;
  std::vector<AlignedLetter> letters;
  for (int i = 0; i < pattern.size(); ++i) {
    const Code code = pattern.codes()[static_cast<std::size_t>(i)];
    if (code != any_base && i + moved >= 0 && i + moved < length) {
      letters.push_back({i + moved, code});
    }
  }
  return letters;
}

/// Makes the program of both strands, one after the other, over one table.
class Builder {
 public:
  Builder(const Pattern& pattern, std::span<const Guide> guides, std::span<const Variant> variants, Ambiguity ambiguity)
      : pattern_(pattern), guides_(guides), variants_(variants), ambiguity_(ambiguity) {
    program_.rule = match_rule(ambiguity);
    program_.rows.push_back({0, 0});
    program_.shortest = program_.longest = pattern.size();
    for (const Variant& variant : variants) {
      program_.shortest = std::min(program_.shortest, variant.site_length());
      program_.longest = std::max(program_.longest, variant.site_length());
    }
    const bool trims_pattern =
        pattern_letters(pattern, program_.shortest).size() != pattern_letters(pattern, pattern.size()).size();
    shared_length_ = trims_pattern ? program_.shortest : pattern.size();
  }

  QueryProgram build() && {
    for (int strand = 0; strand < 2; ++strand) {
      sort_queries(strand);
    }
    for (auto& [row, number] : numbers_) {
      number = static_cast<std::uint16_t>(program_.rows.size());
      program_.rows.push_back({static_cast<std::int8_t>(row.second), static_cast<std::uint8_t>(row.first)});
    }
    for (int strand = 0; strand < 2; ++strand) {
      build_strand(strand);
    }
    program_.rows.push_back({0, last_letter});
    return std::move(program_);
  }

 private:
  struct Rows {
    std::vector<std::uint16_t> required;
    std::vector<std::uint16_t> counted;
    int threshold;
  };

  TableRow table_row(const AlignedLetter& letter, int strand, int length) const {
    const int base = strand == 0 ? letter.base : length - 1 - letter.base;
    const Code code = strand == 0 ? letter.code : complement(letter.code);
    return {static_cast<std::int8_t>(first_shift(pattern_, strand, program_.shortest, length) + base),
            planes_of(code, ambiguity_)};
  }

  std::uint16_t row_number(const TableRow& row) { return numbers_[{row.letter, row.shift}]; }

  Rows rows_of(const Variant& variant, int strand) {
    const int length = variant.site_length();
    Rows rows{{}, {}, 0};
    for (const AlignedLetter& letter : aligned_letters_of(variant)) {
      rows.counted.push_back(row_number(table_row(letter, strand, length)));
    }
    const std::size_t letters = rows.counted.size();
    rows.threshold =
        static_cast<int>(std::min(guides_[static_cast<std::size_t>(variant.guide)].threshold, static_cast<index_t>(letters)));
    rows.counted.resize((letters + 3) / 4 * 4, zero_row);
    if (shared_length_ != pattern_.size()) {
      for (const AlignedLetter& letter : pattern_letters(pattern_, length)) {
        rows.required.push_back(row_number(table_row(letter, strand, length)));
      }
    }
    return rows;
  }

  /// Sorts queries by their path through the code, and enters the rows that are needed.
  void sort_queries(int strand) {
    for (std::size_t i = 0; i < variants_.size(); ++i) {
      const Rows rows = rows_of(variants_[i], strand);
      paths_[strand][{slices_for(rows.threshold), rows.required.size(), rows.counted.size()}].push_back(
          static_cast<std::uint32_t>(i));
    }
  }

  void build_strand(int strand) {
    StrandProgram& own = program_.strands[strand];
    for (const AlignedLetter& letter : pattern_letters(pattern_, shared_length_)) {
      own.pattern.push_back(table_row(letter, strand, shared_length_));
    }
    std::vector<bool> used(program_.rows.size());
    for (const auto& [path, members] : paths_[strand]) {
      const auto [slices, required, counted] = path;
      own.groups.push_back({static_cast<std::uint32_t>(own.queries.size()), static_cast<std::uint32_t>(members.size()),
                            static_cast<std::uint32_t>(own.row_numbers.size()), static_cast<std::uint16_t>(required),
                            static_cast<std::uint16_t>(counted), static_cast<std::uint8_t>(slices)});
      for (const std::uint32_t variant : members) {
        const Rows rows = rows_of(variants_[variant], strand);
        for (const auto* numbers : {&rows.required, &rows.counted}) {
          own.row_numbers.insert(own.row_numbers.end(), numbers->begin(), numbers->end());
          for (const std::uint16_t row : *numbers) {
            used[row] = true;
          }
        }
        own.queries.push_back({variant, (1U << slices) - 1 - static_cast<unsigned>(rows.threshold)});
      }
    }
    for (std::size_t row = 1; row < used.size(); ++row) {
      if (used[row]) {
        own.used_rows.push_back(static_cast<std::uint16_t>(row));
      }
    }
  }

  const Pattern& pattern_;
  std::span<const Guide> guides_;
  std::span<const Variant> variants_;
  Ambiguity ambiguity_;
  int shared_length_;  ///< of the window whose letters of the pattern all windows have
  QueryProgram program_;
  std::map<std::pair<int, int>, std::uint16_t> numbers_;   ///< of rows, by letter and shift
  using Path = std::tuple<int, std::size_t, std::size_t>;  ///< slices, required rows, counted rows
  std::map<Path, std::vector<std::uint32_t>> paths_[2];
};

}  // namespace

int first_shift(const Pattern& pattern, int strand, int shortest, int length) {
  const bool pam_is_left = (pam_side(pattern) == PamSide::five_prime) == (strand == 0);
  return pam_is_left ? 0 : shortest - length;
}

QueryProgram make_program(const Pattern& pattern, std::span<const Guide> guides, std::span<const Variant> variants,
                          Ambiguity ambiguity) {
  return Builder(pattern, guides, variants, ambiguity).build();
}

double QueryProgram::fitting_fraction() const {
  double both = 0;
  for (const StrandProgram& strand : strands) {
    double fraction = 1;
    for (const TableRow& row : strand.pattern) {
      const int taken = __builtin_popcount(row.letter & 15U);
      fraction *= (rule.invert == 0 ? 4 - taken : taken) / 4.0;
    }
    both += fraction / 2;
  }
  return both;
}

}  // namespace phpc::casoff
