#include "fft/math/factors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace phpc::fft {
namespace {

bool is_smooth_by_trial(index_t n) {
  for (const index_t p : {2, 3, 5, 7, 11, 13}) {
    while (n % p == 0) {
      n /= p;
    }
  }
  return n == 1;
}

template <int... R>
bool is_radix(int radix, std::integer_sequence<int, R...> /*list*/) {
  return ((radix == R) || ...);
}

TEST(StageRadices, MultiplyToTheLengthAndAreOfTheList) {
  for (index_t n = 1; n <= 20000; ++n) {
    const auto radices = stage_radices(n);
    ASSERT_EQ(radices.has_value(), is_smooth_by_trial(n)) << n;
    ASSERT_EQ(is_smooth(n), radices.has_value()) << n;
    if (!radices) {
      continue;
    }
    EXPECT_LE(radices->size(), static_cast<std::size_t>(max_stages));
    index_t product = 1;
    for (const int radix : *radices) {
      EXPECT_TRUE(is_radix(radix, RadixList{})) << radix << " in " << n;
      product *= radix;
    }
    EXPECT_EQ(product, n);
  }
}

template <int... R>
std::set<int> all_radices(std::integer_sequence<int, R...> /*list*/) {
  return {R...};
}

TEST(StageRadices, TakeEachOfTheList) {
  std::set<int> taken;
  for (index_t n = 1; n <= 1000; ++n) {
    if (const auto radices = stage_radices(n)) {
      taken.insert(radices->begin(), radices->end());
    }
  }
  EXPECT_EQ(taken, all_radices(RadixList{}));
}

TEST(StageRadices, SpreadPowersOfTwoEvenly) {
  EXPECT_EQ(*stage_radices(32), (std::vector<int>{8, 4}));
  EXPECT_EQ(*stage_radices(4096), (std::vector<int>{16, 16, 16}));
  EXPECT_EQ(*stage_radices(8192), (std::vector<int>{16, 8, 8, 8}));
  EXPECT_EQ(*stage_radices(54), (std::vector<int>{9, 3, 2}));
  EXPECT_TRUE(stage_radices(1)->empty());
}

TEST(PassLengths, AreFewAndEqual) {
  EXPECT_EQ(*pass_lengths(4096, 4096), (std::vector<index_t>{4096}));
  EXPECT_EQ(*pass_lengths(1 << 16, 4096), (std::vector<index_t>{256, 256}));
  EXPECT_EQ(*pass_lengths(1 << 17, 4096), (std::vector<index_t>{512, 256}));
  EXPECT_EQ(*pass_lengths(1000000, 4096), (std::vector<index_t>{1000, 1000}));
  EXPECT_EQ(*pass_lengths(index_t{1} << 30, 4096), (std::vector<index_t>{1024, 1024, 1024}));
  EXPECT_FALSE(pass_lengths(index_t{1} << 40, 4096).has_value());
  for (const index_t n : {1594323, 4826809, 100000000}) {
    const auto lengths = pass_lengths(n, 1024);
    ASSERT_TRUE(lengths.has_value()) << n;
    EXPECT_EQ(std::accumulate(lengths->begin(), lengths->end(), index_t{1}, std::multiplies<>()), n);
    EXPECT_LE(*std::max_element(lengths->begin(), lengths->end()), 1024);
  }
}

TEST(PaddedLength, IsSmoothAndNotMuchLonger) {
  for (index_t n = 1; n < 5000; ++n) {
    const index_t padded = padded_length(n);
    EXPECT_GE(padded, n);
    EXPECT_LE(padded, n + n / 3 + 1) << n;
    EXPECT_TRUE(is_smooth(padded));
  }
}

}  // namespace
}  // namespace phpc::fft
