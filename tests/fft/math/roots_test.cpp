#include "fft/math/roots.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

namespace phpc::fft {
namespace {

constexpr long double two_pi = 6.283185307179586476925286766559005768L;

TEST(RootsOfUnity, AreWithinHalfAUnitInTheLastPlace) {
  constexpr unsigned seed = 3;
  std::mt19937_64 random(seed);
  for (const index_t n : {index_t{1}, index_t{2}, index_t{3}, index_t{7}, index_t{17}, index_t{1000}, index_t{65536},
                          index_t{999983}, index_t{1} << 40}) {
    const RootsOfUnity root(n);
    for (int time = 0; time < 1000; ++time) {
      const auto t = static_cast<index_t>(random() % static_cast<std::uint64_t>(n));
      const long double angle = two_pi * static_cast<long double>(t) / static_cast<long double>(n);
      // 2^-53 of half an ulp of a number up to 1, and what the long double reference itself is off by.
      EXPECT_NEAR(static_cast<double>(static_cast<long double>(root(t).re) - std::cos(angle)), 0, 1.2e-16) << t << " of " << n;
      EXPECT_NEAR(static_cast<double>(static_cast<long double>(root(t).im) + std::sin(angle)), 0, 1.2e-16) << t << " of " << n;
    }
  }
}

TEST(RootsOfUnity, AreExactWhereTheyCanBeAndSymmetric) {
  for (const index_t n : {8, 24, 1000, 65536}) {
    const RootsOfUnity root(n);
    EXPECT_EQ(root(0), (Complex<double>{1, 0}));
    EXPECT_EQ(root(n / 4), (Complex<double>{0, -1}));
    EXPECT_EQ(root(n / 2), (Complex<double>{-1, 0}));
    EXPECT_EQ(root(3 * n / 4), (Complex<double>{0, 1}));
    for (index_t t = 1; t < n; ++t) {
      EXPECT_EQ(root(n - t), conj(root(t))) << t << " of " << n;
    }
  }
}

TEST(RootsOfUnity, AreTheSameBytesAllAtOnce) {
  for (index_t n = 1; n <= 300; ++n) {
    const RootsOfUnity root(n);
    const std::vector<Complex<double>> all = all_roots_of_unity(n);
    ASSERT_EQ(static_cast<index_t>(all.size()), n);
    for (index_t t = 0; t < n; ++t) {
      const Complex<double> one = root(t);
      EXPECT_EQ(std::memcmp(&one, &all[static_cast<std::size_t>(t)], sizeof(one)), 0) << t << " of " << n;
    }
  }
}

}  // namespace
}  // namespace phpc::fft
