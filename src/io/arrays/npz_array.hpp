#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/arrays/npy_header.hpp"
#include "io/files/zip_entry.hpp"

namespace phpc::io {

/// One array of a .npz archive.
class NpzArray {
 public:
  /// NumPy's array `name`, the entry `name`.npy. Throws as ZipEntry, and Error(input) when it is no whole .npy file.
  NpzArray(const std::string& archive, const std::string& name);

  static bool exists(const std::string& archive, const std::string& name) { return ZipEntry::exists(archive, name + ".npy"); }

  [[nodiscard]] const std::string& name() const { return entry_.name(); }
  [[nodiscard]] const std::vector<index_t>& shape() const { return header_.shape; }
  [[nodiscard]] index_t size() const { return size_; }

  /// Values that an element is: two of complex numbers, else one.
  [[nodiscard]] int words() const { return type_ ? type_->words() : 1; }
  /// Elements from number `first` on, as double. Throws Error(input) for text, for an array of several axes in Fortran order, and
  /// for damaged data.
  void read(index_t first, std::span<double> elements);
  /// All elements as integers in [least, 2^31). Error(input) where one is not.
  std::vector<std::int32_t> integers(std::int32_t least = 0);
  /// The text of a 0-d array of bytes or of characters (b"csr", "csr").
  std::string text();

 private:
  [[nodiscard]] std::size_t item_bytes() const;

  ZipEntry entry_;
  NpyHeader header_;
  std::uint64_t begin_ = 0;  ///< of the elements, in the entry
  index_t size_ = 0;
  std::optional<StoredType> type_;  ///< of numbers
  std::vector<std::byte> stored_;
};

}  // namespace phpc::io
