#pragma once
/// Arithmetic and conversions with a chosen rounding, exact, without touching the thread's rounding mode: for CUDA's intrinsics
/// such as __fadd_ru on hosts and on GPUs without them.
///
/// Each operation takes the result rounded to nearest, finds the sign of its error without error, and steps to the neighbour
/// where the chosen direction asks for it.
#include "phpc/cuda/words.hpp"

PHPC_CUDA_BEGIN

namespace phpc::cuda::detail {

/// CUDA's rounding modes, by its letters.
enum class Round {
  rn,  ///< to nearest, ties to even
  rz,  ///< towards zero
  ru,  ///< up
  rd,  ///< down
};

/// The value itself; keeps compilers from contracting the operation that gave it with the one that takes it into one fma.
template <class T>
PHPC_CUDA_FN T apart(T value) {
#if defined(__GNUC__) && !defined(__clang__)
  return __builtin_assoc_barrier(value);
#else
  return value;  // clang contracts within one expression only, and never over a function's border
#endif
}

PHPC_CUDA_FN float next_above(float x) {
  return ::nextafterf(x, __builtin_huge_valf());
}
PHPC_CUDA_FN double next_above(double x) {
  return ::nextafter(x, __builtin_huge_val());
}

/// The neighbour of `nearest` in the direction of `mode`, if the exact value lies on that side: `error` has the sign of the exact
/// value less `nearest`. Keeps the sign of zero.
template <class T>
inline T step(T nearest, double error, Round mode) {
  if (mode == Round::rz) {
    const bool negative = nearest == 0 ? error < 0 : nearest < 0;
    mode = negative ? Round::ru : Round::rd;
  }
  if (mode == Round::ru && error > 0) {
    return nearest == 0 && error > 0 ? next_above(T{0}) : next_above(nearest);
  }
  if (mode == Round::rd && error < 0) {
    return -next_above(-nearest);
  }
  return nearest;
}

/// Rounds high + low to float, where low is the error of high as a rounded value or has that error's sign.
inline float round_to_float(double high, double low, Round mode) {
  const float nearest = static_cast<float>(high);
  if (mode == Round::rn || high != high || __builtin_isinf(high)) {
    return nearest;
  }
  const double difference = high - static_cast<double>(nearest);
  return step(nearest, difference != 0 ? difference : low, mode);
}

/// What the rounded sum a + b lost, for finite numbers whose sum is finite.
PHPC_CUDA_FN double lost_in_sum(double a, double b, double sum) {
  const double great = __builtin_fabs(a) >= __builtin_fabs(b) ? a : b;
  const double small = __builtin_fabs(a) >= __builtin_fabs(b) ? b : a;
  return small - (sum - great);
}

/// x scaled to a size in [1/2, 1) or 0, and the exponent taken away.
PHPC_CUDA_FN double fraction(double x, int& exponent) {
  exponent = 0;
  return x == 0 ? x : ::frexp(x, &exponent);
}

/// The sign of a b + c - r, exactly, for finite numbers; r must be near to a b + c.
inline double sign_of_error(double a, double b, double c, double r) {
  int ea;
  int eb;
  int ec;
  const double fa = fraction(a, ea);
  const double fb = fraction(b, eb);
  const double fc = fraction(c, ec);
  const int scale = fa * fb == 0 ? ec : fc == 0 || ea + eb > ec ? ea + eb : ec;  // the greater addend's exponent
  // An addend far below the other counts by its sign alone.
  const auto scaled = [scale](double value, int exponent) {
    return ::ldexp(value, exponent < scale - 900 ? -900 : exponent - scale);
  };
  const double product = scaled(fa * fb, ea + eb);
  const double rest = scaled(__builtin_fma(fa, fb, -(fa * fb)), ea + eb);
  const double addends[2] = {scaled(fc, ec), -::ldexp(r, -scale)};
  // An expansion: numbers that do not overlap, the least first, whose exact sum is that of all the addends (J. R. Shewchuk,
  // 1997).
  double parts[4] = {rest, product, 0, 0};
  for (int count = 2; count < 4; ++count) {
    double carried = addends[count - 2];
    for (int i = 0; i < count; ++i) {
      const double sum = carried + parts[i];
      parts[i] = lost_in_sum(carried, parts[i], sum);
      carried = sum;
    }
    parts[count] = carried;
  }
  for (int i = 3; i > 0; --i) {
    if (parts[i] != 0) {
      return parts[i];
    }
  }
  return parts[0];
}

/// Steps from a rounded double in the direction of `mode`; `error()` gives the sign of the exact value less `nearest`, and is not
/// asked for infinities and NaN of infinities and NaN.
template <class Error>
inline double directed(double nearest, bool finite, Round mode, Error error) {
  if (mode == Round::rn || nearest != nearest || !finite) {
    return nearest;
  }
  if (__builtin_isinf(nearest)) {  // an overflow
    return step(nearest, -nearest, mode);
  }
  return step(nearest, error(), mode);
}

PHPC_CUDA_FN bool finite(double x) {
  return __builtin_fabs(x) < __builtin_huge_val();
}

inline double fma(double a, double b, double c, Round mode) {
  const double nearest = __builtin_fma(a, b, c);
  if (mode == Round::rd && nearest == 0) {
    if (a != 0 && b != 0 && c != 0) {
      const double error = sign_of_error(a, b, c, 0);
      return error == 0 ? -0.0 : step(nearest, error, mode);
    }
    if (a == 0 || b == 0) {  // zeros of unlike signs
      return __builtin_signbit(a) != __builtin_signbit(b) || __builtin_signbit(c) ? -0.0 : 0.0;
    }
  }
  return directed(nearest, finite(a) && finite(b) && finite(c), mode, [&] { return sign_of_error(a, b, c, nearest); });
}

inline double add(double a, double b, Round mode) {
  const double nearest = apart(apart(a) + apart(b));
  if (mode == Round::rd && nearest == 0 && !(a == 0 && b == 0 && __builtin_signbit(a) == __builtin_signbit(b))) {
    return -0.0;
  }
  return directed(nearest, finite(a) && finite(b), mode, [&] { return lost_in_sum(a, b, nearest); });
}

inline double multiply(double a, double b, Round mode) {
  const double nearest = apart(a * b);
  return directed(nearest, finite(a) && finite(b), mode, [&] { return sign_of_error(a, b, 0, nearest); });
}

inline double divide(double a, double b, Round mode) {
  const double nearest = a / b;
  return directed(nearest, finite(a) && finite(b) && b != 0, mode, [&] {
    const double rest = sign_of_error(-nearest, b, a, 0);
    return b > 0 ? rest : -rest;
  });
}

inline double square_root(double x, Round mode) {
  const double nearest = ::sqrt(x);
  return directed(nearest, finite(x), mode, [&] { return sign_of_error(-nearest, nearest, x, 0); });
}

// For floats double precision holds products exactly, and sums with what they lost.

inline float add(float a, float b, Round mode) {
  if (mode == Round::rn) {
    return apart(apart(a) + apart(b));
  }
  const double x = static_cast<double>(a);
  const double y = static_cast<double>(b);
  const double sum = x + y;
  if (mode == Round::rd && sum == 0 && !(a == 0 && b == 0 && __builtin_signbit(a) == __builtin_signbit(b))) {
    return -0.0f;
  }
  return round_to_float(sum, lost_in_sum(x, y, sum), mode);
}

inline float multiply(float a, float b, Round mode) {
  return mode == Round::rn ? apart(a * b) : round_to_float(static_cast<double>(a) * static_cast<double>(b), 0, mode);
}

inline float fma(float a, float b, float c, Round mode) {
  if (mode == Round::rn) {
    return __builtin_fmaf(a, b, c);
  }
  const double product = apart(static_cast<double>(a) * static_cast<double>(b));
  const double addend = static_cast<double>(c);
  const double sum = product + addend;
  if (mode == Round::rd && sum == 0 && !(product == 0 && c == 0 && __builtin_signbit(product) == __builtin_signbit(c))) {
    return -0.0f;
  }
  return round_to_float(sum, lost_in_sum(product, addend, sum), mode);
}

inline float divide(float a, float b, Round mode) {
  if (mode == Round::rn) {
    return a / b;
  }
  const double divisor = static_cast<double>(b);
  const double quotient = static_cast<double>(a) / divisor;
  const double rest = __builtin_fma(-quotient, divisor, static_cast<double>(a));
  return round_to_float(quotient, divisor > 0 ? rest : -rest, mode);
}

inline float square_root(float x, Round mode) {
  if (mode == Round::rn) {
    return ::sqrtf(x);
  }
  const double root = ::sqrt(static_cast<double>(x));
  return round_to_float(root, __builtin_fma(-root, root, static_cast<double>(x)), mode);
}

/// 1 / sqrt(x), correctly rounded: the square of the point midway to the neighbour tells on which side of it the value is.
inline float reciprocal_root(float x) {
  const double value = 1 / ::sqrt(static_cast<double>(x));
  const float nearest = static_cast<float>(value);
  if (!(x > 0) || !(value > 0 && value < 1e30)) {
    return nearest;
  }
  const double here = static_cast<double>(nearest);
  const float other = value > here ? next_above(nearest) : -next_above(-nearest);
  const double middle = (here + static_cast<double>(other)) / 2;
  const bool above = __builtin_fma(middle * middle, static_cast<double>(x), -1.0) < 0;  // the value lies above the middle
  return above == (other > nearest) ? other : nearest;
}

/// x rounded to an integer, still as a floating-point number.
template <class T>
PHPC_CUDA_FN T to_integral(T x, Round mode) {
  if constexpr (sizeof(T) == 4) {
    return mode == Round::rn ? ::rintf(x) : mode == Round::rz ? ::truncf(x) : mode == Round::ru ? ::ceilf(x) : ::floorf(x);
  } else {
    return mode == Round::rn ? ::rint(x) : mode == Round::rz ? ::trunc(x) : mode == Round::ru ? ::ceil(x) : ::floor(x);
  }
}

/// x as an integer: out of range the nearest integer of the type. NaN gives 0 from float to 32 bits, else the highest bit alone,
/// as the cvt instruction of PTX does.
template <class Integer, class T>
inline Integer to_integer(T x, Round mode) {
  constexpr Integer kLeast = std::numeric_limits<Integer>::min();
  constexpr Integer kGreatest = std::numeric_limits<Integer>::max();
  constexpr T kEnd = static_cast<T>(Integer{1} + (kGreatest >> 1)) * 2;  // kGreatest + 1, a power of two
  const T integral = to_integral(x, mode);
  if (integral != integral) {
    return sizeof(T) == 4 && sizeof(Integer) == 4
               ? Integer{0}
               : static_cast<Integer>(std::make_unsigned_t<Integer>{1} << (8 * sizeof(Integer) - 1));
  }
  return integral >= kEnd ? kGreatest : integral <= static_cast<T>(kLeast) ? kLeast : static_cast<Integer>(integral);
}

/// An integer as a floating-point number.
template <class T, class Integer>
inline T from_integer(Integer value, Round mode) {
  const T nearest = static_cast<T>(value);
  if (mode == Round::rn) {
    return nearest;
  }
  constexpr T kEnd = static_cast<T>(Integer{1} + (std::numeric_limits<Integer>::max() >> 1)) * 2;
  const Integer back = nearest >= kEnd ? Integer{0} : static_cast<Integer>(nearest);
  return step(nearest, nearest >= kEnd || value < back ? -1.0 : value > back ? 1.0 : 0.0, mode);
}

}  // namespace phpc::cuda::detail

PHPC_CUDA_END
