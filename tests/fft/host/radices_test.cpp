#include "fft/host/transforms/radices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "fft/math/factors.hpp"

namespace phpc::fft {
namespace {

template <int... Radices>
bool has(int radix, std::integer_sequence<int, Radices...> /*list*/) {
  return ((radix == Radices) || ...);
}

/// Returns the least cost of all lists of radices whose product is n, in any order.
double least_cost(index_t n, std::vector<int>& before) {
  if (n == 1) {
    return host_stages_cost(before);
  }
  double least = std::numeric_limits<double>::max();
  for (int radix = 2; radix <= 16; ++radix) {
    if (n % radix == 0) {
      before.push_back(radix);
      least = std::min(least, least_cost(n / radix, before));
      before.pop_back();
    }
  }
  return least;
}

TEST(HostRadices, MultiplyToTheLengthAndAreOfTheList) {
  for (index_t n = 1; n <= 20000; ++n) {
    const auto radices = host_radices(n);
    ASSERT_EQ(radices.has_value(), is_smooth(n)) << n;
    if (radices) {
      EXPECT_EQ(std::accumulate(radices->begin(), radices->end(), index_t{1}, std::multiplies<>()), n);
      EXPECT_TRUE(std::all_of(radices->begin(), radices->end(), [](int radix) { return has(radix, HostRadixList{}); })) << n;
    }
  }
}

TEST(HostRadices, TakeTheLeastTimeOfAllLists) {
  for (index_t n = 17; n <= 1100; ++n) {
    if (is_smooth(n)) {
      std::vector<int> none;
      EXPECT_NEAR(host_stages_cost(*host_radices(n)), least_cost(n, none), 1e-9) << n;
    }
  }
}

TEST(HostRadices, OfLongLengthsAreFoundInNoTime) {
  // 13-smooth lengths with many factors, and the longest power of two below 2^59.
  for (const index_t n : {index_t{1} << 58, index_t{720720} * 720720, index_t{30030} * 30030 * 30030}) {
    const auto radices = host_radices(n);
    ASSERT_TRUE(radices.has_value());
    EXPECT_EQ(std::accumulate(radices->begin(), radices->end(), index_t{1}, std::multiplies<>()), n);
  }
}

}  // namespace
}  // namespace phpc::fft
