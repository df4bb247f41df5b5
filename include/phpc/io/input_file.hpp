#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
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
  /// Reads everything that is left into memory. Throws Error(input) for more than `most` bytes, before it reads them where the
  /// file's size is known, Error(io), and Error(memory) for a pipe of 1 GiB or more.
  std::string read_rest(std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
  /// The most that a list of paths or guides holds: 100 000 guides take 3 MB, and a file far beyond is another one by mistake.
  static constexpr std::uint64_t longest_list = std::uint64_t{256} << 20;
  /// Reads bytes at an offset from where the file was opened, without moving read()'s place; same result. For regular files
  /// only.
  std::size_t read_at(std::uint64_t offset, std::span<char> bytes) const;
  /// Makes a read() on another thread that waits for the bytes of a pipe, a terminal and the like throw Error(io), and every
  /// later read() too. Reads of regular files, which wait for nobody, go on.
  void interrupt() const;
  /// The size in bytes of a regular file, from where it was opened on; nullopt for a pipe, a terminal and the like.
  [[nodiscard]] std::optional<std::uint64_t> size() const { return size_; }
  /// How messages call it: the path, or "standard input".
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::uint64_t begin_ = 0;  ///< where it was opened: not 0 for standard input that was partly read
  std::optional<std::uint64_t> size_;
  int descriptor_ = -1;
  int interrupted_ = -1;  ///< an eventfd that is readable after interrupt(); -1 for regular files
};

}  // namespace phpc::io
