#include "phpc/core/types.hpp"

#include <gtest/gtest.h>

namespace phpc {
namespace {

TEST(Complex, FollowsTheRulesOfArithmetic) {
  constexpr Complex<double> a{1, 2};
  constexpr Complex<double> b{-3, 0.5};
  static_assert(a + b == Complex<double>{-2, 2.5});
  static_assert(a - b == Complex<double>{4, 1.5});
  static_assert(-a == Complex<double>{-1, -2});
  static_assert(a * b == Complex<double>{-4, -5.5});
  static_assert(conj(a) == Complex<double>{1, -2});
  static_assert(scaled(a, 2.0) == Complex<double>{2, 4});
  EXPECT_TRUE(a * conj(a) == (Complex<double>{5, 0}));
}

TEST(Complex, HasTheLayoutOfTwoReals) {
  static_assert(sizeof(Complex<float>) == 8 && alignof(Complex<float>) == 8);
  static_assert(sizeof(Complex<double>) == 16);
  const Complex<float> value{1, 2};
  EXPECT_EQ(reinterpret_cast<const float*>(&value)[1], 2);
}

TEST(CeilDiv, RoundsUp) {
  static_assert(ceil_div(0, 4) == 0);
  static_assert(ceil_div(1, 4) == 1);
  static_assert(ceil_div(4, 4) == 1);
  static_assert(ceil_div(5, 4) == 2);
  EXPECT_EQ(ceil_div((index_t{1} << 40) + 1, 2), (index_t{1} << 39) + 1);
}

}  // namespace
}  // namespace phpc
