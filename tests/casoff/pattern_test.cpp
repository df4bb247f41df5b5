#include "phpc/casoff/pattern.hpp"

#include <gtest/gtest.h>

#include "phpc/core/error.hpp"

namespace phpc::casoff {
namespace {

TEST(Pattern, KnowsIupacLettersInEitherCase) {
  EXPECT_EQ(iupac_code('A'), 1);
  EXPECT_EQ(iupac_code('c'), 2);
  EXPECT_EQ(iupac_code('G'), 4);
  EXPECT_EQ(iupac_code('t'), 8);
  EXPECT_EQ(iupac_code('R'), 5);
  EXPECT_EQ(iupac_code('Y'), 10);
  EXPECT_EQ(iupac_code('V'), 7);
  EXPECT_EQ(iupac_code('n'), any_base);
  for (const char stranger : {'U', 'X', '-', '*', '\0', '\xff', ' '}) {
    EXPECT_EQ(iupac_code(stranger), no_base);
  }
}

TEST(Pattern, ComplementsLikeTheIupacTable) {
  const std::string from = "ACGTRYKMSWBDHVN";
  const std::string to = "TGCAYRMKSWVHDBN";
  for (std::size_t i = 0; i < from.size(); ++i) {
    EXPECT_EQ(complement_letter(from[i]), to[i]);
    EXPECT_EQ(iupac_letter(iupac_code(from[i])), from[i]);
  }
  EXPECT_EQ(complement_letter('X'), 'X');
  EXPECT_EQ(complement_letter('*'), '*');
}

TEST(Pattern, IsUpperCasedAndTakesStrangersAsAnything) {
  const Pattern plain("acgtN");
  EXPECT_EQ(plain.text(), "ACGTN");
  EXPECT_EQ(plain.codes(), (std::vector<Code>{1, 2, 4, 8, 15}));
  EXPECT_FALSE(plain.has_non_iupac_letters());
  const Pattern strange("AU-");
  EXPECT_TRUE(strange.has_non_iupac_letters());
  EXPECT_EQ(strange.codes(), (std::vector<Code>{1, 15, 15}));
}

TEST(Pattern, RefusesWhatIsNoSequence) {
  EXPECT_THROW(Pattern(""), Error);
  EXPECT_THROW(Pattern("AC GT"), Error);
  EXPECT_THROW(Pattern("ACG7"), Error);
  EXPECT_EQ(Pattern(std::string(64, 'A')).size(), 64);
  EXPECT_THROW(Pattern(std::string(65, 'A')), Error);
}

TEST(Ambiguity, FollowsItsTable) {
  const auto code = iupac_code;
  for (const Ambiguity policy : {Ambiguity::cas_offinder, Ambiguity::strict, Ambiguity::any}) {
    EXPECT_FALSE(is_mismatch(code('A'), 'A', policy));
    EXPECT_TRUE(is_mismatch(code('A'), 'C', policy));
    EXPECT_FALSE(is_mismatch(code('R'), 'G', policy));
    EXPECT_TRUE(is_mismatch(code('R'), 'T', policy));
    for (const char letter : {'A', 'R', 'N', 'X', '*'}) {
      EXPECT_FALSE(is_mismatch(code('N'), letter, policy));
    }
  }
  EXPECT_TRUE(is_mismatch(code('A'), 'N', Ambiguity::cas_offinder));
  EXPECT_FALSE(is_mismatch(code('R'), 'Y', Ambiguity::cas_offinder));
  EXPECT_FALSE(is_mismatch(code('R'), 'X', Ambiguity::cas_offinder));
  EXPECT_TRUE(is_mismatch(code('A'), 'R', Ambiguity::strict));
  EXPECT_FALSE(is_mismatch(code('D'), 'R', Ambiguity::strict));
  EXPECT_TRUE(is_mismatch(code('R'), 'N', Ambiguity::strict));
  EXPECT_TRUE(is_mismatch(code('R'), 'X', Ambiguity::strict));
  EXPECT_FALSE(is_mismatch(code('A'), 'R', Ambiguity::any));
  EXPECT_FALSE(is_mismatch(code('A'), 'N', Ambiguity::any));
  EXPECT_TRUE(is_mismatch(code('R'), 'Y', Ambiguity::any));
  EXPECT_TRUE(is_mismatch(code('R'), 'X', Ambiguity::any));
}

TEST(Ambiguity, IsParsedByName) {
  EXPECT_EQ(parse_ambiguity("cas-offinder"), Ambiguity::cas_offinder);
  EXPECT_EQ(parse_ambiguity("strict"), Ambiguity::strict);
  EXPECT_EQ(parse_ambiguity("any"), Ambiguity::any);
  EXPECT_THROW(parse_ambiguity("Strict"), Error);
}

}  // namespace
}  // namespace phpc::casoff
