#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace phpc::io {

/// A file that appears whole or not at all: written to a temporary beside the target (".NAME.RANDOM.tmp", hidden), flushed,
/// synced and renamed by commit().
/// "-" is standard output, as are its other names (/dev/stdout, /dev/fd/1); a target that exists and is no regular file (a pipe,
/// /dev/null, /dev/full) is written in place. A file of several names (hard links), or whose owner or access rights could not be
/// kept, stays and gets its new content by commit(); so does one that is a mount point.
/// The constructor proves that the target can be written, so make it before a long computation. Throws Error(io).
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  /// Removes the temporary unless commit() was called.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  void write(std::span<const std::byte> bytes);
  /// Puts all that was written on the disk and under its name.
  void commit();
  /// The same under another name in the same folder. Not for standard output and what is written in place.
  void commit_as(const std::string& path);
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  [[nodiscard]] std::string name() const;
  [[noreturn]] void fail_to_write(int cause) const;
  void flush();
  void overwrite();
  void sync();
  void close_it();
  void write_all(const char* data, std::size_t bytes);
  void send_to_disk();

  std::string path_;
  std::string target_;     ///< the path behind all symbolic links
  std::string temporary_;  ///< empty when written in place
  std::string pending_;
  int descriptor_ = -1;
  bool overwrites_ = false;  ///< the target stays, and gets the temporary's content
  int slot_ = -1;            ///< in the table of temporaries that a signal removes
  std::uint64_t written_ = 0;
  std::uint64_t on_its_way_ = 0;  ///< of these, the bytes that the kernel was told to write to the disk
};

/// Removes the temporaries of all files that were not committed. Async-signal-safe.
void remove_temporaries() noexcept;

/// Removes temporaries of a target whose writers were killed; those that are being written, here or elsewhere, are locked and
/// stay. `target` as OutputFile is given it. Returns how many were removed.
int remove_stale_temporaries(const std::string& target);

}  // namespace phpc::io
