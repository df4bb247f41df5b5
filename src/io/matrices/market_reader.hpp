#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/core/types.hpp"
#include "phpc/io/input_file.hpp"

namespace phpc::io {

/// The lines of a file that count, with their numbers for messages.
class MarketReader {
 public:
  /// What numbers a file says it has.
  enum class Field { real, integer, pattern, complex };

  explicit MarketReader(const std::string& path) : path_(path), text_(InputFile(path).read_rest()), rest_(text_) {}

  [[nodiscard]] std::size_t bytes() const { return text_.size(); }

  [[noreturn]] void fail_here(const std::string& problem) const {
    fail(ErrorKind::input, fmt::format("{}:{}: {}", path_, std::max<std::size_t>(line_number_, 1), problem));
  }

  /// The next line as it stands, without its line end; false at the end of the file.
  bool next_raw_line() {
    if (rest_.empty()) {
      return false;
    }
    ++line_number_;
    const std::size_t stop = rest_.find('\n');
    line_ = rest_.substr(0, stop);
    rest_.remove_prefix(stop == std::string_view::npos ? rest_.size() : stop + 1);
    if (!line_.empty() && line_.back() == '\r') {
      line_.remove_suffix(1);
    }
    return true;
  }

  /// The next line that is neither blank nor a comment; false at the end of the file.
  bool next_line() {
    while (next_raw_line()) {
      skip_blanks();
      if (!line_.empty() && line_.front() != '%') {
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] std::string_view line() const { return line_; }

  /// Takes the next word of the line as an integer; `what` names it in the message.
  index_t integer(const char* what) {
    const std::string_view word = next_word();
    const std::optional<index_t> value = parse_integer(without_plus(word));
    if (!value) {
      fail_here(word.empty() ? fmt::format("no {} where one is expected", what) : fmt::format("'{}' is no {}", word, what));
    }
    return *value;
  }

  /// Takes the next word of the line as a finite number.
  double number(Field field) {
    const std::string_view word = without_plus(next_word());
    double value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc::result_out_of_range && stop == word.data() + word.size()) {
      // Out of range is said of what is too small as well; strtod tells them apart.
      value = std::strtod(std::string(word).c_str(), nullptr);
      if (std::isinf(value)) {
        fail_here(fmt::format("'{}' is beyond the range of double", word));
      }
    } else if (error != std::errc{} || stop != word.data() + word.size()) {
      fail_here(word.empty() ? "no value where one is expected" : fmt::format("'{}' is no number", word));
    }
    if (!std::isfinite(value)) {
      fail_here(fmt::format("'{}' is not finite", word));
    }
    if (field == Field::integer && value != std::floor(value)) {
      fail_here(fmt::format("'{}' is no integer", word));
    }
    return value;
  }

  /// Takes the value of an entry: two numbers of a complex one.
  Complex<double> value(Field field) {
    if (field == Field::pattern) {
      return {1, 0};
    }
    const double real = number(field);
    return {real, field == Field::complex ? number(field) : 0};
  }

  void expect_end_of_line() {
    if (const std::string_view word = next_word(); !word.empty()) {
      fail_here(fmt::format("'{}' follows where the line should end", word));
    }
  }

  void expect_end_of_file(index_t declared) {
    if (next_line()) {
      fail_here(fmt::format("more entries than the {} declared", declared));
    }
  }

 private:
  static std::string_view without_plus(std::string_view word) {
    const bool plus = word.size() > 1 && word[0] == '+' && word[1] != '-' && word[1] != '+';
    return plus ? word.substr(1) : word;
  }

  static bool is_blank(char letter) { return letter == ' ' || letter == '\t' || letter == '\r'; }

  void skip_blanks() {
    std::size_t start = 0;
    while (start < line_.size() && is_blank(line_[start])) {
      ++start;
    }
    line_.remove_prefix(start);
  }

  std::string_view next_word() {
    skip_blanks();
    std::size_t stop = 0;
    while (stop < line_.size() && !is_blank(line_[stop])) {
      ++stop;
    }
    const std::string_view word = line_.substr(0, stop);
    line_.remove_prefix(stop);
    return word;
  }

  std::string path_;
  std::string text_;
  std::string_view rest_;
  std::string_view line_;
  std::size_t line_number_ = 0;
};

}  // namespace phpc::io
