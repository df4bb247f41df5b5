#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace phpc::io {

/// A file open for reading, in blocks that the caller sizes. "-" is standard input.
class InputFile {
 public:
  /// Throws Error(io) when it cannot be opened or is a directory.
  explicit InputFile(std::string path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Reads the next bytes: fewer than asked for only at the end of the file, 0 beyond it. Throws Error(io).
  std::size_t read(std::span<char> bytes);
  /// Everything from here to the end. Throws Error(io), and Error(memory) for a pipe of 1 GiB or more.
  std::string read_rest();
  /// Reads bytes at an offset from where the file was opened, without moving read()'s place; same result. For regular files
  /// only.
  std::size_t read_at(std::uint64_t offset, std::span<char> bytes) const;
  /// The size in bytes of a regular file, from where it was opened on; nullopt for a pipe, a terminal and the like.
  [[nodiscard]] std::optional<std::uint64_t> size() const { return size_; }
  /// How messages call it: the path, or "standard input".
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::uint64_t begin_ = 0;  ///< where it was opened: not 0 for standard input that was partly read
  std::optional<std::uint64_t> size_;
  int descriptor_ = -1;
};

}  // namespace phpc::io
