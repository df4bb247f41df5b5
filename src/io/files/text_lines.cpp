#include "io/files/text_lines.hpp"

#include <algorithm>

#include "phpc/core/error.hpp"

namespace phpc::io {

TextLines::TextLines(const std::string& path)
    : stream_(path), is_compressed_(is_gzip(stream_.peek(2))), source_(open_text_stream(stream_)) {}

bool TextLines::fill() {
  at_ = 0;
  if (!source_->begin(block_)) {
    block_.size = 0;
    return false;
  }
  source_->fill(block_);
  block_has_zero_ = block_.text().find('\0') != std::string_view::npos;
  return true;
}

bool TextLines::next(std::string_view& line) {
  line_.clear();
  line = {};
  bool has_begun = false;
  for (bool is_whole = false; !is_whole;) {
    if (at_ == block_.size && !fill()) {
      if (!has_begun) {
        return false;
      }
      break;
    }
    std::string_view rest = block_.text().substr(at_);
    if (after_return_) {
      after_return_ = false;
      if (rest.front() == '\n') {
        ++at_;
        continue;
      }
    }
    if (!has_begun) {
      has_begun = true;
      ++number_;
    }
    const auto end = std::find_if(rest.begin(), rest.end(), [](char byte) { return byte == '\n' || byte == '\r'; });
    is_whole = end != rest.end();
    after_return_ = is_whole && *end == '\r';
    rest = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
    at_ += rest.size() + (is_whole ? 1 : 0);
    if (line_.size() + rest.size() > longest) {
      fail_here("the line is longer than 1 MiB; is this a text file?");
    }
    if (block_has_zero_ && rest.find('\0') != std::string_view::npos) {
      fail_here("a zero byte; this is no text file");
    }
    if (is_whole && line_.empty()) {
      line = rest;
    } else {
      line_ += rest;
      line = line_;
    }
  }
  return true;
}

void TextLines::fail_here(const std::string& problem) const {
  fail(ErrorKind::input, name() + ":" + std::to_string(number_) + ": " + problem);
}

}  // namespace phpc::io
