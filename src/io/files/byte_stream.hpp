#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "phpc/io/input_file.hpp"

namespace phpc::io {

/// An InputFile read forward, whose first bytes can be looked at before they are read, on pipes too.
class ByteStream {
 public:
  explicit ByteStream(const std::string& path) : file_(path) {}

  [[nodiscard]] const std::string& name() const { return file_.name(); }
  /// The next bytes, at most 64, without reading them; fewer at the end of the file.
  std::string_view peek(std::size_t bytes);
  /// Fewer bytes than asked for only at the end of the file.
  std::size_t read(std::span<std::byte> bytes);
  /// Exactly these bytes; a file that ends before is Error(input) that calls them `what`.
  void read_all(std::span<std::byte> bytes, std::string_view what);
  /// Reads over bytes; Error(input) as read_all.
  void skip(std::uint64_t bytes, std::string_view what);
  /// Ends reads of a pipe as InputFile::interrupt() does; on any thread.
  void interrupt() const { file_.interrupt(); }
  /// Bytes read until now.
  [[nodiscard]] std::uint64_t position() const { return position_; }
  /// Reads the rest into memory, for the next read(); more than `most` bytes are Error(memory). Returns their number.
  std::uint64_t hold_rest(std::uint64_t most);
  /// Bytes after position() of a regular file, or of one held; nullopt for a pipe.
  [[nodiscard]] std::optional<std::uint64_t> left() const;
  /// Goes to an absolute position of a regular file, for the next read().
  void seek(std::uint64_t position);

 private:
  InputFile file_;
  std::string ahead_;  ///< looked at; from ahead_at_ on not yet read
  std::size_t ahead_at_ = 0;
  bool holds_rest_ = false;  ///< nothing comes after ahead_
  std::uint64_t position_ = 0;
  bool sought_ = false;  ///< reads go by position, not by the file's own place
};

/// Error(input): "'name' is cut short (...); copy it again".
[[noreturn]] void fail_cut_short(const std::string& name, std::uint64_t got, std::uint64_t wanted, std::string_view what);

}  // namespace phpc::io
