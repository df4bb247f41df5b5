#include "phpc/casoff/site.hpp"

namespace phpc::casoff {

namespace {

constexpr char marked(char letter) {
  return static_cast<char>(letter + ('a' - 'A'));
}

}  // namespace

std::string site_letters(const GenomeChunk& chunk, const Site& site, int length) {
  std::string letters(static_cast<std::size_t>(length), '\0');
  for (int i = 0; i < length; ++i) {
    const char letter = chunk.letter(site.offset + i);
    if (site.strand == Strand::plus) {
      letters[static_cast<std::size_t>(i)] = letter;
    } else {
      letters[static_cast<std::size_t>(length - 1 - i)] = complement_letter(letter);
    }
  }
  return letters;
}

std::string aligned_letters(const GenomeChunk& chunk, const Site& site, const Variant& variant) {
  std::string row = site_letters(chunk, site, variant.site_length());
  for (std::size_t i = 0; i < variant.site_gaps.size(); ++i) {
    if (variant.site_gaps[i] == '-') {
      row.insert(i, 1, '-');
    }
  }
  return row;
}

void mark_mismatches(std::string& letters, const Pattern& guide, Ambiguity ambiguity) {
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (is_mismatch(guide.codes()[i], letters[i], ambiguity)) {
      letters[i] = marked(letters[i]);
    }
  }
}

void mark_mismatches(std::string& row, const Variant& variant, Ambiguity ambiguity) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    const Code code = iupac_code(variant.guide_row[i]);
    const bool aligned = variant.guide_row[i] != '-' && variant.site_gaps[i] != '-';
    // A guide's letter outside IUPAC matches everything, as in Pattern.
    if (aligned && code != no_base && is_mismatch(code, row[i], ambiguity)) {
      row[i] = marked(row[i]);
    }
  }
}

}  // namespace phpc::casoff
