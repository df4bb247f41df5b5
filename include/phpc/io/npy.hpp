#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "phpc/core/types.hpp"
#include "phpc/io/output_file.hpp"

/// NumPy's .npy files (numpy.lib.format): versions 1.0, 2.0 and 3.0.
namespace phpc::io {

/// What the elements of an array are in memory.
enum class NpyType { float32, float64, complex64, complex128 };

/// Bytes of one element.
std::size_t npy_item_bytes(NpyType type);
/// NumPy's name: "float32", "complex128".
std::string_view to_string(NpyType type);

template <class T>
inline constexpr NpyType npy_type_of = NpyType::float64;
template <>
inline constexpr NpyType npy_type_of<float> = NpyType::float32;
template <>
inline constexpr NpyType npy_type_of<Complex<float>> = NpyType::complex64;
template <>
inline constexpr NpyType npy_type_of<Complex<double>> = NpyType::complex128;

/// An array in this machine's byte order and C order (the last axis is contiguous). Move-only: it may be most of the memory.
class NpyArray {
 public:
  /// Uninitialised elements. Throws Error(input) when the size overflows and Error(memory) when there is not enough memory.
  NpyArray(NpyType type, std::vector<index_t> shape);

  [[nodiscard]] NpyType type() const { return type_; }
  /// Lengths of the axes; empty for a 0-d array, which has one element.
  [[nodiscard]] const std::vector<index_t>& shape() const { return shape_; }
  [[nodiscard]] index_t size() const { return size_; }
  [[nodiscard]] std::span<std::byte> bytes() { return {data_.get(), byte_count()}; }
  [[nodiscard]] std::span<const std::byte> bytes() const { return {data_.get(), byte_count()}; }
  /// The elements. T must be the type that type() names.
  template <class T>
  [[nodiscard]] std::span<T> values() {
    return {reinterpret_cast<T*>(data_.get()), static_cast<std::size_t>(size_)};
  }
  template <class T>
  [[nodiscard]] std::span<const T> values() const {
    return {reinterpret_cast<const T*>(data_.get()), static_cast<std::size_t>(size_)};
  }

 private:
  [[nodiscard]] std::size_t byte_count() const { return static_cast<std::size_t>(size_) * npy_item_bytes(type_); }

  NpyType type_;
  std::vector<index_t> shape_;
  index_t size_ = 0;
  std::unique_ptr<std::byte[]> data_;
};

/// Reads a file, or standard input for "-". Either byte order; C and Fortran order. float16 becomes float32, integers and
/// booleans of any width float64, as arithmetic in NumPy would make them. Throws Error(io) when the file cannot be read and
/// Error(input) when it is empty, no .npy file, cut short, longer than its header says, or of another element type.
NpyArray read_npy(const std::string& path);

/// The header that NumPy would write before the elements (in C order, in this machine's byte order): version 1.0 (2.0 from 64 KiB
/// on), padded with blanks so that the elements begin at a multiple of 64 bytes.
std::string npy_header(NpyType type, std::span<const index_t> shape);

/// Writes a whole array; does not commit the file.
void write_npy(OutputFile& out, NpyType type, std::span<const index_t> shape, std::span<const std::byte> elements);
void write_npy(OutputFile& out, const NpyArray& array);

}  // namespace phpc::io
