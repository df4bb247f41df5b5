#include "phpc/cuda/rounding.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>

#include "phpc/cuda/intrinsics.hpp"

namespace {

constexpr unsigned kSeed = 20261124;
constexpr int kSamples = 300000;

/// Sets the thread's rounding mode for the oracle's one operation.
class Rounding {
 public:
  explicit Rounding(int mode) { std::fesetround(mode); }
  ~Rounding() { std::fesetround(FE_TONEAREST); }
};

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
BitsOf<T> bits(T x) {
  return x != x ? BitsOf<T>{1} : __builtin_bit_cast(BitsOf<T>, x);  // all NaN are alike
}

/// A number of any size: often any bits, often near to another one, sometimes special.
template <class T>
T number(std::mt19937_64& random, T near) {
  constexpr T kSpecial[] = {T{0},
                            -T{0},
                            T{1},
                            T{-1},
                            std::numeric_limits<T>::infinity(),
                            std::numeric_limits<T>::quiet_NaN(),
                            std::numeric_limits<T>::max(),
                            -std::numeric_limits<T>::max(),
                            std::numeric_limits<T>::min(),
                            std::numeric_limits<T>::denorm_min(),
                            -std::numeric_limits<T>::denorm_min(),
                            T{1} + std::numeric_limits<T>::epsilon()};
  const auto choice = random() % 16;
  if (choice == 0) {
    return kSpecial[random() % std::size(kSpecial)];
  }
  if (choice < 4) {
    return -near;
  }
  if (choice < 10) {  // of about the same size
    const T fraction = std::ldexp(static_cast<T>(static_cast<std::int64_t>(random())), -63);
    return std::isfinite(near) && near != 0 ? std::ldexp(near, static_cast<int>(random() % 120) - 60) * fraction : fraction;
  }
  return __builtin_bit_cast(T, static_cast<BitsOf<T>>(random()));
}

#define PHPC_EXPECT_AS(FUNCTION, MODE, ...)                                                                                 \
  do {                                                                                                                      \
    T wanted_;                                                                                                              \
    {                                                                                                                       \
      const Rounding rounding(MODE);                                                                                        \
      volatile T result_ = __VA_ARGS__;                                                                                     \
      wanted_ = result_;                                                                                                    \
    }                                                                                                                       \
    const T got_ = FUNCTION;                                                                                                \
    ASSERT_EQ(bits(got_), bits(wanted_)) << #FUNCTION << std::hexfloat << " of " << a << ", " << b << ", " << c << ": got " \
                                         << got_ << ", not " << wanted_ << ", seed " << kSeed;                              \
  } while (false)

#define PHPC_EXPECT_MODES(TYPE, P, FMA)        \
  PHPC_EXPECT_MODE(P, FMA, rn, FE_TONEAREST);  \
  PHPC_EXPECT_MODE(P, FMA, rz, FE_TOWARDZERO); \
  PHPC_EXPECT_MODE(P, FMA, ru, FE_UPWARD);     \
  PHPC_EXPECT_MODE(P, FMA, rd, FE_DOWNWARD)

#define PHPC_EXPECT_MODE(P, FMA, NAME, MODE)                     \
  PHPC_EXPECT_AS(__##P##add_##NAME(a, b), MODE, va + vb);        \
  PHPC_EXPECT_AS(__##P##sub_##NAME(a, b), MODE, va - vb);        \
  PHPC_EXPECT_AS(__##P##mul_##NAME(a, b), MODE, va* vb);         \
  PHPC_EXPECT_AS(__##P##div_##NAME(a, b), MODE, va / vb);        \
  PHPC_EXPECT_AS(__##P##rcp_##NAME(a), MODE, 1 / va);            \
  PHPC_EXPECT_AS(__##P##sqrt_##NAME(a), MODE, std::sqrt(T{va})); \
  PHPC_EXPECT_AS(__##FMA##_##NAME(a, b, c), MODE, std::fma(T{va}, T{vb}, T{vc}))

TEST(Rounding, FloatArithmeticIsExactInEveryMode) {
  using T = float;
  std::mt19937_64 random(kSeed);
  for (int sample = 0; sample < kSamples; ++sample) {
    const T a = number<T>(random, T{1});
    const T b = number<T>(random, a);
    const T c = number<T>(random, sample % 2 == 0 ? a * b : b);
    volatile T va = a;
    volatile T vb = b;
    volatile T vc = c;
    PHPC_EXPECT_MODES(float, f, fmaf);
  }
}

TEST(Rounding, DoubleArithmeticIsExactInEveryMode) {
  using T = double;
  std::mt19937_64 random(kSeed);
  for (int sample = 0; sample < kSamples; ++sample) {
    const T a = number<T>(random, T{1});
    const T b = number<T>(random, a);
    const T c = number<T>(random, sample % 2 == 0 ? a * b : b);
    volatile T va = a;
    volatile T vb = b;
    volatile T vc = c;
    PHPC_EXPECT_MODES(double, d, fma);
  }
}

/// The oracle of a conversion to integers: the wide type holds every rounded value of interest.
template <class Integer, class T>
Integer wanted_integer(T x, int mode) {
  if (x != x) {
    return sizeof(T) == 4 && sizeof(Integer) == 4
               ? Integer{0}
               : static_cast<Integer>(std::make_unsigned_t<Integer>{1} << (8 * sizeof(Integer) - 1));
  }
  const Rounding rounding(mode);
  volatile long double wide = x;
  const long double integral = std::rint(static_cast<long double>(wide));
  const long double least = std::numeric_limits<Integer>::min();
  const long double greatest = std::numeric_limits<Integer>::max();
  return integral <= least      ? std::numeric_limits<Integer>::min()
         : integral >= greatest ? std::numeric_limits<Integer>::max()
                                : static_cast<Integer>(integral);
}

template <class T, class Integer>
T wanted_float(Integer x, int mode) {
  const Rounding rounding(mode);
  volatile long double wide = x;  // exact
  volatile T result = static_cast<T>(wide);
  return result;
}

#define PHPC_EXPECT_CONVERSIONS(NAME, MODE)                                                                               \
  ASSERT_EQ(__float2int_##NAME(f), (wanted_integer<int>(f, MODE))) << f << ", seed " << kSeed;                            \
  ASSERT_EQ(__float2uint_##NAME(f), (wanted_integer<unsigned int>(f, MODE))) << f << ", seed " << kSeed;                  \
  ASSERT_EQ(__float2ll_##NAME(f), (wanted_integer<long long>(f, MODE))) << f << ", seed " << kSeed;                       \
  ASSERT_EQ(__float2ull_##NAME(f), (wanted_integer<unsigned long long>(f, MODE))) << f << ", seed " << kSeed;             \
  ASSERT_EQ(__double2int_##NAME(d), (wanted_integer<int>(d, MODE))) << d << ", seed " << kSeed;                           \
  ASSERT_EQ(__double2uint_##NAME(d), (wanted_integer<unsigned int>(d, MODE))) << d << ", seed " << kSeed;                 \
  ASSERT_EQ(__double2ll_##NAME(d), (wanted_integer<long long>(d, MODE))) << d << ", seed " << kSeed;                      \
  ASSERT_EQ(__double2ull_##NAME(d), (wanted_integer<unsigned long long>(d, MODE))) << d << ", seed " << kSeed;            \
  ASSERT_EQ(__int2float_##NAME(static_cast<int>(u)), (wanted_float<float>(static_cast<int>(u), MODE))) << u;              \
  ASSERT_EQ(__uint2float_##NAME(static_cast<unsigned>(u)), (wanted_float<float>(static_cast<unsigned>(u), MODE))) << u;   \
  ASSERT_EQ(__ll2float_##NAME(static_cast<long long>(u)), (wanted_float<float>(static_cast<long long>(u), MODE))) << u;   \
  ASSERT_EQ(__ull2float_##NAME(u), (wanted_float<float>(u, MODE))) << u;                                                  \
  ASSERT_EQ(__ll2double_##NAME(static_cast<long long>(u)), (wanted_float<double>(static_cast<long long>(u), MODE))) << u; \
  ASSERT_EQ(__ull2double_##NAME(u), (wanted_float<double>(u, MODE))) << u;                                                \
  ASSERT_EQ(bits(__double2float_##NAME(d)), bits(wanted_float<float>(d, MODE))) << std::hexfloat << d << ", seed " << kSeed

TEST(Rounding, ConversionsSaturateAndRoundInEveryMode) {
  std::mt19937_64 random(kSeed);
  for (int sample = 0; sample < kSamples; ++sample) {
    const float f =
        sample % 4 == 0 ? number<float>(random, 1) : std::ldexp(number<float>(random, 1.5f), static_cast<int>(random() % 70));
    const double d =
        sample % 4 == 0 ? number<double>(random, 1) : std::ldexp(number<double>(random, 1.5), static_cast<int>(random() % 70));
    const unsigned long long u = sample < 64 ? (1ull << sample) - 1 : random() >> (random() % 64);
    PHPC_EXPECT_CONVERSIONS(rn, FE_TONEAREST);
    PHPC_EXPECT_CONVERSIONS(rz, FE_TOWARDZERO);
    PHPC_EXPECT_CONVERSIONS(ru, FE_UPWARD);
    PHPC_EXPECT_CONVERSIONS(rd, FE_DOWNWARD);
  }
  EXPECT_EQ(__float2int_rn(NAN), 0);
  EXPECT_EQ(__float2int_rn(2.5f), 2);
  EXPECT_EQ(__float2uint_rz(-1.0f), 0u);
  EXPECT_EQ(__int2double_rn(-7) + __uint2double_rn(~0u), 4294967288.0);
}

TEST(Rounding, ReciprocalRootIsCorrectlyRounded) {
  std::mt19937_64 random(kSeed);
  for (int sample = 0; sample < kSamples; ++sample) {
    const float x = std::abs(number<float>(random, 1));
    const float wanted = static_cast<float>(1 / std::sqrt(static_cast<long double>(x)));
    ASSERT_EQ(bits(__frsqrt_rn(x)), bits(wanted)) << std::hexfloat << x << ", seed " << kSeed;
  }
}

TEST(Rounding, NothingIsContracted) {
  volatile float va = 1.0f + 0x1p-12f;
  const float a = va;
  const float square = __fmul_rn(a, a);
  EXPECT_EQ(__fadd_rn(square, -square), 0.0f);
  EXPECT_EQ(__fsub_rn(__fmul_rn(a, a), square), 0.0f);
  volatile float rest = __fadd_rn(__fmul_rn(a, a), -(1.0f + 0x1p-11f));
  EXPECT_EQ(rest, 0.0f);
  volatile double vd = 1.0 + 0x1p-30;
  const double d = vd;
  EXPECT_EQ(__dadd_rn(__dmul_rn(d, d), -(1.0 + 0x1p-29)), 0.0);
}

}  // namespace
