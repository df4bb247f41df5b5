#include "phpc/core/parse.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace phpc {
namespace {

TEST(ParseInteger, TakesWholeDecimalNumbersOnly) {
  EXPECT_EQ(parse_integer("0"), 0);
  EXPECT_EQ(parse_integer("-17"), -17);
  EXPECT_EQ(parse_integer("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(parse_integer("-9223372036854775808"), INT64_MIN);
  for (const char* const text : {"", " 1", "1 ", "+1", "1.0", "0x10", "1e3", "-", "9223372036854775808", "one"}) {
    EXPECT_EQ(parse_integer(text), std::nullopt) << text;
  }
}

TEST(ParseReal, TakesWholeNumbersOnly) {
  EXPECT_EQ(parse_real("1e-6"), 1e-6);
  EXPECT_EQ(parse_real("-0.5"), -0.5);
  EXPECT_EQ(parse_real("3"), 3.0);
  EXPECT_TRUE(std::isinf(parse_real("inf").value()));
  EXPECT_TRUE(std::isnan(parse_real("nan").value()));
  for (const char* const text : {"", " 1", "1 ", "1e", "1,5", "0x", "1e999", "--1"}) {
    EXPECT_EQ(parse_real(text), std::nullopt) << text;
  }
}

TEST(SplitBlanks, GivesNoEmptyField) {
  using Fields = std::vector<std::string_view>;
  EXPECT_EQ(split_blanks(""), Fields{});
  EXPECT_EQ(split_blanks(" \t "), Fields{});
  EXPECT_EQ(split_blanks("one"), Fields{"one"});
  EXPECT_EQ(split_blanks("  a\t\tbc d "), (Fields{"a", "bc", "d"}));
}

TEST(Trimmed, RemovesBlanksAndLineEnds) {
  EXPECT_EQ(trimmed(" \ta b\r\n"), "a b");
  EXPECT_EQ(trimmed("\r\n"), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(LowerCase, TouchesAsciiLettersOnly) {
  EXPECT_EQ(lower_case("Az09_-\xc3\x84"), "az09_-\xc3\x84");
}

TEST(Counted, HasTheNumberOfTheNoun) {
  EXPECT_EQ(counted(0, "site"), "0 sites");
  EXPECT_EQ(counted(1, "site"), "1 site");
  EXPECT_EQ(counted(2, "query", "queries"), "2 queries");
  EXPECT_EQ(counted(1, "query", "queries"), "1 query");
}

TEST(FormatDecimal, HasThreeDigitsAndAPrefix) {
  EXPECT_EQ(format_decimal(0), "0 ");
  EXPECT_EQ(format_decimal(0.05), "0.05 ");
  EXPECT_EQ(format_decimal(999), "999 ");
  EXPECT_EQ(format_decimal(999.7), "1 k");
  EXPECT_EQ(format_decimal(6.97e8), "697 M");
  EXPECT_EQ(format_decimal(1.234e10), "12.3 G");
  EXPECT_EQ(format_decimal(2e21), "2e+03 E");
}

TEST(FormatBytes, TakesTheLargestFittingUnit) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1024), "1.0 KiB");
  EXPECT_EQ(format_bytes(1536ull << 20), "1.5 GiB");
  EXPECT_EQ(format_bytes(UINT64_MAX), "16.0 EiB");
}

}  // namespace
}  // namespace phpc
