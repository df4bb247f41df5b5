#include "cli/bench/agreement.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace phpc::cli {
namespace {

TEST(Agreement, TailOfChiSquaredIsThatOfTables) {
  // Abramowitz and Stegun, table 26.8: the values that are reached with probability 0.05 and 0.5.
  EXPECT_NEAR(chi_squared_tail(3.84146, 1), 0.05, 1e-6);
  EXPECT_NEAR(chi_squared_tail(5.99146, 2), 0.05, 1e-6);
  EXPECT_NEAR(chi_squared_tail(7.81473, 3), 0.05, 1e-6);
  EXPECT_NEAR(chi_squared_tail(18.3070, 10), 0.05, 1e-6);
  EXPECT_NEAR(chi_squared_tail(24.9958, 15), 0.05, 1e-6);
  EXPECT_NEAR(chi_squared_tail(29.3360, 30), 0.5, 1e-5);
  EXPECT_EQ(chi_squared_tail(0, 7), 1);
  EXPECT_NEAR(chi_squared_tail(1e4, 8), 0, 1e-300);
}

TEST(Agreement, EqualSpectraAgree) {
  std::vector<Complex<double>> result;
  std::vector<Complex<long double>> reference;
  for (int i = 0; i < 100; ++i) {
    result.push_back({1.0 + i, 2.0 * i});
    reference.push_back({1.0L + i, 2.0L * i});
  }
  const ChiSquared agreement = chi_squared(result, reference);
  EXPECT_EQ(agreement.per_degree, 0);
  EXPECT_EQ(agreement.p_value, 1);
  EXPECT_EQ(relative_error(result, reference), 0);
  result[3].re += 1;
  EXPECT_GT(relative_error(result, reference), 0);
  for (Complex<double>& value : result) {
    value = {1, 0};
  }
  EXPECT_LT(chi_squared(result, reference).p_value, 1e-10) << "all in one bin";
}

TEST(Agreement, SpectraOfOneElementZerosAndNotANumber) {
  EXPECT_EQ(chi_squared({{1, 0}}, {{1, 0}}).per_degree, 0);
  EXPECT_EQ(chi_squared({{0, 0}, {0, 0}}, {{0, 0}, {0, 0}}).per_degree, 0);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_GT(chi_squared({{nan, 0}, {2, 0}}, {{1, 0}, {2, 0}}).per_degree, 0);
}

TEST(Agreement, Statistics) {
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

TEST(Agreement, HistogramsCountEverything) {
  // The 99th percentile of five is the fourth.
  EXPECT_EQ(text_histogram({1, 2, 3, 3, 9}, 2, "us"),
            "              1 us      2 " + std::string(34, '#') + "\nfrom          3 us      3 " + std::string(50, '#') + "\n");
  EXPECT_NE(text_histogram({5, 5, 5}, 4, "us").find(" 3 ####"), std::string::npos);
  EXPECT_EQ(text_histogram({}, 4, "us"), "");
}

}  // namespace
}  // namespace phpc::cli
