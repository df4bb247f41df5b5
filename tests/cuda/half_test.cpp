#include "phpc/cuda/half.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <thread>
#include <type_traits>
#include <vector>

#include "phpc/cuda/bfloat16.hpp"

namespace {

constexpr unsigned kSeed = 20261126;
constexpr int kSamples = 100000;

static_assert(sizeof(half) == 2 && alignof(half) == 2 && sizeof(half2) == 4 && alignof(half2) == 4);
static_assert(sizeof(nv_bfloat16) == 2 && sizeof(nv_bfloat162) == 4 && alignof(nv_bfloat162) == 4);
static_assert(std::is_trivially_copyable_v<half2> && std::is_trivially_default_constructible_v<half2>);
static_assert(std::is_trivially_copyable_v<nv_bfloat162> && std::is_trivially_default_constructible_v<nv_bfloat162>);

/// What the oracle needs to know of a type: its bits of precision and its least exponent.
template <class T>
struct Format;
template <>
struct Format<__half> {
  static constexpr int kPrecision = 11, kLeastExponent = -14;
  static constexpr double kGreatest = 65504;
};
template <>
struct Format<__nv_bfloat16> {
  static constexpr int kPrecision = 8, kLeastExponent = -126;
  static constexpr double kGreatest = 0x1.fep127;
};

enum class Mode { rn, rz, ru, rd };

/// x rounded to the format of T by integer arithmetic on its last place, as a double (where both formats fit).
template <class T>
double rounded(long double x, Mode mode) {
  if (x == 0 || !std::isfinite(x)) {
    return static_cast<double>(x);
  }
  const int exponent = std::max(std::ilogb(x), Format<T>::kLeastExponent) - Format<T>::kPrecision + 1;
  const long double scaled = std::ldexp(x, -exponent);
  const long double whole = mode == Mode::rn   ? std::nearbyint(scaled)
                            : mode == Mode::rz ? std::trunc(scaled)
                            : mode == Mode::ru ? std::ceil(scaled)
                                               : std::floor(scaled);
  const double result = static_cast<double>(std::ldexp(whole, exponent));
  if (std::abs(result) <= Format<T>::kGreatest) {
    return std::copysign(result, static_cast<double>(x > 0 ? 1 : -1));
  }
  const bool away = mode == Mode::rn || (mode == Mode::ru && x > 0) || (mode == Mode::rd && x < 0);
  return std::copysign(away ? std::numeric_limits<double>::infinity() : Format<T>::kGreatest, x > 0 ? 1.0 : -1.0);
}

template <class T>
T of_bits(std::uint64_t bits) {
  return __builtin_bit_cast(T, static_cast<unsigned short>(bits));
}

template <class T>
double wide(T x) {
  return static_cast<double>(static_cast<float>(x));
}

/// Equal numbers with equal signs, or both NaN.
::testing::AssertionResult same(double got, double wanted) {
  if ((got == wanted && std::signbit(got) == std::signbit(wanted)) || (got != got && wanted != wanted)) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << std::hexfloat << got << " is not " << wanted << ", seed " << kSeed;
}

template <class T>
class NarrowFloat : public ::testing::Test {};
using Types = ::testing::Types<__half, __nv_bfloat16>;
TYPED_TEST_SUITE(NarrowFloat, Types);

TYPED_TEST(NarrowFloat, EveryNumberSurvivesFloat) {
  for (unsigned int bits = 0; bits < 65536; ++bits) {
    const TypeParam x = of_bits<TypeParam>(bits);
    const TypeParam back = static_cast<float>(x);
    if (wide(x) == wide(x)) {
      ASSERT_EQ(__builtin_bit_cast(unsigned short, back), bits);
    } else {
      ASSERT_TRUE(__hisnan(back));
    }
  }
}

TYPED_TEST(NarrowFloat, ArithmeticIsCorrectlyRounded) {
  using T = TypeParam;
  std::mt19937_64 random(kSeed);
  for (int sample = 0; sample < kSamples; ++sample) {
    const T a = of_bits<T>(random());
    const T b = of_bits<T>(sample % 3 == 0 ? random() : __builtin_bit_cast(unsigned short, a) ^ (random() & 0x9fff & random()));
    const T c = of_bits<T>(sample % 5 == 0 ? __builtin_bit_cast(unsigned short, a* b) ^ (random() & 0x87ff) : random());
    const long double x = wide(a);
    const long double y = wide(b);
    ASSERT_TRUE(same(wide(a + b), rounded<T>(x + y, Mode::rn)));
    ASSERT_TRUE(same(wide(a - b), rounded<T>(x - y, Mode::rn)));
    ASSERT_TRUE(same(wide(a * b), rounded<T>(x * y, Mode::rn)));
    ASSERT_TRUE(same(wide(a / b), rounded<T>(x / y, Mode::rn)));
    ASSERT_TRUE(same(wide(hsqrt(a)), rounded<T>(std::sqrt(x), Mode::rn)));
    // The exact sum of three by steps: the product is exact; of product + addend only the side of what is lost matters.
    const double product = static_cast<double>(x * y);
    const long double sum = static_cast<long double>(product) + wide(c);
    const long double lost = std::isfinite(sum) && std::abs(product) >= std::abs(wide(c))
                                 ? wide(c) - (sum - static_cast<long double>(product))
                                 : static_cast<long double>(product) - (sum - static_cast<long double>(wide(c)));
    long double sticky = sum;
    if (std::isfinite(sum) && lost != 0 && std::fmod(std::ldexp(sum, 63 - std::ilogb(sum)), 2) == 0) {
      sticky = std::nextafter(sum, lost > 0 ? HUGE_VALL : -HUGE_VALL);  // of the two around the exact sum the odd one
    }
    ASSERT_TRUE(same(wide(__hfma(a, b, c)), rounded<T>(sticky, Mode::rn)))
        << std::hexfloat << " of " << wide(a) << ", " << wide(b) << ", " << wide(c);
    ASSERT_EQ(a < b, x < y);
    ASSERT_EQ(a == b, x == y);
    ASSERT_EQ(a != b, x != y);
    ASSERT_EQ(__hge(a, b), x >= y);
    ASSERT_EQ(__hgtu(a, b), !(x <= y));
    ASSERT_EQ(__hne(a, b), x < y || x > y);
    ASSERT_TRUE(same(wide(-a), static_cast<double>(-x)));
    ASSERT_TRUE(same(wide(__habs(a)), static_cast<double>(std::abs(x))));
    ASSERT_EQ(wide(__hmax(a, b)) == wide(__hmax(a, b)), x == x || y == y);
    ASSERT_EQ(__hisnan(__hmin_nan(a, b)), x != x || y != y);
  }
}

template <class T>
T from_float(float x, Mode mode) {
  if constexpr (std::is_same_v<T, __half>) {
    return mode == Mode::rn   ? __float2half_rn(x)
           : mode == Mode::rz ? __float2half_rz(x)
           : mode == Mode::ru ? __float2half_ru(x)
                              : __float2half_rd(x);
  } else {
    return mode == Mode::rn   ? __float2bfloat16_rn(x)
           : mode == Mode::rz ? __float2bfloat16_rz(x)
           : mode == Mode::ru ? __float2bfloat16_ru(x)
                              : __float2bfloat16_rd(x);
  }
}

TYPED_TEST(NarrowFloat, ConversionsAreCorrectlyRounded) {
  using T = TypeParam;
  std::mt19937_64 random(kSeed);
  for (int sample = 0; sample < kSamples; ++sample) {
    float f = __builtin_bit_cast(float, static_cast<unsigned int>(random()));
    if (sample % 2 == 0) {  // near to a number of T or to the middle between two
      const double near = wide(of_bits<T>(random())) + (sample % 4 == 0 ? 0 : wide(of_bits<T>(random() % 2)) / 2);
      f = static_cast<float>(near * (1 + static_cast<double>(static_cast<int>(random() % 3) - 1) * 0x1p-23));
    }
    for (const Mode mode : {Mode::rn, Mode::rz, Mode::ru, Mode::rd}) {
      ASSERT_TRUE(same(wide(from_float<T>(f, mode)), rounded<T>(f, mode))) << std::hexfloat << f;
    }
    // A middle and a bit that a float would lose.
    const double middle = (wide(of_bits<T>(0x1000 + random() % 0x100 * 2)) + wide(of_bits<T>(0x1001 + random() % 0x100 * 2))) / 2;
    const double d = middle * (1 + static_cast<double>(static_cast<int>(random() % 3) - 1) * 0x1p-50);
    ASSERT_TRUE(same(wide(T(d)), rounded<T>(d, Mode::rn)));
    const long long n = static_cast<long long>(random()) >> (random() % 64);
    ASSERT_TRUE(same(wide(T(static_cast<float>(0)) + T(n)), rounded<T>(static_cast<long double>(n), Mode::rn))) << n;
  }
}

TYPED_TEST(NarrowFloat, AtomicAdditionLosesNothing) {
  TypeParam sum = 0.0f;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&sum] {
      for (int round = 0; round < 32; ++round) {
        atomicAdd(&sum, TypeParam(1.0f));
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(static_cast<float>(sum), 128.0f);
}

TEST(Half, NamesOfCuda) {
  const half one = __float2half(1.0f);
  const half2 pair = __floats2half2_rn(1.0f, 2.0f);
  EXPECT_EQ(__half2float(one) + __low2float(pair) + __high2float(pair), 4.0f);
  EXPECT_EQ(__half22float2(__hadd2(pair, pair)).y, 4.0f);
  EXPECT_EQ(__half22float2(__hfma2(pair, pair, __half2half2(one))).y, 5.0f);
  EXPECT_EQ(__half22float2(__lowhigh2highlow(pair)).x, 2.0f);
  EXPECT_EQ(__half22float2(__float22half2_rn(make_float2(3, 4))).y, 4.0f);
  EXPECT_EQ(__half2float(__high2half(__lows2half2(pair, pair))), 1.0f);
  EXPECT_EQ(__half22float2(__hgt2(pair, __float2half2_rn(1.5f))).x, 0.0f);
  EXPECT_EQ(__hgt2_mask(pair, __float2half2_rn(1.5f)), 0xffff0000u);
  EXPECT_TRUE(pair == make_half2(1, 2) && pair != __halves2half2(one, one) && __hbgt2(pair, __float2half2_rn(0.5f)));
  EXPECT_EQ(__half_as_ushort(one), 0x3c00);
  EXPECT_EQ(__half2float(__ushort_as_half(0x4000)), 2.0f);
  EXPECT_EQ(__half2int_rz(__float2half(-2.7f)), -2);
  EXPECT_EQ(__half2uint_rn(__float2half(-2.7f)), 0u);
  EXPECT_EQ(__half2ll_rd(__float2half(-2.7f)), -3);
  EXPECT_EQ(__half2short_rn(__float2half(INFINITY)), 32767);
  EXPECT_EQ(__half2float(__int2half_rz(2049)), 2048.0f);
  EXPECT_EQ(__half2float(__ull2half_ru(65505)), INFINITY);
  EXPECT_FLOAT_EQ(__half2float(hexp(one)), 2.71875f);
  EXPECT_EQ(__half22float2(h2sqrt(make_half2(4, 9))).y, 3.0f);
  EXPECT_EQ(__half2float(__hadd_sat(one, one)), 1.0f);
  EXPECT_EQ(__half2float(__hfma_relu(one, one, __float2half(-3.0f))), 0.0f);
  EXPECT_EQ(__hisinf(__float2half(-1e9f)), -1);
  half x = 2;
  x += one;
  x = x * one - half(0.5);
  ++x;
  EXPECT_EQ(float(x), 3.5f);
  EXPECT_EQ(static_cast<int>(x), 3);
  EXPECT_TRUE(x);
  half2 sums = make_half2(0, 0);
  atomicAdd(&sums, pair);
  EXPECT_TRUE(sums == pair);
  EXPECT_EQ(__hadd(1, 2), 1);  // the integers' average
}

TEST(Bfloat16, NamesOfCuda) {
  const nv_bfloat16 one = __float2bfloat16(1.0f);
  const nv_bfloat162 pair = __floats2bfloat162_rn(1.0f, 2.0f);
  EXPECT_EQ(__bfloat162float(one) + __low2float(pair) + __high2float(pair), 4.0f);
  EXPECT_EQ(__bfloat1622float2(__hmul2(pair, __float2bfloat162_rn(3.0f))).y, 6.0f);
  EXPECT_EQ(__bfloat1622float2(__float22bfloat162_rn(make_float2(3, 4))).x, 3.0f);
  EXPECT_EQ(__bfloat1622float2(make_bfloat162(one, one)).y, 1.0f);
  EXPECT_EQ(__bfloat162float(__ushort_as_bfloat16(0x4000)), 2.0f);
  EXPECT_EQ(__bfloat16_as_ushort(one), 0x3f80);
  EXPECT_EQ(__bfloat162int_rn(__float2bfloat16_rn(-2.5f)), -2);
  EXPECT_EQ(__bfloat162float(__low2bfloat16(__bfloat162bfloat162(one))), 1.0f);
  EXPECT_EQ(__bfloat162float(__double2bfloat16(0.5)), 0.5f);
  EXPECT_TRUE(__hlt(one, __float2bfloat16(2.0f)));
  nv_bfloat162 sums = pair;
  atomicAdd(&sums, pair);
  EXPECT_TRUE(sums == __hadd2(pair, pair));
}

}  // namespace
