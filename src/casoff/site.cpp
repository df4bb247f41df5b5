#include "phpc/casoff/site.hpp"

namespace phpc::casoff {

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

void mark_mismatches(std::string& letters, const Pattern& guide, Ambiguity ambiguity) {
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (is_mismatch(guide.codes()[i], letters[i], ambiguity)) {
      letters[i] = static_cast<char>(letters[i] + ('a' - 'A'));
    }
  }
}

}  // namespace phpc::casoff
