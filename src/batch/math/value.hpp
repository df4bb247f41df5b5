#pragma once
#include <cstdint>
#include <limits>
#include <type_traits>

#include "phpc/core/types.hpp"
#include "phpc/exec/pack.hpp"

/// What one number of a system is: a scalar where a team works on one system, or a pack with a lane for each of several systems,
/// or a Complex of either. Methods are written once for all: conditions are masks, and a lane that is done keeps what it has
/// (select) while the others go on; norms, tolerances and scales are real (RealOf).
namespace phpc::batch {

using exec::lane_of;
using exec::pack_bytes;

/// One number of each of `lanes<Pack<T>>` systems; of complex numbers both parts so.
using exec::Pack;
/// As many doubles as a pack has floats: what goes with Pack<float> where both are computed in.
template <class T>
using WidePack = exec::Vector<T, 2 * exec::pack_lanes<T>>;

/// The types that go with a value: its scalar, what a comparison gives, a number of iterations, its bits as an integer.
template <class Value>
struct ValueTraits {
  using Scalar = Value;
  using Mask = bool;
  using Count = std::int32_t;
  static constexpr int lanes = 1;
};
template <>
struct ValueTraits<Pack<double>> {
  using Scalar = double;
  using Mask = decltype(Pack<double>{} < Pack<double>{});
  using Count = Mask;
  static constexpr int lanes = exec::pack_lanes<double>;
};
template <>
struct ValueTraits<WidePack<double>> {
  using Scalar = double;
  using Mask = decltype(WidePack<double>{} < WidePack<double>{});
  using Count = Mask;
  static constexpr int lanes = 2 * exec::pack_lanes<double>;
};
template <>
struct ValueTraits<Pack<float>> {
  using Scalar = float;
  using Mask = decltype(Pack<float>{} < Pack<float>{});
  using Count = Mask;
  static constexpr int lanes = exec::pack_lanes<float>;
};

/// Complex numbers have the masks and counts of their parts.
template <class Part>
struct ValueTraits<Complex<Part>> : ValueTraits<Part> {};

template <class Value>
inline constexpr bool is_complex = false;
template <class Part>
inline constexpr bool is_complex<Complex<Part>> = true;

/// Of one lane: float or double, whatever the value.
template <class Value>
using ScalarOf = typename ValueTraits<Value>::Scalar;
template <class Value>
using MaskOf = typename ValueTraits<Value>::Mask;
template <class Value>
using CountOf = typename ValueTraits<Value>::Count;
template <class Value>
inline constexpr int lanes = ValueTraits<Value>::lanes;

template <class Value>
[[nodiscard, gnu::always_inline]] inline Value broadcast(ScalarOf<Value> scalar) {
  if constexpr (is_complex<Value>) {
    return {broadcast<RealOf<Value>>(scalar), RealOf<Value>{}};
  } else {
    return Value{} + scalar;
  }
}

/// Every lane as the other type: values, masks or counts of as many lanes.
template <class To, class From>
[[nodiscard, gnu::always_inline]] inline To lanes_as(From from) {
  if constexpr (std::is_arithmetic_v<From>) {
    return static_cast<To>(from);
  } else {
    return __builtin_convertvector(from, To);
  }
}

/// a where the mask holds, else b.
template <class Mask, class Any>
[[nodiscard, gnu::always_inline]] inline Any select(Mask mask, Any a, Any b) {
  if constexpr (is_complex<Any>) {
    return {select(mask, a.re, b.re), select(mask, a.im, b.im)};
  } else {
    return mask ? a : b;
  }
}

[[nodiscard, gnu::always_inline]] inline bool any_lane(bool mask) {
  return mask;
}
template <class Mask>
[[nodiscard, gnu::always_inline]] inline bool any_lane(Mask mask) {
#if defined(__clang__)
  return __builtin_reduce_or(mask) != 0;
#else
  auto all = mask[0];
  for (unsigned lane = 1; lane < sizeof(Mask) / sizeof(all); ++lane) {
    all |= mask[lane];
  }
  return all != 0;
#endif
}

[[nodiscard, gnu::always_inline]] inline bool mask_not(bool mask) {
  return !mask;
}
template <class Mask>
[[nodiscard, gnu::always_inline]] inline Mask mask_not(Mask mask) {
  return ~mask;
}

[[nodiscard, gnu::always_inline]] inline bool mask_and(bool a, bool b) {
  return a && b;
}
template <class Mask>
[[nodiscard, gnu::always_inline]] inline Mask mask_and(Mask a, Mask b) {
  return a & b;
}

[[nodiscard, gnu::always_inline]] inline bool mask_or(bool a, bool b) {
  return a || b;
}
template <class Mask>
[[nodiscard, gnu::always_inline]] inline Mask mask_or(Mask a, Mask b) {
  return a | b;
}

/// Every lane of the mask as told.
template <class Value>
[[nodiscard, gnu::always_inline]] inline MaskOf<Value> mask_of(bool all) {
  if constexpr (lanes<Value> == 1) {
    return all;
  } else {
    return MaskOf<Value>{} - (all ? 1 : 0);
  }
}

/// One more where the mask holds.
template <class Count, class Mask>
[[gnu::always_inline]] inline void add_one(Count& count, Mask mask) {
  if constexpr (sizeof(Mask) == sizeof(bool)) {
    count += mask ? 1 : 0;
  } else {
    count -= mask;
  }
}

/// `number` where the mask holds.
template <class Count, class Mask>
[[gnu::always_inline]] inline void assign(Count& count, Mask mask, int number) {
  count = mask ? Count{} + number : count;
}

template <class Value>
[[nodiscard, gnu::always_inline]] inline Value square_root(Value value) {
  if constexpr (lanes<Value> > 1) {
#if defined(__clang__)
    return __builtin_elementwise_sqrt(value);
#else
    for (int lane = 0; lane < lanes<Value>; ++lane) {
      value[lane] = square_root<ScalarOf<Value>>(value[lane]);
    }
    return value;
#endif
  } else if constexpr (sizeof(Value) == sizeof(float)) {
    return __builtin_sqrtf(value);
  } else {
    return __builtin_sqrt(value);
  }
}

/// a b + c in one rounding where processors have that, and then without leaving the compiler a choice of what to contract.
template <class Value>
[[nodiscard, gnu::always_inline]] inline Value multiply_add(Value a, Value b, Value c) {
#if defined(__clang__) && (defined(__NVPTX__) || defined(__AMDGCN__) || defined(__FMA__) || defined(__aarch64__))
  if constexpr (lanes<Value> > 1) {
    return __builtin_elementwise_fma(a, b, c);
  } else if constexpr (sizeof(Value) == sizeof(float)) {
    return __builtin_fmaf(a, b, c);
  } else {
    return __builtin_fma(a, b, c);
  }
#else
  return a * b + c;
#endif
}

/// |value|; of complex numbers right where its square is in range.
template <class Value>
[[nodiscard, gnu::always_inline]] inline RealOf<Value> absolute(Value value) {
  if constexpr (is_complex<Value>) {
    return square_root(multiply_add(value.re, value.re, value.im * value.im));
  } else if constexpr (lanes<Value> > 1) {
#if defined(__clang__)
    return __builtin_elementwise_abs(value);
#else
    return value < Value{} ? -value : value;
#endif
  } else if constexpr (sizeof(Value) == sizeof(float)) {
    return __builtin_fabsf(value);
  } else {
    return __builtin_fabs(value);
  }
}

/// |value|, or of a complex number |re| + |im|: between |value| and its root-2-fold, wherever that is in range.
template <class Value>
[[nodiscard, gnu::always_inline]] inline RealOf<Value> magnitude(Value value) {
  if constexpr (is_complex<Value>) {
    return absolute(value.re) + absolute(value.im);
  } else {
    return absolute(value);
  }
}

/// Neither infinite nor NaN.
template <class Value>
[[nodiscard, gnu::always_inline]] inline MaskOf<Value> finite(Value value) {
  if constexpr (is_complex<Value>) {
    return mask_and(finite(value.re), finite(value.im));
  } else {
    return absolute(value) <= std::numeric_limits<ScalarOf<Value>>::max();
  }
}

template <class Value>
[[nodiscard, gnu::always_inline]] inline MaskOf<Value> is_zero(Value value) {
  if constexpr (is_complex<Value>) {
    return mask_and(value.re == RealOf<Value>{}, value.im == RealOf<Value>{});
  } else {
    return value == Value{};
  }
}

/// The power of two in (value / 2, value] of a positive normal number, the smallest normal number for anything below: a factor
/// whose inverse is exact.
template <class Value>
[[nodiscard, gnu::always_inline]] inline Value power_of_two(Value value) {
  using Scalar = ScalarOf<Value>;
  using Bits = std::conditional_t<sizeof(Scalar) == 8, std::int64_t, std::int32_t>;
  constexpr Bits exponent = sizeof(Scalar) == 8 ? static_cast<Bits>(0x7ff0000000000000) : static_cast<Bits>(0x7f800000);
  Value power;
  if constexpr (lanes<Value> == 1) {
    power = __builtin_bit_cast(Value, static_cast<Bits>(__builtin_bit_cast(Bits, value) & exponent));
  } else {
    power = (Value)((MaskOf<Value>)value & exponent);
  }
  return power > Value{} ? power : broadcast<Value>(std::numeric_limits<Scalar>::min());
}

/// value, or its complex conjugate.
template <class Value>
[[nodiscard, gnu::always_inline]] inline Value conjugate(Value value) {
  if constexpr (is_complex<Value>) {
    return {value.re, -value.im};
  } else {
    return value;
  }
}

/// |value|^2
template <class Value>
[[nodiscard, gnu::always_inline]] inline RealOf<Value> squared_magnitude(Value value) {
  if constexpr (is_complex<Value>) {
    return multiply_add(value.re, value.re, value.im * value.im);
  } else {
    return value * value;
  }
}

template <class Value>
[[nodiscard, gnu::always_inline]] inline Value from_real(RealOf<Value> real) {
  if constexpr (is_complex<Value>) {
    return {real, RealOf<Value>{}};
  } else {
    return real;
  }
}

template <class Part>
[[nodiscard]] Complex<Part> operator*(Complex<Part> a, Complex<Part> b);

/// What a product a^H b of vectors is the sum of.
template <class Value>
[[nodiscard, gnu::always_inline]] inline Value inner(Value a, Value b) {
  if constexpr (is_complex<Value>) {
    return conjugate(a) * b;
  } else {
    return a * b;
  }
}
/// Its real part.
template <class Value>
[[nodiscard, gnu::always_inline]] inline RealOf<Value> real_inner(Value a, Value b) {
  if constexpr (is_complex<Value>) {
    return multiply_add(a.re, b.re, a.im * b.im);
  } else {
    return a * b;
  }
}

/// Lanes of numbers one by one: those of a complex pack change places by parts.
template <class Value>
[[gnu::always_inline]] inline void exchange_lane(Value& a, Value& b, int lane) {
  if constexpr (is_complex<Value>) {
    exchange_lane(a.re, b.re, lane);
    exchange_lane(a.im, b.im, lane);
  } else if constexpr (lanes<Value> == 1) {
    const Value kept = a;
    a = b;
    b = kept;
  } else {
    // As scalars in memory: a compiler else reads and writes whole packs.
    auto* const of_a = reinterpret_cast<ScalarOf<Value>*>(&a);
    auto* const of_b = reinterpret_cast<ScalarOf<Value>*>(&b);
    const ScalarOf<Value> kept = of_a[lane];
    of_a[lane] = of_b[lane];
    of_b[lane] = kept;
  }
}

/// Arithmetic of complex numbers with one another and with real ones, as the plain formulas have it: an infinity or NaN gives
/// something that is not finite, and which is not said. Division scales by a power of two, so that it is right wherever
/// numbers and quotient are in range.
template <class Real, class Part>
concept RealFactorOf = std::is_same_v<Real, Part> || std::is_same_v<Real, typename ValueTraits<Part>::Scalar>;

template <class Part>
[[gnu::always_inline]] inline Complex<Part>& operator+=(Complex<Part>& a, Complex<Part> b) {
  a.re += b.re;
  a.im += b.im;
  return a;
}
template <class Part>
[[gnu::always_inline]] inline Complex<Part>& operator-=(Complex<Part>& a, Complex<Part> b) {
  a.re -= b.re;
  a.im -= b.im;
  return a;
}
template <class Part>
[[nodiscard, gnu::always_inline]] inline Complex<Part> operator*(Complex<Part> a, Complex<Part> b) {
  return {multiply_add(a.re, b.re, -(a.im * b.im)), multiply_add(a.re, b.im, a.im * b.re)};
}
template <class Part, RealFactorOf<Part> Real>
[[nodiscard, gnu::always_inline]] inline Complex<Part> operator*(Real a, Complex<Part> b) {
  return {a * b.re, a * b.im};
}
template <class Part, RealFactorOf<Part> Real>
[[nodiscard, gnu::always_inline]] inline Complex<Part> operator*(Complex<Part> a, Real b) {
  return {a.re * b, a.im * b};
}
template <class Part, RealFactorOf<Part> Real>
[[nodiscard, gnu::always_inline]] inline Complex<Part> operator/(Complex<Part> a, Real b) {
  return {a.re / b, a.im / b};
}
template <class Part>
[[nodiscard, gnu::always_inline]] inline Complex<Part> operator/(Complex<Part> a, Complex<Part> b) {
  const Part size = magnitude(b);
  const Part inverse = ScalarOf<Part>{1} / power_of_two(size);
  const Complex<Part> tame = b * inverse;
  return inner(tame, a) * inverse / squared_magnitude(tame);
}
template <class Part>
[[nodiscard, gnu::always_inline]] inline Complex<Part> operator/(ScalarOf<Part> a, Complex<Part> b) {
  return Complex<Part>{broadcast<Part>(a), Part{}} / b;
}
template <class Part, class Factor>
[[gnu::always_inline]] inline Complex<Part>& operator*=(Complex<Part>& a, Factor b) {
  a = a * b;
  return a;
}
template <class Part, class Divisor>
[[gnu::always_inline]] inline Complex<Part>& operator/=(Complex<Part>& a, Divisor b) {
  a = a / b;
  return a;
}

}  // namespace phpc::batch
