#pragma once
/// Special functions of CUDA's math library that the C library lacks, in double precision, for hosts and for GPUs without them.
///
/// Errors are a few units in the last place over the whole range of the argument; the tests compare with independent oracles.
#include "phpc/cuda/words.hpp"

PHPC_CUDA_BEGIN

namespace phpc::cuda::detail {

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kTwoOverSqrtPi = 1.12837916709551257390;
inline constexpr double kSqrtPi = 1.77245385090551602730;
inline constexpr double kSqrt2 = 1.41421356237309504880;
inline constexpr double kInfinity = __builtin_huge_val();

/// x less a multiple of 1/2: x = 2 m + quadrant / 2 + rest with |rest| <= 1/4, exactly.
struct HalfTurns {
  int quadrant;  ///< 0 ... 3
  double rest;
};

inline HalfTurns half_turns(double x) {
  const double turn = x - 2 * __builtin_rint(x / 2);  // exact; NaN for infinities
  const double halves = __builtin_rint(2 * turn);
  return {halves == halves ? static_cast<int>(halves) & 3 : 0, turn - halves / 2};
}

/// The sine of pi x; a zero has the sign of x.
inline double sin_of_pi(double x) {
  const HalfTurns h = half_turns(x);
  const double angle = kPi * h.rest;
  const double value = (h.quadrant & 1) != 0 ? ::cos(angle) : ::sin(angle);
  return value == 0 ? __builtin_copysign(0.0, x) : (h.quadrant & 2) != 0 ? -value : value;
}

/// The cosine of pi x; a zero is positive.
inline double cos_of_pi(double x) {
  const HalfTurns h = half_turns(x);
  const double angle = kPi * h.rest;
  const double value = (h.quadrant & 1) != 0 ? ::sin(angle) : ::cos(angle);
  return (h.quadrant == 1 || h.quadrant == 2 ? -value : value) + 0.0;
}

/// exp(x^2) erfc(x).
inline double scaled_erfc(double x) {
  if (x > 25) {  // the asymptotic series; its terms fall at least as fast as 15 / 1250 each up to the eighth
    const double inverse = 1 / x;
    const double step = inverse * inverse / 2;
    double sum = 1;
    for (int k = 8; k >= 1; --k) {
      sum = 1 - (2 * k - 1) * step * sum;
    }
    return inverse / kSqrtPi * sum;
  }
  const double square = x * x;
  const double rest = __builtin_fma(x, x, -square);
  if (square > 710) {
    return x != x ? x : kInfinity;
  }
  const double value = ::exp(square) * ::erfc(x);
  return value <= 1.7e308 ? value + value * rest : value;
}

/// The x for which erfc(x) = z, for 0 < z <= 1/2: Newton's method for the logarithm, which is near to a parabola.
inline double erfc_inverse_of_small(double z) {
  const double log_z = ::log(z);
  // S. Winitzki's approximation of the inverse error function (2008), good to 4 parts in a thousand.
  const double log_product = log_z + ::log(2 - z);
  const double mean = 2 / (kPi * 0.147) + log_product / 2;
  double x = ::sqrt(::sqrt(mean * mean - log_product / 0.147) - mean);
  for (int step = 0; step < 4; ++step) {
    const double scaled = scaled_erfc(x);
    x += (::log(scaled) - x * x - log_z) * scaled / kTwoOverSqrtPi;
  }
  return x;
}

/// The inverse of erfc on (0, 2); infinities at the ends, NaN outside.
inline double erfc_inverse(double z);

/// The inverse of erf on (-1, 1); infinities at the ends, NaN outside.
inline double erf_inverse(double y) {
  const double size = __builtin_fabs(y);
  if (size < 1e-9) {
    return y / kTwoOverSqrtPi;
  }
  if (size > 0.5) {
    return __builtin_copysign(erfc_inverse(1 - size), y);
  }
  if (!(size <= 0.5)) {
    return y;  // NaN
  }
  const double log_product = ::log1p(-y * y);
  const double mean = 2 / (kPi * 0.147) + log_product / 2;
  double x = ::sqrt(::sqrt(mean * mean - log_product / 0.147) - mean);
  for (int step = 0; step < 3; ++step) {
    x -= (::erf(x) - size) / (kTwoOverSqrtPi * ::exp(-x * x));
  }
  return __builtin_copysign(x, y);
}

inline double erfc_inverse(double z) {
  if (!(z > 0 && z < 2)) {
    return z == 0 ? kInfinity : z == 2 ? -kInfinity : __builtin_nan("");
  }
  if (z < 0.5) {
    return erfc_inverse_of_small(z);
  }
  return z > 1.5 ? -erfc_inverse_of_small(2 - z) : erf_inverse(1 - z);
}

/// The standard normal distribution function: erfc(-x / sqrt 2) / 2, corrected for the rounding of the quotient.
inline double normal_cdf(double x) {
  if (!(x > -39)) {
    return x != x ? x : 0;
  }
  constexpr double kHigh = 0.70710678118654752440;  // 1 / sqrt 2 ...
  constexpr double kLow = -4.8336466567264567e-17;  // ... and what its rounding lost
  const double t = -x * kHigh;
  const double rest = __builtin_fma(-x, kHigh, -t) - x * kLow;
  return 0.5 * (::erfc(t) - kTwoOverSqrtPi * ::exp(-t * t) * rest);
}

/// The inverse of the standard normal distribution function on (0, 1).
inline double normal_cdf_inverse(double p) {
  return -kSqrt2 * erfc_inverse(2 * p);
}

/// The modified Bessel function of the first kind of order 0 or 1, for x >= 0.
inline double bessel_i(int order, double x) {
  if (x <= 30) {  // the power series, whose terms are positive; each number carries what its rounding lost
    const double square = x * x / 4;
    const double square_rest = __builtin_fma(x, x, -x * x) / 4;
    double term = order == 0 ? 1 : x / 2;
    double term_rest = 0;
    double sum = term;
    double sum_rest = 0;
    for (int k = 1; term > sum * 1e-17; ++k) {
      const double divisor = static_cast<double>(k) * (k + order);
      const double product = term * square;
      const double lost = __builtin_fma(term, square, -product) + term * square_rest + term_rest * square;
      term = product / divisor;
      term_rest = (__builtin_fma(-term, divisor, product) + lost) / divisor;
      const double before = sum;
      sum += term;
      const double added = sum - before;
      sum_rest += term_rest + ((before - (sum - added)) + (term - added));
    }
    return sum + sum_rest;
  }
  if (!(x < 720)) {
    return x != x ? x : kInfinity;
  }
  double sum = 1;
  double term = 1;
  for (int k = 1; k <= 40 && __builtin_fabs(term) > 1e-17; ++k) {
    term *= ((2.0 * k - 1) * (2.0 * k - 1) - 4.0 * order) / (8 * x * k);
    sum += term;
  }
  const double root = ::exp(x / 2);  // its square may overflow where the result does not
  return root / ::sqrt(2 * kPi * x) * sum * root;
}

/// The Euclidean length of a vector of `size` doubles, without overflow of the squares; infinite if any member is.
inline double length(int size, const double* v) {
  double greatest = 0;
  double total = 0;
  for (int i = 0; i < size; ++i) {
    const double member = __builtin_fabs(v[i]);
    greatest = member > greatest ? member : greatest;
    total += member;
  }
  if (greatest == kInfinity || greatest == 0) {
    return greatest == 0 ? total : greatest;  // total: 0 or NaN
  }
  const int exponent = ::ilogb(greatest);
  double sum = 0;
  for (int i = 0; i < size; ++i) {
    const double scaled = ::scalbn(v[i], -exponent);
    sum += scaled * scaled;
  }
  return ::scalbn(::sqrt(sum), exponent);
}

/// The same of floats, whose squares are no danger in double precision; not rounded to float.
inline double length(int size, const float* v) {
  double sum = 0;
  bool infinite = false;
  for (int i = 0; i < size; ++i) {
    sum += static_cast<double>(v[i]) * static_cast<double>(v[i]);
    infinite = infinite || __builtin_fabsf(v[i]) == __builtin_huge_valf();
  }
  return infinite ? kInfinity : ::sqrt(sum);
}

}  // namespace phpc::cuda::detail

PHPC_CUDA_END
