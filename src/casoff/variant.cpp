#include "phpc/casoff/variant.hpp"

#include <algorithm>

#include "phpc/core/error.hpp"

namespace phpc::casoff {

PamSide pam_side(const Pattern& pattern) {
  return pattern.text().front() == 'N' ? PamSide::three_prime : PamSide::five_prime;
}

namespace {

/// The rows of one guide's alignments, put together from left to right.
class Alignments {
 public:
  Alignments(std::int32_t guide, const Pattern& sequence, PamSide side, const BulgeLimits& limits, std::vector<Variant>& all)
      : guide_(guide), limits_(limits), all_(all), text_(sequence.text()) {
    // A '-' that the user wrote is a letter that matches everything; in a row it would be a gap.
    std::replace(text_.begin(), text_.end(), '-', 'N');
    first_ = text_.find_first_not_of('N');
    end_ = first_ == std::string::npos ? 0 : text_.find_last_not_of('N') + 1;
    idle_gap_ = side == PamSide::three_prime ? first_ : end_;
  }

  /// How many there are, in floating point since there may be very many.
  [[nodiscard]] double count() const {
    const double letters = static_cast<double>(end_ - first_);
    if (end_ == 0) {
      return 1;
    }
    if (limits_.mode == BulgeMode::mixed) {
      return count_mixed();
    }
    double all = 1 + limits_.dna * letters;
    for (int size = 1; size <= limits_.rna; ++size) {
      all += std::max(0.0, letters - size);
    }
    return all;
  }

  void add() {
    add_variant(text_, std::string(text_.size(), '.'));
    for (int total = 1; end_ > 0 && total <= limits_.dna + limits_.rna; ++total) {
      for (int dna = std::min(total, limits_.dna); dna >= 0 && total - dna <= limits_.rna; --dna) {
        const int rna = total - dna;
        if (limits_.mode == BulgeMode::mixed) {
          extend(first_, text_.substr(0, first_), std::string(first_, '.'), dna, rna, Last::letter);
        } else if (rna == 0) {
          add_guide_gap(static_cast<std::size_t>(dna));
        } else if (dna == 0) {
          add_site_gap(static_cast<std::size_t>(rna));
        }
      }
    }
  }

 private:
  enum class Last { letter, guide_gap, site_gap };

  /// The rows that extend() writes, by the number of gaps of both kinds so far and by the last step.
  [[nodiscard]] double count_mixed() const {
    struct Ways {
      double letter = 0;
      double guide_gap = 0;
      double site_gap = 0;
      [[nodiscard]] double all() const { return letter + guide_gap + site_gap; }
    };
    const auto dna_end = static_cast<std::size_t>(limits_.dna) + 1;
    const auto rna_end = static_cast<std::size_t>(limits_.rna) + 1;
    std::vector<std::vector<Ways>> ways(dna_end, std::vector<Ways>(rna_end));
    ways[0][0].letter = 1;
    for (std::size_t at = first_;; ++at) {
      for (std::size_t dna = 1; at != idle_gap_ && dna < dna_end; ++dna) {
        for (std::size_t rna = 0; rna < rna_end; ++rna) {
          ways[dna][rna].guide_gap = ways[dna - 1][rna].letter + ways[dna - 1][rna].guide_gap;
        }
      }
      if (at == end_) {
        break;
      }
      std::vector<std::vector<Ways>> next(dna_end, std::vector<Ways>(rna_end));
      for (std::size_t dna = 0; dna < dna_end; ++dna) {
        for (std::size_t rna = 0; rna < rna_end; ++rna) {
          next[dna][rna].letter = ways[dna][rna].all();
          if (rna > 0 && at + 1 < end_) {
            next[dna][rna].site_gap = ways[dna][rna - 1].letter + ways[dna][rna - 1].site_gap;
          }
        }
      }
      ways = std::move(next);
    }
    double all = 0;
    for (const std::vector<Ways>& row : ways) {
      for (const Ways& one : row) {
        all += one.all();
      }
    }
    return all;
  }

  void add_guide_gap(std::size_t size) {
    for (std::size_t place = first_; place <= end_; ++place) {
      if (place != idle_gap_) {
        std::string row = text_;
        row.insert(place, size, '-');
        add_variant(row, std::string(row.size(), '.'));
      }
    }
  }

  void add_site_gap(std::size_t size) {
    for (std::size_t place = first_; place + size < end_; ++place) {
      std::string gaps(text_.size(), '.');
      gaps.replace(place, size, size, '-');
      add_variant(text_, gaps);
    }
  }

  /// All ways to go on before letter `at`, with so many gaps of both kinds to come.
  void extend(std::size_t at, const std::string& row, const std::string& gaps, int dna, int rna, Last last) {
    if (last != Last::site_gap && at != idle_gap_ && dna > 0) {
      extend(at, row + '-', gaps + '.', dna - 1, rna, Last::guide_gap);
    }
    if (at == end_) {
      if (dna + rna == 0) {
        add_variant(row + text_.substr(end_), gaps + std::string(text_.size() - end_, '.'));
      }
      return;
    }
    if (static_cast<std::size_t>(rna) >= end_ - at) {
      return;
    }
    if (last != Last::guide_gap && rna > 0) {
      extend(at + 1, row + text_[at], gaps + '-', dna, rna - 1, Last::site_gap);
    }
    extend(at + 1, row + text_[at], gaps + '.', dna, rna, Last::letter);
  }

  void add_variant(const std::string& row, const std::string& gaps) {
    all_.push_back({guide_, row, gaps, static_cast<int>(std::count(row.begin(), row.end(), '-')),
                    static_cast<int>(std::count(gaps.begin(), gaps.end(), '-'))});
  }

  std::int32_t guide_;
  const BulgeLimits& limits_;
  std::vector<Variant>& all_;
  std::string text_;
  std::size_t first_;     ///< the first letter that is not N
  std::size_t end_;       ///< after the last one; 0: there is none
  std::size_t idle_gap_;  ///< where a gap in the guide's row changes nothing
};

}  // namespace

std::vector<Variant> make_variants(const Pattern& pattern, std::span<const Pattern> guides, const BulgeLimits& limits) {
  PHPC_VALIDATE(limits.dna >= 0 && limits.rna >= 0, ErrorKind::usage, "a bulge size is negative; give 0 or more");
  PHPC_VALIDATE(limits.dna <= max_pattern_length - pattern.size(), ErrorKind::usage,
                "a site of " + std::to_string(pattern.size()) + " letters with a DNA bulge of " + std::to_string(limits.dna) +
                    " is too long (the limit is " + std::to_string(max_pattern_length) + "); allow a smaller DNA bulge");
  std::vector<Variant> all;
  std::vector<Alignments> parts;
  double count = 0;
  for (std::size_t guide = 0; guide < guides.size(); ++guide) {
    parts.emplace_back(static_cast<std::int32_t>(guide), guides[guide], pam_side(pattern), limits, all);
    count += parts.back().count();
  }
  PHPC_VALIDATE(count <= static_cast<double>(max_variants), ErrorKind::usage,
                "the guides have more than " + std::to_string(max_variants) +
                    " alignments with so many bulges; search for fewer guides at once, or allow fewer bulges");
  all.reserve(static_cast<std::size_t>(count));
  for (Alignments& part : parts) {
    part.add();
  }
  PHPC_EXPECT(all.size() == static_cast<std::size_t>(count));
  return all;
}

}  // namespace phpc::casoff
