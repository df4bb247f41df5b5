#include "phpc/core/base_word.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "core/pack_words.hpp"

namespace phpc {
namespace {

/// By the definition, letter by letter.
std::vector<BaseWord> packed(const std::string& letters) {
  static const std::string codes = "?ACMGRSVTWYHKDBN";
  std::vector<BaseWord> words(static_cast<std::size_t>(base_words(static_cast<index_t>(letters.size()))));
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const std::size_t code = codes.find(static_cast<char>(std::toupper(static_cast<unsigned char>(letters[i]))));
    for (std::size_t base = 0; base < 4 && code != std::string::npos && code > 0; ++base) {
      words[i / 64].may_be[base] |= std::uint64_t{code >> base & 1} << (i % 64);
    }
  }
  return words;
}

void expect_equal(const std::vector<BaseWord>& words, const std::vector<BaseWord>& expected) {
  ASSERT_GE(words.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    for (int base = 0; base < 4; ++base) {
      ASSERT_EQ(words[i].may_be[base], expected[i].may_be[base]) << "word " << i << " base " << base;
    }
  }
}

std::string random_bytes(std::mt19937_64& random, std::size_t length) {
  std::string bytes(length, '\0');
  for (char& byte : bytes) {
    byte = random() % 3 == 0 ? static_cast<char>(random()) : "ACGTNacgtnRYSWKMBDHVryswkmbdhvUX-*"[random() % 34];
  }
  return bytes;
}

TEST(PackWords, EveryFormPacksEveryByte) {
  std::string letters;
  for (int byte = 0; byte < 256; ++byte) {
    letters += static_cast<char>(byte);
  }
  std::mt19937_64 random(1);
  letters += random_bytes(random, 64 * 100);
  const auto expected = packed(letters);
  for (const PackWords form : pack_words_forms()) {
    std::vector<BaseWord> words(expected.size());
    form(letters.data(), static_cast<index_t>(words.size()), words.data());
    expect_equal(words, expected);
  }
}

TEST(PackBases, TakesAnyNumberOfLettersAndCountsThoseOutsideIupac) {
  constexpr unsigned seed = 2;
  std::mt19937_64 random(seed);
  for (std::size_t length = 0; length < 300; ++length) {
    const std::string letters = random_bytes(random, length);
    const auto expected = packed(letters);
    std::vector<BaseWord> words(expected.size() + 1, {{1, 2, 3, 4}});
    const index_t non_iupac = pack_bases(letters, words.data());
    expect_equal(words, expected);
    EXPECT_EQ(words.back().may_be[3], 4U) << "written beyond the end";
    index_t counted = 0;
    for (index_t i = 0; i < static_cast<index_t>(length); ++i) {
      counted += base_letter(words, i) == '?' ? 1 : 0;
    }
    EXPECT_EQ(non_iupac, counted);
  }
}

TEST(CopyBases, MovesAnyRangeAnywhere) {
  constexpr unsigned seed = 3;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  for (int repeat = 0; repeat < 3000; ++repeat) {
    std::string from(random() % 400 + 1, ' ');
    for (char& letter : from) {
      letter = "ACGTN"[random() % 5];
    }
    const std::size_t first = random() % from.size();
    const std::size_t count = random() % (from.size() - first + 1);
    const std::string before(random() % 200, 'T');
    const auto source = packed(from);
    const auto expected = packed(before + from.substr(first, count));
    auto words = packed(before);
    // The next words may hold anything.
    words.resize(expected.size() + 1, {{7, 7, 7, 7}});
    copy_bases(words.data(), static_cast<index_t>(before.size()), source.data(), static_cast<index_t>(first),
               static_cast<index_t>(count));
    if (count > 0) {
      expect_equal(words, expected);
    }
    EXPECT_EQ(words.back().may_be[0], 7U) << "written beyond the end";
  }
}

TEST(SetN, ChangesTheRangeAndNothingElse) {
  constexpr unsigned seed = 4;
  std::mt19937_64 random(seed);
  for (int repeat = 0; repeat < 500; ++repeat) {
    std::string letters(random() % 300 + 1, 'C');
    const std::size_t first = random() % letters.size();
    const std::size_t count = random() % (letters.size() - first + 1);
    auto words = packed(letters);
    set_n(words.data(), static_cast<index_t>(first), static_cast<index_t>(first + count));
    expect_equal(words, packed(letters.replace(first, count, std::string(count, 'N'))));
  }
}

}  // namespace
}  // namespace phpc
