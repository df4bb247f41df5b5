#pragma once
#include <zlib.h>

#include <string>
#include <string_view>
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::io {

/// The lines of a text file, plain or compressed with gzip (any number of members). "-" is standard input.
class TextLines {
 public:
  /// Throws Error(io).
  explicit TextLines(std::string path);
  ~TextLines();
  TextLines(const TextLines&) = delete;
  TextLines& operator=(const TextLines&) = delete;

  /// The next line without its end (LF or CRLF); false after the last one. Gone at the next call. Throws Error(io), and
  /// Error(input) for a compressed file that is damaged or cut short.
  bool next(std::string_view& line);
  /// 1-based number of the line that next() gave last.
  [[nodiscard]] index_t number() const { return number_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Throws Error(input) "file:line: problem" for that line.
  [[noreturn]] void fail_here(const std::string& problem) const;

 private:
  bool fill();

  std::string name_;
  gzFile file_ = nullptr;
  std::vector<char> block_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  std::string line_;  ///< one that lies in two blocks
  index_t number_ = 0;
};

}  // namespace phpc::io
