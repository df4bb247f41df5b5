#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "io/files/text_source.hpp"
#include "phpc/core/types.hpp"

namespace phpc::io {

/// The lines of a text file, plain or compressed with gzip (any number of members, each checked as GzipText does). "-" is
/// standard input.
class TextLines {
 public:
  /// The longest line in bytes. What has a longer one is no text, and would be held in memory whole.
  static constexpr std::size_t longest = std::size_t{1} << 20;

  /// Throws Error(io).
  explicit TextLines(const std::string& path);

  /// The next line without its end (LF, CR LF or CR); false after the last one. Gone at the next call. Throws Error(io), and
  /// Error(input) for a compressed file that is damaged or cut short, for a line that is too long and for a zero byte.
  bool next(std::string_view& line);
  /// 1-based number of the line that next() gave last.
  [[nodiscard]] index_t number() const { return number_; }
  [[nodiscard]] const std::string& name() const { return stream_.name(); }
  [[nodiscard]] bool is_compressed() const { return is_compressed_; }
  /// Throws Error(input) "file:line: problem" for that line.
  [[noreturn]] void fail_here(const std::string& problem) const;

 private:
  bool fill();

  ByteStream stream_;
  const bool is_compressed_;
  std::unique_ptr<TextSource> source_;
  TextBlock block_;
  std::size_t at_ = 0;  ///< in the block
  bool block_has_zero_ = false;
  bool after_return_ = false;  ///< the last line ended in CR, and a LF that comes next belongs to it
  std::string line_;           ///< one that lies in several blocks
  index_t number_ = 0;
};

}  // namespace phpc::io
