#include "phpc/casoff/genome.hpp"

#include <algorithm>
#include <utility>

#include "phpc/core/error.hpp"

namespace phpc::casoff {

namespace {

/// How many letters are packed at once: their words stay in the first cache.
constexpr std::size_t letters_at_once = 16384;

/// About how many runs of non-IUPAC letters a chunk keeps: one with more is handed on before it is full. In RNA, with every
/// second base a U, they would take 12 times the memory of the bases.
constexpr std::size_t most_non_iupac_runs = std::size_t{1} << 20;

char upper_case(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

}  // namespace

char GenomeChunk::letter(index_t offset) const {
  if (const char letter = base_letter(words_, offset); letter != '?') {
    return letter;
  }
  const auto after = std::upper_bound(non_iupac_.begin(), non_iupac_.end(), offset,
                                      [](index_t at, const NonIupacRun& run) { return at < index_t{run.offset}; });
  // Words come from files: a base that has no code and was not noted as a letter must not be looked for before the first run.
  PHPC_VALIDATE(after != non_iupac_.begin() && offset < index_t{std::prev(after)->offset} + std::prev(after)->length,
                ErrorKind::input, "a packed base of the genome stands for no letter; pack the genome again");
  return std::prev(after)->letter;
}

GenomePacker::GenomePacker(index_t chunk_bases, int overlap, std::function<void(GenomeChunk&)> full)
    : full_(std::move(full)),
      packed_(letters_at_once / bases_per_word),
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
    make_room();
    const auto room = static_cast<std::size_t>(capacity_ - fill_);
    const std::string_view taken = letters.substr(0, std::min(room, letters_at_once));
    const index_t non_iupac = pack_bases(taken, packed_.data());
    if (non_iupac > 0) {
      note_non_iupac(taken, packed_.data(), fill_);
    }
    chunk_.new_bases_ += static_cast<index_t>(taken.size());
    position_ += static_cast<index_t>(taken.size());
    letters.remove_prefix(taken.size());
    add_bases(packed_.data(), 0, static_cast<index_t>(taken.size()));
  }
}

void GenomePacker::append(std::span<const BaseWord> words, index_t bases) {
  PHPC_EXPECT(contig_ >= 0 && base_words(bases) <= static_cast<index_t>(words.size()));
  bases_ += bases;
  for (index_t first = 0; first < bases;) {
    make_room();
    const index_t taken = std::min(bases - first, capacity_ - fill_);
    chunk_.new_bases_ += taken;
    position_ += taken;
    add_bases(words.data(), first, taken);
    first += taken;
  }
}

void GenomePacker::skip(index_t bases) {
  PHPC_EXPECT(contig_ >= 0);
  position_ += bases;
  piece_is_open_ = false;
  carried_.clear();
}

void GenomePacker::finish() {
  piece_is_open_ = false;
  if (fill_ > 0) {
    flush();
  }
}

/// Sees to an open piece in a chunk that is not full. A full chunk is handed on only now, so that it knows whether its contig
/// goes on.
void GenomePacker::make_room() {
  if (fill_ == capacity_ || chunk_.non_iupac_.size() >= most_non_iupac_runs) {
    flush();
  }
  if (!piece_is_open_) {
    open_piece();
  }
}

void GenomePacker::open_piece() {
  fill_ = base_words(fill_) * bases_per_word;
  if (fill_ == capacity_) {
    flush();
  }
  const auto carry = static_cast<index_t>(carried_.size());
  chunk_.pieces_.push_back({contig_, position_ - carry, fill_, 0, 0});
  piece_is_open_ = true;
  if (carry > 0) {
    const std::string letters = std::exchange(carried_, {});
    if (pack_bases(letters, packed_.data()) > 0) {
      note_non_iupac(letters, packed_.data(), fill_);
    }
    add_bases(packed_.data(), 0, carry);
  }
}

/// Appends to the open piece; what is given fits into the chunk.
void GenomePacker::add_bases(const BaseWord* words, index_t first, index_t count) {
  // Space for a whole chunk and the word after it, which costs nothing until it is written to; the vector never moves.
  chunk_.words_.reserve(static_cast<std::size_t>(base_words(capacity_) + 1));
  const auto needed = static_cast<std::size_t>(base_words(fill_ + count) + 1);
  if (chunk_.words_.size() < needed) {
    chunk_.words_.resize(needed);
  }
  copy_bases(chunk_.words_.data(), fill_, words, first, count);
  fill_ += count;
  chunk_.pieces_.back().length += count;
}

/// Notes the non-IUPAC letters among `letters`, the first of which goes to `offset`; `words` are the letters, packed.
void GenomePacker::note_non_iupac(std::string_view letters, const BaseWord* words, index_t offset) {
  std::vector<GenomeChunk::NonIupacRun>& runs = chunk_.non_iupac_;
  for (std::size_t first = 0; first < letters.size(); first += bases_per_word) {
    const BaseWord& word = words[first / bases_per_word];
    std::uint64_t non_iupac = ~(word.may_be[0] | word.may_be[1] | word.may_be[2] | word.may_be[3]);
    if (letters.size() - first < bases_per_word) {
      non_iupac &= (std::uint64_t{1} << (letters.size() - first)) - 1;
    }
    for (; non_iupac != 0; non_iupac &= non_iupac - 1) {
      const std::size_t at = first + static_cast<std::size_t>(__builtin_ctzll(non_iupac));
      const char letter = upper_case(letters[at]);
      const auto place = static_cast<std::uint32_t>(offset + static_cast<index_t>(at));
      if (!runs.empty() && runs.back().letter == letter && runs.back().offset + runs.back().length == place) {
        ++runs.back().length;
      } else {
        runs.push_back({place, 1, letter});
      }
    }
  }
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
  chunk_.used_words_ = static_cast<std::size_t>(base_words(fill_) + 1);
  chunk_.words_[chunk_.used_words_ - 1] = {};
  full_(chunk_);
  chunk_.used_words_ = 0;
  chunk_.pieces_.clear();
  chunk_.non_iupac_.clear();
  chunk_.new_bases_ = 0;
  fill_ = 0;
}

}  // namespace phpc::casoff
