#include "measure/agreement.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace phpc::bench {
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

}  // namespace
}  // namespace phpc::bench
