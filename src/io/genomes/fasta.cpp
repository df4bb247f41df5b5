#include "phpc/io/fasta.hpp"

#include <cstdio>
#include <string>

#include "io/genomes/fasta_block.hpp"
#include "io/genomes/fasta_reader.hpp"
#include "io/genomes/letter_run.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/pipeline.hpp"

namespace phpc::io {

namespace {

// A header this long is no FASTA: some binary file whose first byte is '>'.
constexpr std::size_t longest_header = std::size_t{1} << 20;

std::string shown(char byte) {
  if (byte > ' ' && byte < '\x7f') {
    return std::string("'") + byte + "'";
  }
  char text[16];
  std::snprintf(text, sizeof text, "byte 0x%02x", static_cast<unsigned char>(byte));
  return text;
}

/// Puts blocks together in order: a line may be spread over any number of them.
class FastaReader final : public Pipeline<FastaBlock> {
 public:
  FastaReader(TextSource& source, SequenceConsumer& consumer) : source_(source), consumer_(consumer) {}

  void finish() {
    if (place_ == Place::header) {
      begin_sequence();
    }
    if (in_sequence_) {
      consumer_.end_sequence();
    }
  }

 private:
  enum class Place { line_start, header, comment, letters };

  bool read(FastaBlock& block) override { return source_.begin(block); }
  void interrupt() override { source_.interrupt(); }

  void work(FastaBlock& block) override {
    source_.fill(block);
    block.parse();
  }

  void write(FastaBlock& block) override {
    const std::string_view text = block.text();
    if (after_return_ && text.starts_with('\n')) {
      --lines_;  // CR and LF in two blocks
    }
    take_first_line(block);
    if (block.first_line < text.size()) {
      end_line();
    }
    for (const FastaBlock::Event& event : block.events) {
      take(event, block);
    }
    if (block.first_line < text.size() && place_ == Place::line_start && !block.ends_in_line_end()) {
      place_ = Place::letters;
    }
    lines_ += block.line_ends;
    after_return_ = text.ends_with('\r');
  }

  [[noreturn]] void malformed(const FastaBlock& block, std::size_t at, const std::string& problem) const {
    const std::uint64_t line = lines_ + count_line_ends(block.text().substr(0, at)) + 1;
    fail(ErrorKind::input, source_.name() + ":" + std::to_string(line) + ": " + problem);
  }

  void take_first_line(const FastaBlock& block) {
    std::string_view line = block.text().substr(0, block.first_line);
    if (line.empty()) {
      return;
    }
    if (place_ == Place::line_start) {
      if (line.front() == '>') {
        place_ = Place::header;
        line.remove_prefix(1);
      } else {
        place_ = line.front() == ';' ? Place::comment : Place::letters;
      }
    }
    if (place_ == Place::header) {
      add_to_header(line, block, 0);
    } else if (place_ == Place::letters) {
      hand_on(block.first_letters, block);
      if (block.first_taken < block.first_line) {
        stranger(block, block.first_taken);
      }
    }
  }

  void end_line() {
    if (place_ == Place::header) {
      begin_sequence();
    }
    place_ = Place::line_start;
  }

  void take(const FastaBlock::Event& event, const FastaBlock& block) {
    switch (event.kind) {
      case FastaBlock::Kind::letters:
        hand_on(event, block);
        break;
      case FastaBlock::Kind::header:
      case FastaBlock::Kind::open_header:
        place_ = Place::header;
        add_to_header(block.text().substr(event.at, event.length), block, event.at);
        if (event.kind == FastaBlock::Kind::header) {
          end_line();
        }
        break;
      case FastaBlock::Kind::open_comment:
        place_ = Place::comment;
        break;
      case FastaBlock::Kind::stranger:
        stranger(block, event.at);
    }
  }

  [[noreturn]] void stranger(const FastaBlock& block, std::size_t at) const {
    malformed(block, at, shown(block.text()[at]) + " is no letter of a sequence; is this FASTA?");
  }

  void hand_on(const FastaBlock::Event& event, const FastaBlock& block) {
    if (event.letter_count == 0) {
      return;
    }
    if (!in_sequence_) {
      const std::string_view text = block.text();
      std::size_t at = event.at;
      while (classify(text[at]) != ByteClass::letter) {
        ++at;
      }
      malformed(block, at, "sequence before the first header; begin with a line '>name'");
    }
    if (event.non_iupac_count == 0) {
      consumer_.bases(std::span(block.words).subspan(event.first_word), static_cast<index_t>(event.letter_count));
    } else {
      consumer_.letters({block.letters.data() + event.first_letter, event.letter_count});
    }
  }

  void add_to_header(std::string_view part, const FastaBlock& block, std::size_t at) {
    if (header_.size() + part.size() > longest_header) {
      malformed(block, at, "the header line is longer than 1 MiB; is this FASTA?");
    }
    if (part.find('\0') != std::string_view::npos) {
      malformed(block, at, "a zero byte within the header; is this FASTA?");
    }
    header_ += part;
  }

  void begin_sequence() {
    if (in_sequence_) {
      consumer_.end_sequence();
    }
    consumer_.begin_sequence(header_);
    in_sequence_ = true;
    header_.clear();
  }

  TextSource& source_;
  SequenceConsumer& consumer_;
  std::string header_;       ///< of the header line at hand, without '>'
  std::uint64_t lines_ = 0;  ///< ended before the block at hand
  Place place_ = Place::line_start;
  bool in_sequence_ = false;
  bool after_return_ = false;  ///< the last block ended in CR
};

}  // namespace

void read_fasta(TextSource& source, SequenceConsumer& consumer, int threads) {
  FastaReader reader(source, consumer);
  reader.run_with_workers(threads);
  reader.finish();
}

void read_fasta(const std::string& path, SequenceConsumer& consumer, int threads) {
  if (path == "-") {
    ByteStream stream(path);
    read_fasta(*open_text_stream(stream), consumer, threads);
  } else {
    read_fasta(*open_text_file(path), consumer, threads);
  }
}

}  // namespace phpc::io
