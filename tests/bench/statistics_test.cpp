#include "measure/statistics.hpp"

#include <gtest/gtest.h>

namespace phpc::bench {
namespace {

TEST(Statistics, OfSamples) {
  const Statistics even = statistics({4, 1, 3, 2});
  EXPECT_EQ(even.mean, 2.5);
  EXPECT_EQ(even.median, 2.5);
  EXPECT_EQ(even.smallest, 1);
  EXPECT_EQ(even.ninetieth, 4);
  EXPECT_EQ(statistics({10, 9, 8, 7, 6, 5, 4, 3, 2, 1}).ninetieth, 9);
  EXPECT_EQ(statistics({7}).ninetieth, 7);
  EXPECT_NEAR(even.deviation, 1.2909944487, 1e-9);
  EXPECT_EQ(statistics({7}).deviation, 0);
  EXPECT_EQ(statistics({3, 1, 2}).median, 2);
  EXPECT_EQ(statistics({}).mean, 0);
}

TEST(Statistics, HistogramsCountEverything) {
  // The 99th percentile of five is the fourth.
  EXPECT_EQ(text_histogram({1, 2, 3, 3, 9}, 2, "us"),
            "              1 us      2 " + std::string(34, '#') + "\nfrom          3 us      3 " + std::string(50, '#') + "\n");
  EXPECT_NE(text_histogram({5, 5, 5}, 4, "us").find(" 3 ####"), std::string::npos);
  EXPECT_EQ(text_histogram({}, 4, "us"), "");
}

}  // namespace
}  // namespace phpc::bench
