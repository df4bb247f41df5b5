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
  EXPECT_TRUE(is_refused({.lengths = {8, 8}}));
  EXPECT_TRUE(is_refused({.lengths = {0}}));
  EXPECT_TRUE(is_refused({.lengths = {-4}}));
  EXPECT_TRUE(is_refused({.lengths = {8}, .batch = -1}));
  EXPECT_TRUE(is_refused({.lengths = {index_t{1} << 62}}));
  EXPECT_TRUE(is_refused({.lengths = {index_t{1} << 40}, .batch = index_t{1} << 40}));
  EXPECT_TRUE(is_refused({.lengths = {8}, .scale = std::numeric_limits<double>::infinity()}));
  EXPECT_TRUE(is_refused({.lengths = {8}, .scale = std::nan("")}));
}

}  // namespace
}  // namespace phpc::fft
