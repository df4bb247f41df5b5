#include "io/arrays/stored_type.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/array_files.hpp"

namespace phpc::io {
namespace {

template <class T>
std::vector<T> converted(const StoredType& type, std::string stored) {
  std::vector<T> values(stored.size() / type.item_bytes());
  convert(type, std::as_writable_bytes(std::span(stored)), std::as_writable_bytes(std::span(values)));
  return values;
}

TEST(StoredType, IntegersOfAllWidths) {
  const std::string low("\x00\x01\x7f\x80\xff", 5);
  EXPECT_EQ(converted<double>({.word = Word::i8, .type = NpyType::float64}, low), (std::vector<double>{0, 1, 127, -128, -1}));
  EXPECT_EQ(converted<double>({.word = Word::u8, .type = NpyType::float64}, low), (std::vector<double>{0, 1, 127, 128, 255}));
  const std::string three("\x01\x00\x00\xff\xff\xff\x00\x00\x80\xff\xff\x7f", 12);
  EXPECT_EQ(converted<double>({.word = Word::i24, .type = NpyType::float64}, three),
            (std::vector<double>{1, -1, -8388608, 8388607}));
  EXPECT_EQ(converted<double>({.word = Word::u64, .type = NpyType::float64}, test::bytes_of<std::uint64_t>({1ULL << 63})),
            (std::vector<double>{0x1p63}));
}

TEST(StoredType, OffsetAndScale) {
  const StoredType type{.word = Word::u8, .type = NpyType::float32, .offset = 128, .scale = 0x1p-7};
  EXPECT_EQ(converted<float>(type, std::string("\x00\x80\xc0", 3)), (std::vector<float>{-1, 0, 0.5F}));
}

TEST(StoredType, HalfPrecisionKeepsItsValues) {
  const StoredType type{.word = Word::f16, .type = NpyType::float32};
  EXPECT_FALSE(type.is_verbatim());
  EXPECT_EQ(type.item_bytes(), 2U);
  // One, the largest, the smallest normal and subnormal ones, a third, zeros of both signs, infinities.
  const std::vector<std::uint16_t> halves{0x3c00, 0x7bff, 0x0400, 0x0001, 0x3555, 0x8000, 0xc000, 0x7c00, 0xfc00};
  const std::vector<float> values = converted<float>(type, test::bytes_of(halves));
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(values, (std::vector<float>{1, 65504, 0x1p-14F, 0x1p-24F, 0x1.554p-2F, -0.0F, -2, infinity, -infinity}));
  EXPECT_TRUE(std::signbit(values[5]));
  EXPECT_TRUE(std::isnan(converted<float>(type, test::bytes_of<std::uint16_t>({0x7e01}))[0]));
  const StoredType swapped{.word = Word::f16, .type = NpyType::float32, .swapped = true};
  EXPECT_EQ(converted<float>(swapped, std::string("\x3c\x00", 2)), (std::vector<float>{1}));
}

TEST(StoredType, ByteOrderIsThatOfWords) {
  const StoredType type{.word = Word::f32, .type = NpyType::complex64, .swapped = true};
  EXPECT_FALSE(type.is_verbatim());
  EXPECT_EQ(type.item_bytes(), 8U);
  const std::string bytes = test::bytes_of<float>({2, 1});
  EXPECT_EQ(converted<float>({.word = Word::f32, .type = NpyType::float32, .swapped = true}, {bytes.rbegin(), bytes.rend()}),
            (std::vector<float>{1, 2}));
}

}  // namespace
}  // namespace phpc::io
