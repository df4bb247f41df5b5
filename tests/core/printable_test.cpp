#include "phpc/core/printable.hpp"

#include <gtest/gtest.h>

#include <random>

namespace phpc {
namespace {

TEST(Printable, PlainTextAndUtf8StayAsTheyAre) {
  for (const std::string text :
       {"", "cannot open 'x y' (No such file)", "\xc3\xa4\xc3\xb6 \xe2\x82\xac \xf0\x9f\xa7\xac \xc2\xa0", "a\\x1b"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, ControlCharactersAreShown) {
  EXPECT_EQ(printable("\x1b]0;title\x07 \x1b[2J"), "\\x1b]0;title\\x07 \\x1b[2J");
  EXPECT_EQ(printable("two\nlines\r\tand a tab"), "two\\x0alines\\x0d\\x09and a tab");
  EXPECT_EQ(printable(std::string_view("a\0b\x7f", 4)), "a\\x00b\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\xc2\\x9b2J");  // U+009B begins a sequence as ESC [ does
}

TEST(Printable, BytesThatAreNoUtf8AreShown) {
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("\x9b"), "\\x9b");
  EXPECT_EQ(printable("\xc3"), "\\xc3");                                        // cut short
  EXPECT_EQ(printable("\xe2\x82z"), "\\xe2\\x82z");                             // cut short by another letter
  EXPECT_EQ(printable("\xc0\xaf \xe0\x80\xaf"), "\\xc0\\xaf \\xe0\\x80\\xaf");  // longer than need be
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");                      // half of a surrogate pair
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");             // beyond U+10FFFF
}

TEST(Printable, LongWordsAreCutInTheirMiddle) {
  const std::string path = "/" + std::string(500, 'p');
  EXPECT_EQ(printable("cannot open '" + path + "' (why)"), "cannot open '" + path + "' (why)");
  const std::string word = "begin" + std::string(1000000, 'x') + "end";
  const std::string shown = printable("is '" + word + "' a word?");
  EXPECT_LT(shown.size(), 600u);
  EXPECT_TRUE(shown.starts_with("is 'begin")) << shown;
  EXPECT_TRUE(shown.ends_with("end' a word?")) << shown;
  EXPECT_NE(shown.find("bytes left out"), std::string::npos) << shown;
}

TEST(Printable, LongTextsOfShortWordsAreCutToo) {
  std::string text = "begin";
  for (int i = 0; i < 100000; ++i) {
    text += " word";
  }
  const std::string shown = printable(text + " end");
  EXPECT_LT(shown.size(), 4200u);
  EXPECT_TRUE(shown.starts_with("begin word"));
  EXPECT_TRUE(shown.ends_with("word end"));
}

TEST(Printable, NoCharacterIsCut) {
  for (std::size_t shift = 0; shift < 4; ++shift) {
    std::string word(shift, 'a');
    for (int i = 0; i < 1000; ++i) {
      word += "\xf0\x9f\xa7\xac";
    }
    EXPECT_EQ(printable(word).find("\\x"), std::string::npos) << shift;
  }
}

TEST(Printable, RandomBytesBecomeOneLineAndStayIt) {
  std::mt19937 random(20240607);
  for (int round = 0; round < 2000; ++round) {
    std::string text(random() % 64, '\0');
    for (char& letter : text) {
      letter = static_cast<char>(random());
    }
    const std::string shown = printable(text);
    for (const char letter : shown) {
      ASSERT_FALSE((letter >= 0 && letter < ' ') || letter == '\x7f') << "round " << round;
    }
    EXPECT_EQ(printable(shown), shown) << "round " << round;
  }
}

}  // namespace
}  // namespace phpc
