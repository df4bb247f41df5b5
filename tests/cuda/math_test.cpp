#include "phpc/cuda/math.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <type_traits>

using namespace std;  // as users do; no call below may be ambiguous

namespace {

constexpr unsigned kSeed = 20261123;
constexpr int kSamples = 4000;

/// The distance of `got` from `wanted` in units of the last place of T at `wanted`.
template <class T>
double ulps(T got, long double wanted) {
  const T rounded = static_cast<T>(wanted);
  if (got == rounded || (got != got && wanted != wanted)) {
    return 0;
  }
  if (!std::isfinite(rounded) || !std::isfinite(got)) {
    return 1e30;
  }
  const T size = std::max(std::abs(rounded), std::numeric_limits<T>::min());
  const long double unit = std::ldexp(static_cast<long double>(std::numeric_limits<T>::epsilon()), std::ilogb(size));
  return static_cast<double>(std::abs(static_cast<long double>(got) - wanted) / unit);
}

/// Compares function and oracle at random arguments between low and high.
template <class T, class Function, class Oracle>
void expect_close(Function function, Oracle oracle, double low, double high, double limit) {
  std::mt19937_64 random(kSeed);
  std::uniform_real_distribution<double> arguments(low, high);
  for (int sample = 0; sample < kSamples; ++sample) {
    const T x = static_cast<T>(arguments(random));
    const T got = function(x);
    const long double wanted = oracle(static_cast<long double>(x));
    ASSERT_LE(ulps(got, wanted), limit) << "seed " << kSeed << ", x = " << std::hexfloat << x << ", got " << got;
  }
}

const long double kPiL = 3.14159265358979323846264338327950288L;

/// The x between low and high at which a monotonic function crosses y, by bisection.
template <class Function>
long double bisect(Function function, long double y, long double low, long double high) {
  const bool rising = function(low) < function(high);
  for (int step = 0; step < 200; ++step) {
    const long double middle = (low + high) / 2;
    ((function(middle) < y) == rising ? low : high) = middle;
  }
  return (low + high) / 2;
}

long double erf_inverse(long double y) {
  return bisect([](long double x) { return std::erf(x); }, y, -8, 8);
}
long double erfc_inverse(long double z) {
  return bisect([](long double x) { return std::erfc(x); }, z, -8, 40);
}

/// Simpson's rule for an integrand of [0, 1] that is smooth.
template <class Integrand>
long double integral(Integrand integrand, int steps) {
  long double sum = 0;
  for (int i = 0; i <= steps; ++i) {
    sum += integrand(static_cast<long double>(i) / steps) * (i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2);
  }
  return sum / (3 * steps);
}

/// exp(x^2) erfc(x) where the two factors stand in long double, whose range is wide enough for all doubles of interest.
long double scaled_erfc(long double x) {
  return std::exp(x * x) * std::erfc(x);
}

/// I_n(x) = the mean of exp(x cos t) cos(n t) over a half turn; the trapezoid rule converges at once.
long double bessel_i(int order, long double x) {
  const int steps = 400;
  long double sum = 0;
  for (int i = 0; i < steps; ++i) {
    const long double t = kPiL * (i + 0.5L) / steps;
    sum += std::exp(x * std::cos(t)) * std::cos(order * t);
  }
  return sum / steps;
}

TEST(Math, MinAndMaxHaveTheTypesOfCuda) {
  static_assert(is_same_v<decltype(min(1, 2)), int> && is_same_v<decltype(min(1, 2u)), unsigned>);
  static_assert(is_same_v<decltype(max(1l, 2ul)), unsigned long> && is_same_v<decltype(max(1ll, 2ull)), unsigned long long>);
  static_assert(is_same_v<decltype(max(1.0f, 2.0)), double> && is_same_v<decltype(max(1.0f, 2.0f)), float>);
  EXPECT_EQ(min(-1, 2), -1);
  EXPECT_EQ(min(-1, 2u), 2u);
  EXPECT_EQ(max(-1, 2u), ~0u);
  EXPECT_EQ(max(size_t{3}, 4l), 4u);
  const short a = 3;
  EXPECT_EQ(max(a, 'a'), 97);
  EXPECT_EQ(std::min<long>(a, 2l), 2);
  EXPECT_EQ(min(NAN, 2.0f), 2.0f);
  EXPECT_EQ(max(2.0, static_cast<double>(NAN)), 2.0);
  EXPECT_TRUE(std::isnan(max(NAN, NAN)));
  EXPECT_EQ(umin(1u, 2u) + umax(1u, 2u), 3u);
  EXPECT_EQ(llmin(-1, 2), -1);
  EXPECT_EQ(ullmax(1, ~0ull), ~0ull);
  EXPECT_EQ(abs(-2) + abs(-2l) + abs(-2ll), 6);
  EXPECT_EQ(abs(-2.5f) + abs(-2.5), 5);
}

TEST(Math, Roots) {
  expect_close<double>([](double x) { return rsqrt(x); }, [](long double x) { return 1 / std::sqrt(x); }, 1e-5, 1e5, 1.5);
  expect_close<float>([](float x) { return rsqrt(x); }, [](long double x) { return 1 / std::sqrt(x); }, 1e-5, 1e5, 2);
  expect_close<double>([](double x) { return rcbrt(x); }, [](long double x) { return 1 / std::cbrt(x); }, -1e5, 1e5, 4);
  expect_close<float>([](float x) { return rcbrtf(x); }, [](long double x) { return 1 / std::cbrt(x); }, -1e5, 1e5, 0.51);
  EXPECT_EQ(rsqrtf(0.0f), INFINITY);
  EXPECT_TRUE(std::isnan(rsqrt(-1.0)));
}

TEST(Math, HalfTurns) {
  const auto sine = [](long double x) { return std::sin(kPiL * (x - 2 * std::rint(x / 2))); };
  const auto cosine = [](long double x) { return std::sin(kPiL * (0.5L - std::abs(x - 2 * std::rint(x / 2)))); };
  expect_close<double>([](double x) { return sinpi(x); }, sine, -0.999, 0.999, 2);
  expect_close<float>([](float x) { return sinpi(x); }, sine, -0.999, 0.999, 0.51);
  expect_close<double>([](double x) { return cospi(x); }, cosine, -3, 3, 2);
  expect_close<float>([](float x) { return cospif(x); }, cosine, -300, 300, 0.51);
  for (int n = -40; n <= 40; ++n) {
    EXPECT_EQ(sinpi(n * 1.0), 0.0);
    EXPECT_EQ(std::signbit(sinpi(n * 1.0)), n < 0);
    EXPECT_EQ(cospi(n * 1.0), n % 2 == 0 ? 1.0 : -1.0);
    EXPECT_FALSE(std::signbit(cospi(n + 0.5)));
    EXPECT_EQ(cospi(n + 0.5), 0.0);
    EXPECT_EQ(sinpi(n + 0.5), n % 2 == 0 ? 1.0 : -1.0);
    double s;
    double c;
    sincospi(n + 0.25, &s, &c);
    EXPECT_TRUE(s == sinpi(n + 0.25) && c == cospi(n + 0.25));
  }
  EXPECT_EQ(sinpi(1e300), 0);
  EXPECT_EQ(cospi(1e300), 1);
  EXPECT_TRUE(std::isnan(sinpi(static_cast<double>(INFINITY))) && std::isnan(cospif(NAN)));
  float s;
  float c;
  sincos(1.0f, &s, &c);
  EXPECT_NEAR(s * s + c * c, 1, 1e-6);
  sincospif(0.25f, &s, &c);
  EXPECT_EQ(s, c);
}

TEST(Math, ErrorFunctions) {
  expect_close<double>([](double x) { return erfcx(x); }, scaled_erfc, -26, 0, 4);
  expect_close<double>([](double x) { return erfcx(x); }, scaled_erfc, 0, 60, 5);
  expect_close<float>([](float x) { return erfcx(x); }, scaled_erfc, -9, 60, 0.51);
  EXPECT_DOUBLE_EQ(erfcx(1e200), 1e-200 / std::sqrt(static_cast<double>(kPiL)));
  EXPECT_EQ(erfcx(-30.0), static_cast<double>(INFINITY));
  EXPECT_TRUE(std::isnan(erfcx(static_cast<double>(NAN))));
  EXPECT_EQ(erfcx(static_cast<double>(INFINITY)), 0);

  expect_close<double>([](double x) { return erfinv(x); }, erf_inverse, -1, 1, 4);
  expect_close<double>([](double x) { return erfinv(x); }, erf_inverse, -1e-7, 1e-7, 4);
  expect_close<double>([](double x) { return erfinv(x); }, [](long double y) { return y < 1 ? erfc_inverse(1 - y) : HUGE_VALL; },
                       1 - 1e-13, 1, 4);
  expect_close<float>([](float x) { return erfinv(x); }, erf_inverse, -0.99999, 0.99999, 0.51);
  EXPECT_EQ(erfinv(1.0), static_cast<double>(INFINITY));
  EXPECT_EQ(erfinv(-1.0f), -INFINITY);
  EXPECT_TRUE(std::isnan(erfinv(1.5)) && std::isnan(erfinv(static_cast<double>(NAN))));

  expect_close<double>([](double x) { return erfcinv(x); }, erfc_inverse, 1e-9, 0.9, 4);
  expect_close<double>([](double x) { return erfcinv(x); }, erfc_inverse, 1.1, 1.9999, 4);
  expect_close<float>([](float x) { return erfcinvf(x); }, erfc_inverse, 1e-9, 0.9, 0.51);
  std::mt19937_64 random(kSeed);
  for (int sample = 0; sample < kSamples; ++sample) {
    const double z = std::ldexp(0.5 + std::ldexp(static_cast<double>(random() >> 11), -54), -static_cast<int>(random() % 1074));
    ASSERT_LE(ulps(erfcinv(z), erfc_inverse(z)), 4) << "seed " << kSeed << ", z = " << z;
  }
  EXPECT_EQ(erfcinv(0.0), static_cast<double>(INFINITY));
  EXPECT_EQ(erfcinv(2.0), -static_cast<double>(INFINITY));
  EXPECT_TRUE(std::isnan(erfcinv(-1.0)) && std::isnan(erfcinv(static_cast<double>(NAN))));
}

TEST(Math, NormalDistribution) {
  const auto cdf = [](long double x) { return std::erfc(-x / std::sqrt(2.0L)) / 2; };
  const auto inverse = [](long double p) { return -std::sqrt(2.0L) * erfc_inverse(2 * p); };
  expect_close<double>([](double x) { return normcdf(x); }, cdf, -37.5, 10, 4);
  expect_close<float>([](float x) { return normcdf(x); }, cdf, -13, 10, 0.51);
  expect_close<double>([](double x) { return normcdfinv(x); }, inverse, 1e-10, 0.45, 5);
  expect_close<double>([](double x) { return normcdfinv(x); }, inverse, 0.55, 1, 5);
  expect_close<float>([](float x) { return normcdfinvf(x); }, inverse, 1e-10, 0.45, 0.51);
  EXPECT_EQ(normcdf(-50.0), 0);
  EXPECT_EQ(normcdf(50.0), 1);
  EXPECT_EQ(normcdfinv(0.5), 0);
  EXPECT_EQ(normcdfinv(0.0), -static_cast<double>(INFINITY));
  EXPECT_EQ(normcdfinv(1.0), static_cast<double>(INFINITY));
}

TEST(Math, BesselFunctions) {
  const auto i0 = [](long double x) { return bessel_i(0, x); };
  const auto i1 = [](long double x) { return bessel_i(1, x); };
  expect_close<double>([](double x) { return cyl_bessel_i0(x); }, i0, -40, 40, 8);
  expect_close<double>([](double x) { return cyl_bessel_i0(x); }, i0, 40, 713, 8);
  expect_close<double>([](double x) { return cyl_bessel_i1(x); }, i1, 1, 40, 8);
  expect_close<double>([](double x) { return cyl_bessel_i1(x); }, i1, -713, -40, 8);
  expect_close<float>([](float x) { return cyl_bessel_i0(x); }, i0, -80, 80, 0.51);
  EXPECT_EQ(cyl_bessel_i1(1e-300), 5e-301);
  EXPECT_EQ(cyl_bessel_i1f(0.0f), 0);
  EXPECT_EQ(cyl_bessel_i0(1000.0), static_cast<double>(INFINITY));
  EXPECT_EQ(j0(0.5f), j0f(0.5f));
  EXPECT_EQ(yn(2, 0.5f), ynf(2, 0.5f));
}

TEST(Math, Lengths) {
  std::mt19937_64 random(kSeed);
  std::uniform_real_distribution<double> members(-1, 1);
  for (int sample = 0; sample < kSamples; ++sample) {
    const double scale = std::ldexp(1.0, static_cast<int>(random() % 2000) - 1000);
    const double v[4] = {scale * members(random), scale * members(random), scale * members(random), scale * members(random)};
    const long double sum3 =
        static_cast<long double>(v[0]) * v[0] + static_cast<long double>(v[1]) * v[1] + static_cast<long double>(v[2]) * v[2];
    const long double sum4 = sum3 + static_cast<long double>(v[3]) * v[3];
    ASSERT_LE(ulps(norm3d(v[0], v[1], v[2]), std::sqrt(sum3)), 2) << "seed " << kSeed;
    ASSERT_LE(ulps(norm4d(v[0], v[1], v[2], v[3]), std::sqrt(sum4)), 2) << "seed " << kSeed;
    ASSERT_LE(ulps(rnorm4d(v[0], v[1], v[2], v[3]), 1 / std::sqrt(sum4)), 3) << "seed " << kSeed;
    ASSERT_EQ(norm(4, v), norm4d(v[0], v[1], v[2], v[3]));
  }
  EXPECT_EQ(norm3df(1e30f, 0, 0), 1e30f);
  EXPECT_EQ(norm4df(1, 1, 1, 1), 2);
  EXPECT_EQ(rnorm3df(0, 0, 0.25f), 4);
  EXPECT_EQ(norm3d(INFINITY, NAN, 0), static_cast<double>(INFINITY));
  EXPECT_TRUE(std::isnan(norm3d(1, NAN, 0)) && std::isnan(norm3df(0, NAN, 0)));
  EXPECT_EQ(norm3d(0, 0, 0), 0);
  EXPECT_EQ(rhypot(3, 4), 0.2);
  EXPECT_EQ(rhypotf(3, 4), 0.2f);
  EXPECT_EQ(fdividef(1, 4) + fdivide(1.0, 4.0), 0.5);
  EXPECT_FLOAT_EQ(exp10(2.0f), 100);
}

}  // namespace
