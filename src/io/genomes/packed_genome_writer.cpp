#include <libdeflate.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "io/genomes/packed_genome.hpp"
#include "phpc/core/error.hpp"
#include "phpc/io/packed_genome.hpp"

namespace phpc::io {

namespace {

using packed::Kind;

static_assert(std::endian::native == std::endian::little, "packed genomes are little-endian, and so are their readers");

template <class T>
void append(std::string& text, T value) {
  text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::uint32_t checksum_of(std::string_view bytes) {
  return libdeflate_crc32(0, bytes.data(), bytes.size());
}

/// The runs of N; nullopt where a base is neither N nor one of A, C, G, T.
std::optional<std::vector<packed::NRun>> runs_of_n(std::span<const BaseWord> words, index_t bases) {
  std::vector<packed::NRun> runs;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto& [a, c, g, t] = words[i].may_be;
    const auto first = static_cast<index_t>(i) * bases_per_word;
    const index_t count = std::min<index_t>(bases_per_word, bases - first);
    const std::uint64_t all = ~std::uint64_t{0} >> (bases_per_word - count);
    const std::uint64_t certain = (a ^ c ^ g ^ t) & ~(a & c) & ~(g & t);
    const std::uint64_t unknown = a & c & g & t;
    if ((certain | unknown) != all) {
      return std::nullopt;
    }
    for (std::uint64_t left = unknown; left != 0;) {
      const int bit = std::countr_zero(left);
      const int length = std::countr_one(left >> bit);
      const auto at = static_cast<std::uint32_t>(first + bit);
      if (!runs.empty() && runs.back().first + runs.back().length == at) {
        runs.back().length += static_cast<std::uint32_t>(length);
      } else {
        runs.push_back({at, static_cast<std::uint32_t>(length)});
      }
      left = bit + length == bases_per_word ? 0 : left & (~std::uint64_t{0} << (bit + length));
    }
  }
  return runs;
}

/// The two planes of each word's base numbers; N is 3.
std::string number_planes(std::span<const BaseWord> words) {
  std::string planes;
  planes.reserve(16 * words.size());
  for (const BaseWord& word : words) {
    append(planes, word.may_be[1] | word.may_be[3]);
    append(planes, word.may_be[2] | word.may_be[3]);
  }
  return planes;
}

}  // namespace

PackedGenomeWriter::PackedGenomeWriter(OutputFile& out)
    : out_(out), words_(packed::section_bases / bases_per_word), packed_(words_.size()) {
  std::string header(packed::magic);
  append(header, packed::version);
  append(header, std::uint32_t{0});
  put(std::as_bytes(std::span(header)));
}

void PackedGenomeWriter::put(std::span<const std::byte> bytes) {
  out_.write(bytes);
  written_ += bytes.size();
}

void PackedGenomeWriter::begin_sequence(std::string_view name) {
  if (sequence_count_ > 0) {
    end_section();
    append(sequences_, static_cast<std::uint64_t>(length_));
    append(sequences_, static_cast<std::uint32_t>(name_.size()));
    sequences_ += name_;
  }
  ++sequence_count_;
  name_ = name;
  length_ = 0;
}

void PackedGenomeWriter::letters(std::string_view block) {
  while (!block.empty()) {
    const auto taken =
        static_cast<index_t>(std::min<std::size_t>(block.size(), static_cast<std::size_t>(packed::section_bases - fill_)));
    const std::string_view part = block.substr(0, static_cast<std::size_t>(taken));
    if (pack_bases(part, packed_.data()) > 0) {
      for (index_t i = 0; i < taken; ++i) {
        if (base_letter(packed_, i) == '?') {
          const char letter = part[static_cast<std::size_t>(i)];
          non_iupac_.push_back({fill_ + i, letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter});
        }
      }
    }
    bases(packed_, taken);
    block.remove_prefix(part.size());
  }
}

void PackedGenomeWriter::bases(std::span<const BaseWord> words, index_t count) {
  for (index_t first = 0; first < count;) {
    const index_t taken = std::min(count - first, packed::section_bases - fill_);
    copy_bases(words_.data(), fill_, words.data(), first, taken);
    fill_ += taken;
    first += taken;
    if (fill_ == packed::section_bases) {
      end_section();
    }
  }
  base_count_ += count;
}

void PackedGenomeWriter::end_section() {
  if (fill_ == 0) {
    return;
  }
  const std::span<const BaseWord> used = std::span(words_).first(static_cast<std::size_t>(base_words(fill_)));
  Kind kind = Kind::iupac;
  std::string data;
  if (!non_iupac_.empty()) {
    kind = Kind::letters;
    data.resize(static_cast<std::size_t>(fill_));
    for (index_t i = 0; i < fill_; ++i) {
      data[static_cast<std::size_t>(i)] = base_letter(used, i);
    }
    for (const NonIupacLetter& one : non_iupac_) {
      data[static_cast<std::size_t>(one.at)] = one.letter;
    }
  } else if (const auto runs = runs_of_n(used, fill_); runs.has_value() && 8 * runs->size() <= used.size_bytes() / 2) {
    kind = Kind::bases;
    data = number_planes(used);
    for (const packed::NRun& run : *runs) {
      append(data, run);
    }
  } else {
    data.assign(reinterpret_cast<const char*>(used.data()), used.size_bytes());
  }
  append(sections_, static_cast<std::uint32_t>(fill_));
  append(sections_, static_cast<std::uint32_t>(kind));
  append(sections_, static_cast<std::uint32_t>(data.size()));
  append(sections_, checksum_of(data));
  put(std::as_bytes(std::span(data)));
  ++section_count_;
  length_ += fill_;
  fill_ = 0;
  non_iupac_.clear();
}

void PackedGenomeWriter::finish() {
  const index_t sequences = sequence_count_;
  begin_sequence({});  // ends the last one
  sequence_count_ = sequences;
  std::string index;
  append(index, static_cast<std::uint64_t>(section_count_));
  append(index, static_cast<std::uint64_t>(sequence_count_));
  index += sections_;
  index += sequences_;
  std::string footer;
  append(footer, written_);
  append(footer, static_cast<std::uint64_t>(index.size()));
  append(footer, checksum_of(index));
  append(footer, std::uint32_t{0});
  footer += packed::magic;
  put(std::as_bytes(std::span(index)));
  put(std::as_bytes(std::span(footer)));
}

}  // namespace phpc::io
