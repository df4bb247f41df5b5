#include "phpc/casoff/site_letters.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

namespace phpc::casoff {

namespace {

/// The table by byte: its bits, the lowest first, as eight bytes of 0 or 1. Times a letter, that is the letter where a bit is
/// set.
constexpr std::array<std::uint64_t, 256> make_spread_table() {
  std::array<std::uint64_t, 256> table{};
  for (unsigned byte = 0; byte < table.size(); ++byte) {
    std::array<std::uint8_t, 8> bits{};
    for (unsigned bit = 0; bit < bits.size(); ++bit) {
      bits[bit] = static_cast<std::uint8_t>(byte >> bit & 1U);
    }
    table[byte] = std::bit_cast<std::uint64_t>(bits);
  }
  return table;
}

constexpr std::array<std::uint64_t, 256> spread_table = make_spread_table();

constexpr std::uint64_t spread(std::uint64_t bits, int first, char letter) {
  return spread_table[bits >> first & 0xffU] * static_cast<unsigned char>(letter);
}

constexpr std::uint64_t low_bits(int count) {
  return count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

/// Reverses the first `count` bits (Warren, Hacker's Delight 7-1).
constexpr std::uint64_t reversed(std::uint64_t bits, int count) {
  constexpr std::uint64_t masks[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                     0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
  int distance = 1;
  for (const std::uint64_t mask : masks) {
    bits = (bits & mask) << distance | (bits >> distance & mask);
    distance *= 2;
  }
  return bits >> (64 - count);
}

/// Makes room for zeros at the places of `gaps`.
constexpr std::uint64_t widened(std::uint64_t bits, std::uint64_t gaps) {
  for (; gaps != 0; gaps &= gaps - 1) {
    const std::uint64_t before = (gaps & -gaps) - 1;
    bits = (bits & before) | (bits & ~before) << 1;
  }
  return bits;
}

/// The planes of a window, oriented like the guide; bits after it are zero.
std::array<std::uint64_t, 4> window_of(const GenomeChunk& chunk, const Site& site, int length) {
  const auto words = chunk.words().subspan(static_cast<std::size_t>(site.offset / bases_per_word), 2);
  const auto skipped = static_cast<unsigned>(site.offset % bases_per_word);
  std::array<std::uint64_t, 4> planes{};
  for (std::size_t base = 0; base < planes.size(); ++base) {
    const std::uint64_t next = skipped == 0 ? 0 : words[1].may_be[base] << (64 - skipped);
    planes[base] = (words[0].may_be[base] >> skipped | next) & low_bits(length);
  }
  if (site.strand == Strand::minus) {
    std::swap(planes[0], planes[3]);
    std::swap(planes[1], planes[2]);
    for (std::uint64_t& plane : planes) {
      plane = reversed(plane, length);
    }
  }
  return planes;
}

/// Sets the bits where exactly one base is set: an odd number, and not three, in which case both of A, C or both of G, T are.
constexpr std::uint64_t single(const std::array<std::uint64_t, 4>& planes) {
  const auto [a, c, g, t] = planes;
  return (a ^ c ^ g ^ t) & ~(a & c) & ~(g & t);
}

}  // namespace

SiteLetters::SiteLetters(std::span<const Variant> variants, Ambiguity ambiguity) : variants_(variants), ambiguity_(ambiguity) {
  columns_.reserve(variants.size());
  for (const Variant& variant : variants) {
    Columns columns{};
    columns.length = static_cast<std::int32_t>(variant.guide_row.size());
    columns.site_length = variant.site_length();
    for (std::size_t i = 0; i < variant.guide_row.size(); ++i) {
      const std::uint64_t column = std::uint64_t{1} << i;
      const Code code = iupac_code(variant.guide_row[i]);
      for (int base = 0; base < 4; ++base) {
        // Neither gaps nor letters outside IUPAC are compared.
        columns.may_be[base] |= code == no_base || (code >> base & 1) != 0 ? column : 0;
      }
      columns.site_gaps |= variant.site_gaps[i] == '-' ? column : 0;
    }
    columns_.push_back(columns);
  }
}

std::string_view SiteLetters::marked_row(const GenomeChunk& chunk, const Site& site, Row& row) const {
  const Columns& columns = columns_[static_cast<std::size_t>(site.variant)];
  const auto length = static_cast<std::size_t>(columns.length);
  std::array<std::uint64_t, 4> planes = window_of(chunk, site, columns.site_length);
  if (single(planes) != low_bits(columns.site_length)) {
    // Ambiguous letters and others are rare, and what they are and match is the policy's.
    const Variant& variant = variants_[static_cast<std::size_t>(site.variant)];
    std::string letters = aligned_letters(chunk, site, variant);
    mark_mismatches(letters, variant, ambiguity_);
    std::copy(letters.begin(), letters.end(), row.begin());
    return {row.data(), length};
  }
  std::uint64_t matches = columns.site_gaps;
  for (std::size_t base = 0; base < planes.size(); ++base) {
    planes[base] = widened(planes[base], columns.site_gaps);
    matches |= planes[base] & columns.may_be[base];
  }
  constexpr char mark = 'a' - 'A';
  for (int first = 0; first < columns.length; first += 8) {
    // No two of these meet in a byte, but a letter and its mark, whose sum fits.
    const std::uint64_t letters = spread(planes[0], first, 'A') + spread(planes[1], first, 'C') + spread(planes[2], first, 'G') +
                                  spread(planes[3], first, 'T') + spread(columns.site_gaps, first, '-') +
                                  spread(~matches, first, mark);
    std::memcpy(row.data() + first, &letters, sizeof letters);
  }
  return {row.data(), length};
}

}  // namespace phpc::casoff
