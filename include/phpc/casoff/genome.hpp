#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::casoff {

/// 64 consecutive bases as four bit planes: bit i of may_be[b] is set when base i of the word may be "ACGT"[b].
///
/// Half a byte per base. One-hot planes, where two planes of base bits and one of "not ACGT" would take 3/8 byte, because they
/// hold every IUPAC letter as it is (N sets all four bits, a letter outside IUPAC none), so that the policy for ambiguous letters
/// stays the search's and a packed genome serves all of them; and a comparison is then and/or of planes with masks, without
/// decoding. The four words of a plane group lie together: a window of 64 bases is two adjacent groups, 64 bytes.
struct BaseWord {
  std::uint64_t may_be[4];
};

inline constexpr int bases_per_word = 64;

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
  [[nodiscard]] std::span<const BaseWord> words() const { return words_; }
  [[nodiscard]] std::span<const Piece> pieces() const { return pieces_; }
  /// The letter at an offset, upper-cased, as the genome had it.
  [[nodiscard]] char letter(index_t offset) const;
  /// Bases that no earlier chunk held.
  [[nodiscard]] index_t new_bases() const { return new_bases_; }

 private:
  friend class GenomePacker;
  /// Letters that no code stands for (U, X, '-', '*', ...), as runs in ascending order.
  struct ForeignRun {
    std::uint32_t offset;
    std::uint32_t length;
    char letter;
  };

  std::vector<BaseWord> words_;
  std::vector<Piece> pieces_;
  std::vector<ForeignRun> foreign_;
  index_t new_bases_ = 0;
};

/// Packs contigs that come letter block by letter block, and hands on a chunk whenever one is full. Memory is that of one chunk.
class GenomePacker {
 public:
  /// `chunk_bases` is rounded up to a multiple of 64, at least 128. `overlap` (0 to 63) is the pattern's length less one.
  /// The chunk that `full` is given is reused after it returns.
  GenomePacker(index_t chunk_bases, int overlap, std::function<void(const GenomeChunk&)> full);

  /// The next contig begins; contigs are numbered 0, 1, ...
  void begin_contig();
  /// The next letters of the contig, either case.
  void append(std::string_view letters);
  /// After the last contig: hands on what is left.
  void finish();

  [[nodiscard]] index_t contigs() const { return contig_ + 1; }
  [[nodiscard]] index_t bases() const { return bases_; }

 private:
  void open_piece();
  void pack(std::string_view letters);
  void pack_letter(char letter);
  void note_foreign(char letter, index_t offset);
  void flush();

  std::function<void(const GenomeChunk&)> full_;
  GenomeChunk chunk_;
  std::string carried_;  ///< the last `overlap_` letters of the contig, when a chunk ended within it
  index_t capacity_;
  index_t fill_ = 0;
  index_t contig_ = -1;
  index_t position_ = 0;  ///< letters of the contig so far
  index_t bases_ = 0;
  int overlap_;
  bool piece_is_open_ = false;
};

}  // namespace phpc::casoff
