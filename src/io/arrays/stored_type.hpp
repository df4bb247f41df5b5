#pragma once
#include <cstddef>
#include <span>

#include "phpc/io/npy.hpp"

namespace phpc::io {

/// One number as a file holds it, the unit of byte order; a complex element is two.
enum class Word { i8, u8, i16, u16, i24, i32, u32, i64, u64, f16, f32, f64 };

std::size_t word_bytes(Word word);

/// How a file holds the elements of an array.
struct StoredType {
  Word word = Word::f32;
  NpyType type = NpyType::float32;  ///< what they become; complex ones are two words
  bool swapped = false;             ///< the other byte order than this machine's
  /// Integers become (value - offset) * scale; floating-point numbers stay as they are (f16 becomes float32 or complex64).
  double offset = 0;
  double scale = 1;

  [[nodiscard]] int words() const { return type == NpyType::complex64 || type == NpyType::complex128 ? 2 : 1; }
  /// Bytes of one element in the file.
  [[nodiscard]] std::size_t item_bytes() const { return word_bytes(word) * static_cast<std::size_t>(words()); }
  /// The file's bytes are the array's bytes.
  [[nodiscard]] bool is_verbatim() const;
};

/// Turns elements as the file holds them (whose byte order is changed in place) into those of the array. `elements` holds as many
/// as `stored` does.
void convert(const StoredType& type, std::span<std::byte> stored, std::span<std::byte> elements);

}  // namespace phpc::io
