#include "cli/options/byte_size.hpp"

#include <gtest/gtest.h>

namespace phpc::cli {
namespace {

TEST(ParseBytes, TakesNumbersWithAndWithoutUnits) {
  EXPECT_EQ(parse_bytes("0"), 0U);
  EXPECT_EQ(parse_bytes("4096"), 4096U);
  EXPECT_EQ(parse_bytes("17B"), 17U);
  EXPECT_EQ(parse_bytes("64 kB"), 64000U);
  EXPECT_EQ(parse_bytes("3k"), 3000U);
  EXPECT_EQ(parse_bytes("3Ki"), 3072U);
  EXPECT_EQ(parse_bytes("500MB"), 500000000U);
  EXPECT_EQ(parse_bytes("2GiB"), std::uint64_t{2} << 30);
  EXPECT_EQ(parse_bytes("1.5gib"), std::uint64_t{3} << 29);
  EXPECT_EQ(parse_bytes("0.25 MB"), 250000U);
  EXPECT_EQ(parse_bytes("15EiB"), std::uint64_t{15} << 60);
  EXPECT_EQ(parse_bytes("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(parse_bytes("010"), 10U);
}

TEST(ParseBytes, RefusesWhatIsNone) {
  for (const char* const text : {"",
                                 " ",
                                 "B",
                                 "MB",
                                 "-1",
                                 "+1",
                                 "-1GB",
                                 "1e9",
                                 "1e23",
                                 "1.",
                                 ".5",
                                 "1..5",
                                 "1.5.5",
                                 "0x10",
                                 "12Q",
                                 "12MBB",
                                 "12Mi B",
                                 "12iB",
                                 "12bi",
                                 "12 MB ",
                                 "1,5GB",
                                 "1_000",
                                 "nan",
                                 "inf",
                                 "18446744073709551616",
                                 "16EiB",
                                 "18446744073709551615.9k",
                                 "20EB",
                                 "99999999999999999999999",
                                 "1 2"}) {
    EXPECT_EQ(parse_bytes(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace phpc::cli
