#include "phpc/io/sam_primaries.hpp"

#include <gtest/gtest.h>

#include <random>

#include "phpc/core/error.hpp"

namespace phpc::io {
namespace {

TEST(SamPrimaries, LeavesTheFirstRowOfEachNameAlone) {
  const std::string rows =
      "g1\t0\tchr1\t5\n"
      "g2\t16\tchr1\t6\n"
      "g1\t256\tchr1\t7\n"
      // Of the next writer.
      "g2\t16\tchr2\t1\n"
      "g1\t0\tchr2\t2\n"
      "g3\t0\tchr2\t3\n";
  const std::string expected =
      "g1\t0\tchr1\t5\n"
      "g2\t16\tchr1\t6\n"
      "g1\t256\tchr1\t7\n"
      "g2\t272\tchr2\t1\n"
      "g1\t256\tchr2\t2\n"
      "g3\t0\tchr2\t3\n";
  constexpr unsigned seed = 4;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  for (int repeat = 0; repeat < 200; ++repeat) {
    SamPrimaries primaries;
    std::string passed;
    for (std::string_view left = rows; !left.empty();) {
      const std::string_view bytes = left.substr(0, 1 + random() % 30);
      passed += primaries.pass(bytes);
      left.remove_prefix(bytes.size());
    }
    ASSERT_EQ(passed, expected);
  }
}

TEST(SamPrimaries, HoldNoLineWhole) {
  SamPrimaries primaries;
  EXPECT_EQ(primaries.pass("g\t0\tchr1"), "g\t0\tchr1");
  EXPECT_EQ(primaries.pass(std::string(1000, 'x')), std::string(1000, 'x'));
  EXPECT_EQ(primaries.pass("\ng\t16"), "\n");
  EXPECT_EQ(primaries.pass("\t\nh\n"), "g\t272\t\nh\n");
  EXPECT_THROW(primaries.pass(std::string(70'000, 'x')), Error);
}

}  // namespace
}  // namespace phpc::io
