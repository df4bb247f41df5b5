#pragma once
#include <string_view>

namespace phpc::io {

/// Where readers of genomes deliver: begin, any number of letter blocks, end, for each sequence in the file's order.
class SequenceConsumer {
 public:
  virtual ~SequenceConsumer() = default;
  /// `name` is the whole header (what follows '>' in FASTA), without line end.
  virtual void begin_sequence(std::string_view name) = 0;
  /// The next letters, as the file has them (either case), without blanks and line ends. Gone when it returns.
  virtual void letters(std::string_view block) = 0;
  virtual void end_sequence() = 0;
};

}  // namespace phpc::io
