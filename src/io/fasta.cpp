#include "phpc/io/fasta.hpp"

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::io {

namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20;
// A header this long is no FASTA: some binary file whose first byte is '>'.
constexpr std::size_t longest_header = std::size_t{1} << 20;

bool is_letter(char byte) {
  const auto lower = static_cast<unsigned char>(byte | 0x20);
  return (lower >= 'a' && lower <= 'z') || byte == '-' || byte == '*' || byte == '.';
}

/// True when every byte is a letter. No early exit: this form becomes vector code.
bool all_letters(std::string_view text) {
  unsigned strangers = 0;
  for (const char byte : text) {
    const auto lower = static_cast<unsigned char>(byte | 0x20);
    const bool known = (static_cast<unsigned char>(lower - 'a') < 26) | (byte == '-') | (byte == '*') | (byte == '.');
    strangers |= static_cast<unsigned>(!known);
  }
  return strangers == 0;
}

std::string shown(char byte) {
  if (byte > ' ' && byte < '\x7f') {
    return std::string("'") + byte + "'";
  }
  char text[16];
  std::snprintf(text, sizeof text, "byte 0x%02x", static_cast<unsigned char>(byte));
  return text;
}

/// Takes a file apart block by block; a line may be spread over any number of blocks.
class FastaParser {
 public:
  FastaParser(const InputFile& file, SequenceConsumer& consumer) : file_(file), consumer_(consumer) {
    pending_.reserve(block_bytes);
  }

  void take(std::string_view block) {
    while (!block.empty()) {
      if (place_ == Place::line_start) {
        begin_line(block.front());
      }
      const std::size_t newline = block.find('\n');
      take_part(block.substr(0, newline));
      if (newline == std::string_view::npos) {
        return;
      }
      end_line();
      block.remove_prefix(newline + 1);
    }
  }

  void finish() {
    if (place_ == Place::header) {
      end_line();
    }
    if (in_sequence_) {
      hand_on();
      consumer_.end_sequence();
    }
  }

 private:
  enum class Place { line_start, header, comment, letters };

  [[noreturn]] void malformed(const std::string& problem) const {
    fail(ErrorKind::input, file_.name() + ":" + std::to_string(line_) + ": " + problem);
  }

  void begin_line(char first) {
    if (first == '>') {
      place_ = Place::header;
      header_.clear();
    } else {
      place_ = first == ';' ? Place::comment : Place::letters;
    }
  }

  void take_part(std::string_view part) {
    if (place_ == Place::letters) {
      take_letters(part);
    } else if (place_ == Place::header) {
      if (header_.size() + part.size() > longest_header) {
        malformed("the header line is longer than 1 MiB; is this FASTA?");
      }
      header_ += part;
    }
  }

  void end_line() {
    if (place_ == Place::header) {
      begin_sequence();
    }
    place_ = Place::line_start;
    ++line_;
  }

  void begin_sequence() {
    if (in_sequence_) {
      hand_on();
      consumer_.end_sequence();
    }
    std::string_view name(header_);
    name.remove_prefix(1);
    if (!name.empty() && name.back() == '\r') {
      name.remove_suffix(1);
    }
    if (name.find('\r') != std::string_view::npos) {
      malformed("a carriage return within the header (lines that end in CR alone?); convert the file, say with tr '\\r' '\\n'");
    }
    if (name.find('\0') != std::string_view::npos) {
      malformed("a zero byte within the header; is this FASTA?");
    }
    consumer_.begin_sequence(name);
    in_sequence_ = true;
  }

  void take_letters(std::string_view part) {
    if (!part.empty() && part.back() == '\r') {
      part.remove_suffix(1);
    }
    if (part.empty()) {
      return;
    }
    if (in_sequence_ && all_letters(part)) {
      pending_ += part;
    } else {
      for (const char byte : part) {
        if (byte == ' ' || byte == '\t' || byte == '\r') {
          continue;
        }
        if (!is_letter(byte)) {
          malformed(shown(byte) + " is no letter of a sequence; is this FASTA?");
        }
        if (!in_sequence_) {
          malformed("sequence before the first header; begin with a line '>name'");
        }
        pending_ += byte;
      }
    }
    if (pending_.size() >= block_bytes / 2) {
      hand_on();
    }
  }

  void hand_on() {
    if (!pending_.empty()) {
      consumer_.letters(pending_);
      pending_.clear();
    }
  }

  const InputFile& file_;
  SequenceConsumer& consumer_;
  std::string header_;
  std::string pending_;  ///< letters gathered from lines, so that the consumer gets long blocks
  std::uint64_t line_ = 1;
  Place place_ = Place::line_start;
  bool in_sequence_ = false;
};

}  // namespace

void read_fasta(InputFile& file, SequenceConsumer& consumer) {
  FastaParser parser(file, consumer);
  std::vector<char> block(block_bytes);
  while (const std::size_t got = file.read(block)) {
    parser.take({block.data(), got});
  }
  parser.finish();
}

}  // namespace phpc::io
