#pragma once
#include <functional>
#include <span>
#include <string_view>

#include "phpc/core/base_word.hpp"

namespace phpc::io {

/// Where readers of genomes deliver: begin, any number of blocks of letters or packed bases, end, for each sequence in the file's
/// order, all on the thread that called the reader.
class SequenceConsumer {
 public:
  virtual ~SequenceConsumer() = default;
  /// `name` is the whole header (what follows '>' in FASTA), without line end.
  virtual void begin_sequence(std::string_view name) = 0;
  /// The next letters, in either case, without blanks and line ends. Gone when it returns.
  virtual void letters(std::string_view block) = 0;
  /// The next bases, packed, all of them IUPAC letters. Gone when it returns.
  virtual void bases(std::span<const BaseWord> words, index_t count) = 0;
  /// The next bases are left out, because a Wanted said so; without one it is never called.
  virtual void skip(index_t /*count*/) {}
  virtual void end_sequence() = 0;
};

/// Whether somebody wants some of the bases [first, end) of a sequence (0-based number in what is read). Readers that can go to
/// any place in a file leave out parts that nobody wants; the others deliver everything. Asked from several threads, though
/// never at once. Empty: everything is wanted.
using Wanted = std::function<bool(index_t sequence, index_t first, index_t end)>;

}  // namespace phpc::io
