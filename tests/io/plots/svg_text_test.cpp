#include "io/plots/svg_text.hpp"

#include <gtest/gtest.h>

#include "support/xml.hpp"

namespace phpc::io {
namespace {

TEST(SvgText, WhatXmlCannotHoldBecomesAQuestionMark) {
  const std::vector<std::pair<std::string, std::string>> cases{{"a<b> & \"c\"", "a&lt;b&gt; &amp; &quot;c&quot;"},
                                                               {"\x01\x1b[31m\x7f\t\n", "??[31m???"},
                                                               {std::string("a\0b", 3), "a?b"},
                                                               {"\xff\xfe", "??"},
                                                               {"\x80", "?"},                       // a continuation alone
                                                               {"\xc3", "?"},                       // cut
                                                               {"\xe2\x82", "??"},                  // cut
                                                               {"\xc0\xaf", "??"},                  // too long, of two bytes
                                                               {"\xe0\x80\xaf", "???"},             // of three
                                                               {"\xf0\x80\x80\xaf", "????"},        // of four
                                                               {"\xed\xa0\x80", "???"},             // a surrogate
                                                               {"\xef\xbf\xbe\xef\xbf\xbf", "??"},  // U+FFFE, U+FFFF
                                                               {"\xf4\x90\x80\x80", "????"},        // beyond U+10FFFF
                                                               {"\xf5\x80\x80\x80", "????"},
                                                               {"\xc2\x9b"
                                                                "1m",
                                                                "?1m"},  // a control character of two bytes
                                                               {"\xe2\x80\xae"
                                                                "cba",
                                                                "?cba"},  // right to left from here
                                                               {"µ名😀", "µ名😀"}};
  for (const auto& [text, escaped] : cases) {
    EXPECT_EQ(escaped_for_svg(text), escaped);
    EXPECT_EQ(test::xml_complaint("<a b=\"" + escaped_for_svg(text) + "\">" + escaped_for_svg(text) + "</a>"), "");
  }
}

TEST(SvgText, AnyBytesAreWellFormed) {
  // All pairs of bytes, in a row.
  std::string text;
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      text += {static_cast<char>(first), static_cast<char>(second)};
    }
  }
  EXPECT_EQ(test::xml_complaint("<a>" + escaped_for_svg(text) + "</a>"), "");
  for (std::size_t most = 3; most < 40; ++most) {
    EXPECT_EQ(test::xml_complaint("<a>" + escaped_for_svg(shortened_for_svg(text, most)) + "</a>"), "");
  }
}

TEST(SvgText, IsShortenedInItsMiddle) {
  EXPECT_EQ(shortened_for_svg("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(shortened_for_svg("abcdefghijk", 10), "abcdef…ijk");
  EXPECT_EQ(shortened_for_svg("µµµµµµ", 4), "µµ…µ");
  EXPECT_EQ(shortened_for_svg("", 3), "");
}

TEST(SvgText, FitsIntoItsRoom) {
  for (const std::string& text : {std::string(50, 'W'), std::string(1 << 20, 'm'), std::string("ab"), std::string()}) {
    const std::string fitted = fitted_for_svg(text, 13, 200);
    EXPECT_LE(text_width(fitted, 13), 200);
    EXPECT_EQ(fitted == text, text_width(text, 13) <= 200);
  }
  EXPECT_LT(text_width("iii", 10), text_width("mmm", 10));
  EXPECT_DOUBLE_EQ(text_width("名", 10), 10);
}

}  // namespace
}  // namespace phpc::io
