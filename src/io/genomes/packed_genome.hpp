#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "phpc/core/base_word.hpp"

/// What reader and writer of packed genomes share; the format is described in phpc/io/packed_genome.hpp.
namespace phpc::io::packed {

inline constexpr std::string_view magic = "\x89PHG\r\n\x1a\n";
inline constexpr std::uint32_t version = 1;
inline constexpr std::size_t header_bytes = 16;
inline constexpr std::size_t footer_bytes = 32;
inline constexpr std::size_t section_row_bytes = 16;
inline constexpr std::size_t smallest_sequence_row = 12;
inline constexpr index_t section_bases = index_t{1} << 20;

enum class Kind : std::uint32_t { bases, iupac, letters };

/// Bytes of a section's data; of Kind::bases without the runs of N.
constexpr std::uint64_t data_bytes(Kind kind, index_t bases) {
  switch (kind) {
    case Kind::bases:
      return 16 * static_cast<std::uint64_t>(base_words(bases));
    case Kind::iupac:
      return 32 * static_cast<std::uint64_t>(base_words(bases));
    case Kind::letters:
      break;
  }
  return static_cast<std::uint64_t>(bases);
}

/// Bases [first, first + length) of a section are N.
struct NRun {
  std::uint32_t first;
  std::uint32_t length;
};

}  // namespace phpc::io::packed
