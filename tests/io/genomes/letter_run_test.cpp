#include "io/genomes/letter_run.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace phpc::io {
namespace {

bool is_letter(char byte) {
  return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || byte == '-' || byte == '*' || byte == '.';
}

bool is_gap(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

TEST(LetterRun, ClassifiesEveryByte) {
  for (int value = 0; value < 256; ++value) {
    const char byte = static_cast<char>(value);
    EXPECT_EQ(classify(byte) == ByteClass::letter, is_letter(byte)) << value;
    EXPECT_EQ(classify(byte) == ByteClass::other, !is_letter(byte) && !is_gap(byte)) << value;
    EXPECT_EQ(classify(byte) == ByteClass::end, byte == '\n' || byte == '\r') << value;
  }
}

/// Text of letters with gaps, one in `rarity`, and strangers, one in `stranger_rarity`.
std::string random_text(std::mt19937_64& random, std::size_t length, unsigned rarity, unsigned stranger_rarity) {
  std::string text(length, ' ');
  for (char& byte : text) {
    byte = random() % rarity == 0 ? " \t\r\n"[random() % 4] : "ACGTNacgtnxX-*.Zz"[random() % 17];
    if (random() % stranger_rarity == 0) {
      byte = static_cast<char>(random());
    }
  }
  return text;
}

TEST(LetterRun, EveryFormTakesTheSameLetters) {
  constexpr unsigned seed = 5;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  for (int repeat = 0; repeat < 4000; ++repeat) {
    const std::size_t length = random() % 600;
    const auto rarity = static_cast<unsigned>(2 + random() % 70);
    const auto stranger_rarity = static_cast<unsigned>(50 + random() % 2000);
    const std::string text = random_text(random, length, rarity, stranger_rarity);
    std::string expected;
    std::size_t end = 0;
    for (; end < text.size() && (is_letter(text[end]) || is_gap(text[end])); ++end) {
      if (is_letter(text[end])) {
        expected += text[end];
      }
    }
    // What follows the text must not be looked at for what it is.
    const std::string padded = text + std::string(letter_slack, repeat % 2 == 0 ? 'A' : '>');
    const std::string_view view(padded.data(), text.size());
    std::string letters(text.size() + letter_slack, '\0');
    const LetterRun run = take_letters(view, letters.data());
    EXPECT_EQ(run.taken, end);
    EXPECT_EQ(letters.substr(0, run.letters), expected);
    for (const TakeLetters form : take_letters_forms()) {
      const LetterRun part = form(view, letters.data());
      EXPECT_LE(part.taken, end);
      EXPECT_LT(end - part.taken, 64U);
      EXPECT_EQ(letters.substr(0, part.letters), expected.substr(0, part.letters));
    }
  }
}

TEST(LetterRun, CountsLineEndsOfEveryKind) {
  EXPECT_EQ(count_line_ends(""), 0U);
  EXPECT_EQ(count_line_ends("a\nb\n"), 2U);
  EXPECT_EQ(count_line_ends("a\r\nb\r\n"), 2U);
  EXPECT_EQ(count_line_ends("a\rb\r"), 2U);
  EXPECT_EQ(count_line_ends("\n\r\r\n\n"), 4U);
  std::string many;
  for (int line = 0; line < 50'000; ++line) {
    many += line % 3 == 0 ? "\n" : line % 3 == 1 ? "AC\r\n" : "ACGTACGTACGT\r";
  }
  std::size_t expected = 0;
  for (std::size_t i = 0; i < many.size(); ++i) {
    expected += many[i] == '\n' || (many[i] == '\r' && (i + 1 == many.size() || many[i + 1] != '\n')) ? 1 : 0;
  }
  EXPECT_EQ(count_line_ends(many), expected);
}

}  // namespace
}  // namespace phpc::io
