#include "support/fasta_oracle.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace phpc::test {

namespace {

bool is_letter(char byte) {
  return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || byte == '-' || byte == '*' || byte == '.';
}

/// Whether the line is right.
bool take_line(std::string_view line, FastaContent& content) {
  if (line.starts_with('>')) {
    content.sequences.emplace_back(line.substr(1), "");
    return line.find('\0') == std::string_view::npos;
  }
  if (line.starts_with(';')) {
    return true;
  }
  for (const char byte : line) {
    if (byte == ' ' || byte == '\t') {
      continue;
    }
    if (!is_letter(byte) || content.sequences.empty()) {
      return false;
    }
    content.sequences.back().second += static_cast<char>(std::toupper(static_cast<unsigned char>(byte)));
  }
  return true;
}

}  // namespace

FastaContent oracle_fasta(std::string_view text) {
  FastaContent content;
  for (std::uint64_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    if (!take_line(text.substr(0, end), content)) {
      content.wrong_line = line;
      return content;
    }
    text.remove_prefix(std::min(text.size(), end + (text.substr(end).starts_with("\r\n") ? 2 : 1)));
  }
  return content;
}

bool MemoryText::begin(io::TextBlock& block) {
  block.offset = next_;
  block.size = std::min(block_bytes_, text_.size() - next_);
  next_ += block.size;
  return block.size > 0;
}

void MemoryText::fill(io::TextBlock& block) const {
  std::memcpy(block.reserve(block.size), text_.data() + block.offset, block.size);
}

}  // namespace phpc::test
