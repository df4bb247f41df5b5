#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phpc/core/base_word.hpp"
#include "phpc/core/types.hpp"

namespace phpc::casoff {

/// A stretch of one contig in a chunk.
struct Piece {
  index_t contig;  ///< 0-based number of the contig in the genome
  index_t first;   ///< position in the contig (0-based) of the piece's first base
  index_t offset;  ///< where that base lies in the chunk, in bases; a multiple of 64, so that no word holds two pieces
  index_t length;  ///< in bases
  /// Windows that begin in the last so many bases are the next chunk's, where the contig goes on; 0 where it does not.
  index_t next_chunks = 0;
};

/// Part of a genome, packed: pieces of contigs one after another. Pieces of one contig in consecutive chunks overlap, so that
/// every window of at most the overlap's length + 1 begins in exactly one chunk, outside `next_chunks`, and lies in it.
class GenomeChunk {
 public:
  /// At most this many bases, so that an offset fits 32 bits.
  static constexpr index_t max_bases = index_t{1} << 31;

  /// The words, and one more at the end that belongs to no base: two words can be read wherever a window begins.
  [[nodiscard]] std::span<const BaseWord> words() const { return std::span(words_).first(used_words_); }
  [[nodiscard]] std::span<const Piece> pieces() const { return pieces_; }
  /// The letter at an offset, upper-cased, as the genome had it. Error(input) for a base that was packed without any bit.
  [[nodiscard]] char letter(index_t offset) const;
  /// Bases that no earlier chunk held.
  [[nodiscard]] index_t new_bases() const { return new_bases_; }

 private:
  friend class GenomePacker;
  /// A run of one letter outside IUPAC (U, X, '-', '*', ...), for which no code stands; runs ascend.
  struct NonIupacRun {
    std::uint32_t offset;
    std::uint32_t length;
    char letter;
  };

  std::vector<BaseWord> words_;  ///< from used_words_ on, what an earlier chunk has left
  std::size_t used_words_ = 0;
  std::vector<Piece> pieces_;
  std::vector<NonIupacRun> non_iupac_;
  index_t new_bases_ = 0;
};

/// Packs contigs that come block by block, as letters or packed, and hands on a chunk whenever one is full. Memory is that of one
/// chunk.
class GenomePacker {
 public:
  /// `chunk_bases` is rounded up to a multiple of 64, at least 128. `overlap` (0 to 63) is the pattern's length less one.
  /// The chunk that `full` is given is reused after it returns; to keep it, `full` swaps it for another one, whose content is
  /// then dropped.
  GenomePacker(index_t chunk_bases, int overlap, std::function<void(GenomeChunk&)> full);

  /// The next contig begins; contigs are numbered 0, 1, ...
  void begin_contig();
  /// The next letters of the contig, either case.
  void append(std::string_view letters);
  /// The next bases of the contig, packed from `words`' first bit on; all of them IUPAC letters (some bit is set).
  void append(std::span<const BaseWord> words, index_t bases);
  /// Leaves out the next bases of the contig: no window lies in them, nor across them.
  void skip(index_t bases);
  /// After the last contig: hands on what is left.
  void finish();

  [[nodiscard]] index_t contigs() const { return contig_ + 1; }
  /// Bases appended.
  [[nodiscard]] index_t bases() const { return bases_; }

 private:
  void make_room();
  void open_piece();
  void add_bases(const BaseWord* words, index_t first, index_t count);
  void note_non_iupac(std::string_view letters, const BaseWord* words, index_t offset);
  void flush();

  std::function<void(GenomeChunk&)> full_;
  GenomeChunk chunk_;
  std::vector<BaseWord> packed_;  ///< letters on their way into the chunk
  std::string carried_;           ///< the last `overlap_` letters of the contig, when a chunk ended within it
  index_t capacity_;
  index_t fill_ = 0;
  index_t contig_ = -1;
  index_t position_ = 0;  ///< letters of the contig so far
  index_t bases_ = 0;
  int overlap_;
  bool piece_is_open_ = false;
};

}  // namespace phpc::casoff
