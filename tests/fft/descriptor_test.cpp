#include "phpc/fft/descriptor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "phpc/core/error.hpp"

namespace phpc::fft {
namespace {

TEST(ScaleFactor, IsThatOfNumPy) {
  EXPECT_EQ(scale_factor(Norm::backward, Direction::forward, 10), 1);
  EXPECT_EQ(scale_factor(Norm::backward, Direction::inverse, 10), 0.1);
  EXPECT_EQ(scale_factor(Norm::ortho, Direction::forward, 10), 1 / std::sqrt(10.0));
  EXPECT_EQ(scale_factor(Norm::ortho, Direction::inverse, 10), 1 / std::sqrt(10.0));
  EXPECT_EQ(scale_factor(Norm::forward, Direction::forward, 10), 0.1);
  EXPECT_EQ(scale_factor(Norm::forward, Direction::inverse, 10), 1);
}

TEST(Descriptor, WhatNoPlanCanServeIsAUsageError) {
  const auto is_refused = [](const Descriptor& descriptor) {
    try {
      validate(descriptor);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      return true;
    }
    return false;
  };
  EXPECT_FALSE(is_refused({.lengths = {1}}));
  EXPECT_FALSE(is_refused({.lengths = {8}, .batch = 0}));
  EXPECT_TRUE(is_refused({}));
  EXPECT_FALSE(is_refused({.lengths = {8, 8}}));
  EXPECT_TRUE(is_refused({.lengths = {8, 0}}));
  EXPECT_TRUE(is_refused({.lengths = {index_t{1} << 30, index_t{1} << 30, 8}}));
  EXPECT_TRUE(is_refused({.lengths = {8}, .kind = Kind::complex_to_real}));
  EXPECT_TRUE(is_refused({.lengths = {8}, .direction = Direction::inverse, .kind = Kind::real_to_complex}));
  EXPECT_TRUE(is_refused({.lengths = {8}, .in = {.strides = {1, 1}}}));
  EXPECT_TRUE(is_refused({.lengths = {8}, .in = {.strides = {0}}}));
  EXPECT_TRUE(is_refused({.lengths = {8}, .out = {.distance = -8}}));
  EXPECT_TRUE(is_refused({.lengths = {8}, .kind = Kind::real_to_complex, .in = {.storage = Storage::planar}}));
  EXPECT_TRUE(is_refused({.lengths = {8}, .batch = 9, .out = {.distance = index_t{1} << 59}}));
  EXPECT_TRUE(is_refused({.lengths = {8}, .repeats = {{0, 8, 8}}}));
  EXPECT_TRUE(is_refused({.lengths = {8}, .repeats = {{3, 8, 0}}}));
  EXPECT_TRUE(is_refused({.lengths = {0}}));
  EXPECT_TRUE(is_refused({.lengths = {-4}}));
  EXPECT_TRUE(is_refused({.lengths = {8}, .batch = -1}));
  EXPECT_TRUE(is_refused({.lengths = {index_t{1} << 62}}));
  EXPECT_TRUE(is_refused({.lengths = {index_t{1} << 40}, .batch = index_t{1} << 40}));
  EXPECT_TRUE(is_refused({.lengths = {8}, .scale = std::numeric_limits<double>::infinity()}));
  EXPECT_TRUE(is_refused({.lengths = {8}, .scale = std::nan("")}));
}

TEST(GoodLength, IsTheShortestSmoothOne) {
  const auto is_smooth = [](index_t n) {
    for (const index_t p : {2, 3, 5, 7, 11, 13}) {
      while (n % p == 0) {
        n /= p;
      }
    }
    return n == 1;
  };
  index_t expected = 3003;  // 3 * 7 * 11 * 13
  for (index_t n = 3000; n > 0; --n) {
    expected = is_smooth(n) ? n : expected;
    ASSERT_EQ(fft_good_length(n), expected) << n;
  }
  const index_t large = fft_good_length(1000000000039);  // a prime
  EXPECT_TRUE(is_smooth(large));
  EXPECT_GT(large, 1000000000039);
  EXPECT_LT(large, 1000100000000);
  EXPECT_EQ(fft_good_length(index_t{1} << 58), index_t{1} << 58);
  EXPECT_THROW(fft_good_length(0), Error);
  EXPECT_THROW(fft_good_length((index_t{1} << 58) + 1), Error);
}

}  // namespace
}  // namespace phpc::fft
