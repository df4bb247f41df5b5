#include "io/stored_type.hpp"

#include <gtest/gtest.h>

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
