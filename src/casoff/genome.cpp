#include "phpc/casoff/genome.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "phpc/casoff/pattern.hpp"
#include "phpc/core/error.hpp"

namespace phpc::casoff {

namespace {

char upper_case(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

/// Codes of all bytes, to look up without a call in the packing loop.
const std::array<Code, 256>& codes_of_bytes() {
  static const std::array<Code, 256> codes = [] {
    std::array<Code, 256> table{};
    for (int byte = 0; byte < 256; ++byte) {
      table[static_cast<std::size_t>(byte)] = iupac_code(static_cast<char>(byte));
    }
    return table;
  }();
  return codes;
}

/// Bit 0 of each of the eight bytes of `bytes`, lowest byte first, as one byte: the product brings bit 8k to bit 56 + k.
std::uint64_t gather_bits(std::uint64_t bytes) {
  return ((bytes & 0x0101010101010101U) * 0x0102040810204080U) >> 56;
}

BaseWord pack_word(const char* letters, const std::array<Code, 256>& codes) {
  BaseWord word{};
  for (int group = 0; group < 8; ++group) {
    std::uint64_t eight = 0;
    for (int i = 0; i < 8; ++i) {
      eight |= std::uint64_t{codes[static_cast<unsigned char>(letters[8 * group + i])]} << (8 * i);
    }
    for (int base = 0; base < 4; ++base) {
      word.may_be[base] |= gather_bits(eight >> base) << (8 * group);
    }
  }
  return word;
}

}  // namespace

char GenomeChunk::letter(index_t offset) const {
  const BaseWord& word = words_[static_cast<std::size_t>(offset / bases_per_word)];
  const auto bit = static_cast<int>(offset % bases_per_word);
  Code code = no_base;
  for (int base = 0; base < 4; ++base) {
    code = static_cast<Code>(code | (((word.may_be[base] >> bit) & 1) << base));
  }
  if (code != no_base) {
    return iupac_letter(code);
  }
  const auto after = std::upper_bound(foreign_.begin(), foreign_.end(), offset,
                                      [](index_t at, const ForeignRun& run) { return at < index_t{run.offset}; });
  PHPC_EXPECT(after != foreign_.begin());
  return std::prev(after)->letter;
}

GenomePacker::GenomePacker(index_t chunk_bases, int overlap, std::function<void(const GenomeChunk&)> full)
    : full_(std::move(full)),
      capacity_(std::max<index_t>(2, ceil_div(chunk_bases, bases_per_word)) * bases_per_word),
      overlap_(overlap) {
  PHPC_VALIDATE(overlap >= 0 && overlap < bases_per_word, ErrorKind::usage, "chunks overlap by 0 to 63 bases");
  PHPC_VALIDATE(chunk_bases > 0 && capacity_ <= GenomeChunk::max_bases, ErrorKind::usage,
                "a chunk holds 1 to " + std::to_string(GenomeChunk::max_bases) + " bases");
}

void GenomePacker::begin_contig() {
  ++contig_;
  position_ = 0;
  piece_is_open_ = false;
  carried_.clear();
}

void GenomePacker::append(std::string_view letters) {
  PHPC_EXPECT(contig_ >= 0);
  bases_ += static_cast<index_t>(letters.size());
  while (!letters.empty()) {
    // Only now, so that a chunk knows which contig goes on in the next.
    if (fill_ == capacity_) {
      flush();
    }
    if (!piece_is_open_) {
      open_piece();
    }
    const std::string_view taken = letters.substr(0, static_cast<std::size_t>(capacity_ - fill_));
    pack(taken);
    chunk_.new_bases_ += static_cast<index_t>(taken.size());
    position_ += static_cast<index_t>(taken.size());
    letters.remove_prefix(taken.size());
  }
}

void GenomePacker::finish() {
  piece_is_open_ = false;
  if (fill_ > 0) {
    flush();
  }
}

void GenomePacker::open_piece() {
  fill_ = ceil_div(fill_, bases_per_word) * bases_per_word;
  if (fill_ == capacity_) {
    flush();
  }
  chunk_.pieces_.push_back({contig_, position_ - static_cast<index_t>(carried_.size()), fill_, 0, 0});
  piece_is_open_ = true;
  pack(carried_);
  carried_.clear();
}

void GenomePacker::pack(std::string_view letters) {
  chunk_.pieces_.back().length += static_cast<index_t>(letters.size());
  // The vector grows with the genome, so that a small one takes little; it never grows beyond a chunk and the word after it.
  const index_t words = ceil_div(fill_ + static_cast<index_t>(letters.size()), bases_per_word);
  chunk_.words_.resize(static_cast<std::size_t>(words) + 1);
  std::size_t next = 0;
  while (next < letters.size() && fill_ % bases_per_word != 0) {
    pack_letter(letters[next++]);
  }
  const std::array<Code, 256>& codes = codes_of_bytes();
  for (; next + bases_per_word <= letters.size(); next += bases_per_word) {
    const BaseWord word = pack_word(letters.data() + next, codes);
    chunk_.words_[static_cast<std::size_t>(fill_ / bases_per_word)] = word;
    std::uint64_t foreign = ~(word.may_be[0] | word.may_be[1] | word.may_be[2] | word.may_be[3]);
    for (; foreign != 0; foreign &= foreign - 1) {
      const int bit = __builtin_ctzll(foreign);
      note_foreign(letters[next + static_cast<std::size_t>(bit)], fill_ + bit);
    }
    fill_ += bases_per_word;
  }
  while (next < letters.size()) {
    pack_letter(letters[next++]);
  }
}

void GenomePacker::pack_letter(char letter) {
  const Code code = iupac_code(letter);
  BaseWord& word = chunk_.words_[static_cast<std::size_t>(fill_ / bases_per_word)];
  for (int base = 0; base < 4; ++base) {
    word.may_be[base] |= std::uint64_t{(code >> base) & 1U} << (fill_ % bases_per_word);
  }
  if (code == no_base) {
    note_foreign(letter, fill_);
  }
  ++fill_;
}

void GenomePacker::note_foreign(char letter, index_t offset) {
  letter = upper_case(letter);
  if (!chunk_.foreign_.empty()) {
    GenomeChunk::ForeignRun& last = chunk_.foreign_.back();
    if (last.letter == letter && index_t{last.offset} + last.length == offset) {
      ++last.length;
      return;
    }
  }
  chunk_.foreign_.push_back({static_cast<std::uint32_t>(offset), 1, letter});
}

void GenomePacker::flush() {
  if (piece_is_open_) {
    Piece& piece = chunk_.pieces_.back();
    const index_t carry = std::min<index_t>(overlap_, piece.length);
    piece.next_chunks = carry;
    for (index_t i = piece.length - carry; i < piece.length; ++i) {
      carried_ += chunk_.letter(piece.offset + i);
    }
    piece_is_open_ = false;
  }
  full_(chunk_);
  chunk_.words_.clear();
  chunk_.pieces_.clear();
  chunk_.foreign_.clear();
  chunk_.new_bases_ = 0;
  fill_ = 0;
}

}  // namespace phpc::casoff
