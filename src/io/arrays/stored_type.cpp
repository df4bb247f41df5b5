#include "io/arrays/stored_type.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "phpc/core/error.hpp"

namespace phpc::io {

namespace {

void swap_words(std::span<std::byte> bytes, std::size_t size) {
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    std::reverse(bytes.data() + at, bytes.data() + at + size);
  }
}

template <class Integer>
double whole(const std::byte* at) {
  Integer value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<double>(value);
}

/// Three bytes, the least significant one first.
double whole_24(const std::byte* at) {
  const auto low = std::to_integer<std::int32_t>(at[0]) | std::to_integer<std::int32_t>(at[1]) << 8;
  return static_cast<double>(low + static_cast<std::int8_t>(at[2]) * 65536);
}

using Integer = double (*)(const std::byte*);

Integer integer_of(Word word) {
  switch (word) {
    case Word::i8:
      return whole<std::int8_t>;
    case Word::u8:
      return whole<std::uint8_t>;
    case Word::i16:
      return whole<std::int16_t>;
    case Word::u16:
      return whole<std::uint16_t>;
    case Word::i24:
      return whole_24;
    case Word::i32:
      return whole<std::int32_t>;
    case Word::u32:
      return whole<std::uint32_t>;
    case Word::i64:
      return whole<std::int64_t>;
    case Word::u64:
      return whole<std::uint64_t>;
    case Word::f16:
    case Word::f32:
    case Word::f64:
      break;
  }
  return nullptr;
}

template <class Real>
void convert_integers(const StoredType& type, std::span<const std::byte> stored, std::span<std::byte> elements) {
  const Integer value_at = integer_of(type.word);
  const std::size_t step = word_bytes(type.word);
  auto* const to = reinterpret_cast<Real*>(elements.data());
  const std::size_t words = stored.size() / step;
  for (std::size_t i = 0; i < words; ++i) {
    to[i] = static_cast<Real>((value_at(stored.data() + i * step) - type.offset) * type.scale);
  }
}

/// IEEE 754's binary16 as the float of the same value: infinities and what is no number too.
float from_half(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16;
  const std::uint32_t exponent = half >> 10 & 0x1fU;
  const std::uint32_t fraction = half & 0x3ffU;
  if (exponent == 0) {  // a multiple of 2^-24
    const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
    return sign == 0 ? magnitude : -magnitude;
  }
  constexpr std::uint32_t bias_difference = 127 - 15;
  const std::uint32_t wide_exponent = exponent == 0x1f ? 0xff : exponent + bias_difference;
  return std::bit_cast<float>(sign | wide_exponent << 23 | fraction << 13);
}

void convert_halves(std::span<const std::byte> stored, std::span<std::byte> elements) {
  auto* const to = reinterpret_cast<float*>(elements.data());
  for (std::size_t i = 0; i < stored.size() / sizeof(std::uint16_t); ++i) {
    std::uint16_t half = 0;
    std::memcpy(&half, stored.data() + i * sizeof half, sizeof half);
    to[i] = from_half(half);
  }
}

}  // namespace

std::size_t word_bytes(Word word) {
  switch (word) {
    case Word::i8:
    case Word::u8:
      return 1;
    case Word::i16:
    case Word::u16:
    case Word::f16:
      return 2;
    case Word::i24:
      return 3;
    case Word::i32:
    case Word::u32:
    case Word::f32:
      return 4;
    case Word::i64:
    case Word::u64:
    case Word::f64:
      return 8;
  }
  return 0;
}

bool StoredType::is_verbatim() const {
  return (word == Word::f32 || word == Word::f64) && !swapped;
}

void convert(const StoredType& type, std::span<std::byte> stored, std::span<std::byte> elements) {
  if (type.swapped) {
    swap_words(stored, word_bytes(type.word));
  }
  if (type.word == Word::f32 || type.word == Word::f64) {
    std::copy(stored.begin(), stored.end(), elements.begin());
  } else if (type.word == Word::f16) {
    convert_halves(stored, elements);
  } else if (type.type == NpyType::float32 || type.type == NpyType::complex64) {
    convert_integers<float>(type, stored, elements);
  } else {
    convert_integers<double>(type, stored, elements);
  }
}

}  // namespace phpc::io
