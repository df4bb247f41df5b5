#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "phpc/io/input_file.hpp"

namespace phpc::io {

/// One file of a zip archive, stored or deflated, read forward.
class ZipEntry {
 public:
  /// Whether the archive has an entry of that name. Throws Error(io) when it cannot be opened and Error(input) when it is none.
  static bool exists(const std::string& archive, const std::string& name);

  /// Throws as exists(), and Error(input) when the entry is absent, encrypted, otherwise compressed, or contradicts the archive.
  ZipEntry(const std::string& archive, const std::string& name);

  /// How messages call it: "batch.npz: values.npy".
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Its bytes, as the archive says.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Of those bytes, how many are read or skipped.
  [[nodiscard]] std::uint64_t position() const { return position_; }
  /// The next bytes; fewer than asked for only at the end. Throws Error(input) for damaged data, of an entry read from first to
  /// last also when its sum is not the archive's.
  std::size_t read(std::span<std::byte> bytes);
  /// Goes to a position: for a deflated entry by reading, from the beginning if it lies behind.
  void seek(std::uint64_t position);

 private:
  struct Close {
    void operator()(void* archive) const;
  };
  using Handle = std::unique_ptr<void, Close>;

  static Handle open(const std::string& archive);
  [[noreturn]] void fail_damaged() const;

  std::string name_;
  Handle archive_;
  InputFile file_;
  std::uint64_t size_ = 0;
  std::uint64_t begin_ = 0;  ///< of a stored entry's bytes in the archive
  bool is_stored_ = false;
  std::uint32_t wanted_sum_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t summed_ = 0;  ///< bytes from the first on that sum_ is of
  std::uint32_t sum_ = 0;
};

}  // namespace phpc::io
