#pragma once
/// CUDA's half precision (<cuda_fp16.h>): __half of 11 bits of precision, and pairs of it, over the compiler's _Float16.
///
/// Sums, products, quotients and roots are correctly rounded; the transcendental functions are those of float, rounded.
// clang-format off: before all others
#include "phpc/cuda/detail/header_begin.inc"
// clang-format on
#include "phpc/cuda/detail/narrow_float.hpp"
#include "phpc/cuda/vector_types.hpp"
#include "phpc/cuda/words.hpp"

PHPC_CUDA_BEGIN

/// The bits of a __half.
struct __half_raw {
  unsigned short x;
};

struct __nv_bfloat16;

struct alignas(2) __half {
  _Float16 value;

  __half() = default;
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr __half(T number) : value(static_cast<_Float16>(number)) {}  // NOLINT(google-explicit-constructor): as in CUDA
  constexpr __half(__half_raw raw) : value(__builtin_bit_cast(_Float16, raw.x)) {}  // NOLINT(google-explicit-constructor)
  explicit __half(__nv_bfloat16 number);                                            // in bfloat16.hpp
  constexpr operator float() const { return static_cast<float>(value); }            // NOLINT(google-explicit-constructor)
  constexpr operator __half_raw() const {
    return {__builtin_bit_cast(unsigned short, value)};
  }  // NOLINT(google-explicit-constructor)
};

struct alignas(4) __half2 {
  __half x, y;

  __half2() = default;
  constexpr __half2(__half low, __half high) : x(low), y(high) {}
};

using half = __half;
using half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;

namespace phpc::cuda::detail {

/// A _Float16 as a __half, of which it is the only member.
PHPC_CUDA_FN __half half_of(_Float16 x) {
  return __builtin_bit_cast(__half, x);
}

PHPC_CUDA_FN __half narrow(float x, __half /*type*/) {
  return half_of(static_cast<_Float16>(x));
}
inline __half narrow(double x, __half /*type*/) {
  return half_of(static_cast<_Float16>(odd_float(x, 0)));
}

inline __half narrow(float x, __half type, Round mode) {
  const __half nearest = narrow(x, type);
  const float back = static_cast<float>(nearest);
  if (mode == Round::rn || x != x || __builtin_isinf(x)) {
    return nearest;
  }
  const auto bits = __builtin_bit_cast(unsigned short, nearest);
  return __half_raw{step_bits(bits, static_cast<double>(x) - static_cast<double>(back), mode)};
}

PHPC_CUDA_FN __half narrow_fma(__half a, __half b, __half c) {
#if PHPC_CUDA_NVPTX
  return half_of(__builtin_fmaf16(a.value, b.value, c.value));
#else
  const double product = apart(static_cast<double>(a.value) * static_cast<double>(b.value));  // exact
  const double addend = static_cast<double>(c.value);
  const double sum = product + addend;
  return half_of(static_cast<_Float16>(odd_float(sum, finite(sum) ? lost_in_sum(product, addend, sum) : 0)));
#endif
}

}  // namespace phpc::cuda::detail

#define PHPC_CUDA_NARROW __half
#define PHPC_CUDA_NARROW2 __half2
#define PHPC_CUDA_NARROW_NAME(BEFORE, AFTER) BEFORE##half##AFTER
#define PHPC_CUDA_NARROW_PTX "f16"
#include "phpc/cuda/detail/narrow_functions.inc"
#include "phpc/cuda/detail/narrow_pairs.inc"

PHPC_CUDA_FN __half __float2half(float x) {
  return phpc::cuda::detail::narrow(x, __half());
}
PHPC_CUDA_FN __half2 __half2half2(__half x) {
  return {x, x};
}
PHPC_CUDA_FN __half2 __halves2half2(__half low, __half high) {
  return {low, high};
}
PHPC_CUDA_FN __half2 make_half2(__half low, __half high) {
  return {low, high};
}
PHPC_CUDA_FN float2 __half22float2(__half2 x) {
  return {static_cast<float>(x.x), static_cast<float>(x.y)};
}

PHPC_CUDA_END

#include "phpc/cuda/detail/header_end.inc"
