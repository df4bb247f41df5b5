#include "io/text_lines.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "phpc/core/error.hpp"

namespace phpc::io {

namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 17;

}  // namespace

TextLines::TextLines(std::string path) : name_(path == "-" ? "standard input" : std::move(path)), block_(block_bytes) {
  const int descriptor = name_ == "standard input" ? dup(STDIN_FILENO) : open(name_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    fail_errno("cannot open '" + name_ + "'", errno);
  }
  file_ = gzdopen(descriptor, "rb");
  if (file_ == nullptr) {
    close(descriptor);
    fail(ErrorKind::memory, "cannot read '" + name_ + "' (out of memory)");
  }
  gzbuffer(file_, block_bytes);
}

TextLines::~TextLines() {
  gzclose_r(file_);
}

bool TextLines::fill() {
  const int got = gzread(file_, block_.data(), static_cast<unsigned>(block_.size()));
  int code = Z_OK;
  const char* const message = gzerror(file_, &code);
  if (code == Z_ERRNO) {
    fail_errno("cannot read '" + name_ + "'", errno);
  }
  // Z_BUF_ERROR: the file ends within its compressed data.
  PHPC_VALIDATE(got >= 0 && code != Z_BUF_ERROR, ErrorKind::input,
                "'" + name_ + "' is damaged or cut short (" + message + "); copy it again");
  at_ = 0;
  end_ = static_cast<std::size_t>(got);
  return got > 0;
}

bool TextLines::next(std::string_view& line) {
  line_.clear();
  for (;;) {
    if (at_ == end_ && !fill()) {
      if (line_.empty()) {
        return false;
      }
      line = line_;
      break;
    }
    const char* const start = block_.data() + at_;
    const auto* const newline = static_cast<const char*>(std::memchr(start, '\n', end_ - at_));
    const std::size_t bytes = newline == nullptr ? end_ - at_ : static_cast<std::size_t>(newline - start);
    const bool is_whole = newline != nullptr;
    at_ += bytes + (is_whole ? 1 : 0);
    if (is_whole && line_.empty()) {
      line = std::string_view(start, bytes);
      break;
    }
    line_.append(start, bytes);
    if (is_whole) {
      line = line_;
      break;
    }
  }
  ++number_;
  if (!line.empty() && line.back() == '\r') {
    line.remove_suffix(1);
  }
  return true;
}

void TextLines::fail_here(const std::string& problem) const {
  fail(ErrorKind::input, name_ + ":" + std::to_string(number_) + ": " + problem);
}

}  // namespace phpc::io
