#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "phpc/core/types.hpp"
#include "phpc/io/npy.hpp"

namespace phpc::io {

/// An array of a file or pipe, read part by part, so that it may be larger than memory. Elements come in this machine's byte
/// order and in C order (the last axis runs fastest), however the file holds them.
class ArrayReader {
 public:
  struct Source;  ///< what a file format found out; private to the formats
  explicit ArrayReader(std::unique_ptr<Source> source);
  ArrayReader(ArrayReader&&) noexcept;
  ArrayReader& operator=(ArrayReader&&) noexcept;
  ~ArrayReader();

  /// How messages call it: the path, or "standard input".
  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] NpyType type() const;
  /// Lengths of the axes; empty for a 0-d array, which has one element.
  [[nodiscard]] const std::vector<index_t>& shape() const;
  [[nodiscard]] index_t size() const;
  /// Samples per second along the last axis, where the file says it.
  [[nodiscard]] std::optional<double> rate() const;
  /// Whether the file holds the elements in the order in which they are read. Otherwise (Fortran order, channels of a WAV) each
  /// read() goes through the whole file, and of a pipe only one read(), of all elements, is possible.
  [[nodiscard]] bool is_sequential() const;

  /// The next elements in C order: elements.size() / npy_item_bytes(type()) of them, at most as many as are left. Throws
  /// Error(io) when the file cannot be read, and Error(input) when it ends too early or is a pipe that would have to be read
  /// twice.
  void read(std::span<std::byte> elements);
  /// Makes read() give `count` elements from number `first` (0-based, in C order) on, and no others. For a regular file alone,
  /// and before the first read().
  void keep_only(index_t first, index_t count);
  /// To be called after the last element: Error(input) when the file goes on where the array should end.
  void finish();

 private:
  void read_sequential(std::span<std::byte> elements);
  void read_scattered(std::span<std::byte> elements);

  std::unique_ptr<Source> source_;
};

/// Whether an array of that type is of complex64 or complex128, else of float32 or float64.
bool is_complex(NpyType type);
/// The next elements of an array: values.size() of them, or half as many complex ones, two values each.
void read_numbers(ArrayReader& reader, std::span<double> values);

/// What is known of a file of bare elements.
struct RawFormat {
  /// f16 (which becomes float32), f32, f64, c64, c128 (complex numbers of 64 and 128 bits in all), i8, i16, i24, i32, i64, u8,
  /// u16, u32, u64, or complex integers ci8, ci16, ci32, cu8 (real and imaginary part one after the other); ">" before it:
  /// big-endian. Integers become float64 or complex128. NumPy's names ("complex64", "int16") and those of software radio ("cf32",
  /// "sc16") mean the same.
  std::string dtype;
  /// One length may be -1: as many as the file holds. Empty: one axis of that kind.
  std::vector<index_t> shape{};
  /// A pipe whose length has to be known is read into memory, up to this size.
  std::uint64_t most_held_bytes = std::uint64_t{1} << 30;
};

/// All names that RawFormat::dtype may have (without ">").
std::vector<std::string> raw_dtypes();

/// Opens a .npy file ("-": standard input); errors as read_npy has them.
ArrayReader open_npy(const std::string& path);

/// Opens a file of bare elements. Throws Error(usage) for an unknown dtype or a shape that makes no sense, Error(input) when the
/// file's size does not fit the shape, and Error(memory) for a pipe that is longer than may be held.
ArrayReader open_raw(const std::string& path, const RawFormat& format);

/// Opens a WAV file (RIFF, RF64, WAVE_FORMAT_EXTENSIBLE): 8, 16, 24, 32-bit integers, which become numbers in [-1, 1), and 32 and
/// 64-bit floating-point numbers. Its shape is (channels, samples), of float32, or float64 where the file holds 32-bit integers
/// or 64-bit numbers. Throws Error(input) for files that are cut short, whose sizes contradict one another, or of other codecs.
ArrayReader open_wav(const std::string& path);

/// open_raw where a dtype is given, else open_wav or open_npy by the first bytes of the file.
ArrayReader open_array(const std::string& path, const std::optional<RawFormat>& raw);

}  // namespace phpc::io
