#include "io/arrays/npy_header.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>

#include "phpc/core/error.hpp"
#include "phpc/io/npy.hpp"

namespace phpc::io {

namespace {

/// A reader of just the Python literals that NumPy writes: a dictionary of strings to a string, a boolean and a tuple of
/// integers.
class LiteralReader {
 public:
  LiteralReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  NpyHeader read() {
    NpyHeader header;
    bool has_descr = false;
    bool has_order = false;
    bool has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = read_string();
      expect(':');
      if (key == "descr") {
        PHPC_VALIDATE(peek() != '[', ErrorKind::input,
                      fmt::format("'{}' holds records (a structured dtype); save one field of it", name_));
        header.descr = read_string();
        has_descr = true;
      } else if (key == "fortran_order") {
        header.fortran_order = read_boolean();
        has_order = true;
      } else if (key == "shape") {
        header.shape = read_tuple();
        has_shape = true;
      } else {
        malformed("unknown key '" + key + "'");
      }
      if (!accept(',') && peek() != '}') {
        malformed("no comma between entries");
      }
    }
    if (!has_descr || !has_order || !has_shape) {
      malformed("one of descr, fortran_order and shape is missing");
    }
    if (peek() != '\0') {
      malformed("text after the dictionary");
    }
    return header;
  }

 private:
  [[noreturn]] void malformed(const std::string& why) const {
    fail(ErrorKind::input, fmt::format("'{}' has a malformed .npy header ({}); write it again with numpy.save", name_, why));
  }

  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r')) {
      ++at_;
    }
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool accept(char letter) {
    const bool found = at_ <= text_.size() && peek() == letter && letter != '\0';
    at_ += found ? 1 : 0;
    return found;
  }

  void expect(char letter) {
    if (!accept(letter)) {
      malformed(fmt::format("no '{}' at byte {}", letter, at_));
    }
  }

  std::string read_string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') {
      malformed(fmt::format("no string at byte {}", at_));
    }
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) {
      malformed("a string without end");
    }
    const std::string value(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return value;
  }

  bool read_boolean() {
    peek();
    for (const std::string_view word : {"True", "False"}) {
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return word == "True";
      }
    }
    malformed("fortran_order is neither True nor False");
  }

  std::vector<index_t> read_tuple() {
    std::vector<index_t> lengths;
    expect('(');
    while (!accept(')')) {
      peek();
      index_t length = 0;
      const char* const begin = text_.data() + at_;
      const auto [stop, error] = std::from_chars(begin, text_.data() + text_.size(), length);
      if (error != std::errc{} || length < 0) {
        malformed("the shape is no tuple of lengths that fit in 63 bits");
      }
      at_ += static_cast<std::size_t>(stop - begin);
      accept('L');  // Python 2 wrote long integers so
      lengths.push_back(length);
      if (!accept(',') && peek() != ')') {
        malformed("no comma between lengths");
      }
    }
    return lengths;
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
};

std::string_view descr_of(NpyType type) {
  switch (type) {
    case NpyType::float32:
      return "f4";
    case NpyType::float64:
      return "f8";
    case NpyType::complex64:
      return "c8";
    case NpyType::complex128:
      return "c16";
  }
  return "";
}

}  // namespace

NpyHeader parse_npy_header(std::string_view text, const std::string& name) {
  return LiteralReader(text, name).read();
}

std::string npy_header(NpyType type, std::span<const index_t> shape) {
  const char order = std::endian::native == std::endian::little ? '<' : '>';
  std::string text = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}{}), }}", order, descr_of(type),
                                 fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  const auto padded = [&](std::size_t prefix) { return (prefix + text.size() + 1 + 63) / 64 * 64; };
  const int major_version = padded(npy_prefix_bytes(1)) - npy_prefix_bytes(1) <= 0xffff ? 1 : 2;
  const std::size_t prefix = npy_prefix_bytes(major_version);
  text.resize(padded(prefix) - prefix - 1, ' ');
  text += '\n';
  std::string header = "\x93NUMPY";
  header += static_cast<char>(major_version);
  header += '\0';
  for (std::size_t byte = 0; byte < prefix - 8; ++byte) {
    header += static_cast<char>(text.size() >> (8 * byte) & 0xff);
  }
  return header + text;
}

}  // namespace phpc::io
