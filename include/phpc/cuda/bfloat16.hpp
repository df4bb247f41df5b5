#pragma once
/// CUDA's bfloat16 (<cuda_bf16.h>): __nv_bfloat16, the upper half of a float, and pairs of it.
///
/// Sums, products, quotients and roots are correctly rounded; the transcendental functions are those of float, rounded.
// clang-format off: before all others
#include "phpc/cuda/detail/header_begin.inc"
// clang-format on
#include "phpc/cuda/detail/narrow_float.hpp"
#include "phpc/cuda/half.hpp"
#include "phpc/cuda/vector_types.hpp"
#include "phpc/cuda/words.hpp"

PHPC_CUDA_BEGIN

namespace phpc::cuda::detail {

/// The upper half of a float after rounding to nearest; CUDA's one NaN for NaN.
PHPC_CUDA_FN constexpr unsigned short bfloat16_bits_of(float x) {
  const auto bits = __builtin_bit_cast(unsigned int, x);
  return x != x ? 0x7fffu : static_cast<unsigned short>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

}  // namespace phpc::cuda::detail

/// The bits of a __nv_bfloat16.
struct __nv_bfloat16_raw {
  unsigned short x;
};

struct alignas(2) __nv_bfloat16 {
  unsigned short bits;

  __nv_bfloat16() = default;
  // The implicit conversions are CUDA's.
  constexpr __nv_bfloat16(float number)
      : bits(phpc::cuda::detail::bfloat16_bits_of(number)) {}  // NOLINT(google-explicit-constructor)
  __nv_bfloat16(double number)                                 // NOLINT(google-explicit-constructor)
      : bits(phpc::cuda::detail::bfloat16_bits_of(phpc::cuda::detail::odd_float(number, 0))) {}
  template <class T>
    requires std::is_integral_v<T>
  __nv_bfloat16(T number)  // NOLINT(google-explicit-constructor)
      : bits(phpc::cuda::detail::bfloat16_bits_of(phpc::cuda::detail::odd_float_of(number))) {}
  explicit __nv_bfloat16(__half number) : __nv_bfloat16(static_cast<float>(number)) {}
  constexpr __nv_bfloat16(__nv_bfloat16_raw raw) : bits(raw.x) {}  // NOLINT(google-explicit-constructor)
  constexpr operator float() const {                               // NOLINT(google-explicit-constructor)
    return __builtin_bit_cast(float, static_cast<unsigned int>(bits) << 16);
  }
  constexpr operator __nv_bfloat16_raw() const { return {bits}; }  // NOLINT(google-explicit-constructor)
};

inline __half::__half(__nv_bfloat16 number) : __half(static_cast<float>(number)) {}

struct alignas(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;

  __nv_bfloat162() = default;
  constexpr __nv_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) : x(low), y(high) {}
};

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

namespace phpc::cuda::detail {

PHPC_CUDA_FN __nv_bfloat16 narrow(float x, __nv_bfloat16 /*type*/) {
  return x;
}
inline __nv_bfloat16 narrow(double x, __nv_bfloat16 /*type*/) {
  return x;
}

inline __nv_bfloat16 narrow(float x, __nv_bfloat16 type, Round mode) {
  const __nv_bfloat16 nearest = narrow(x, type);
  const float back = static_cast<float>(nearest);
  if (mode == Round::rn || x != x || __builtin_isinf(x)) {
    return nearest;
  }
  return __nv_bfloat16_raw{step_bits(nearest.bits, static_cast<double>(x) - static_cast<double>(back), mode)};
}

PHPC_CUDA_FN __nv_bfloat16 narrow_fma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
#if PHPC_CUDA_NVPTX && __CUDA_ARCH__ >= 800
  unsigned short result;
  asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(result) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
  return __nv_bfloat16_raw{result};
#else
  const double product = apart(static_cast<double>(static_cast<float>(a)) * static_cast<double>(static_cast<float>(b)));  // exact
  const double addend = static_cast<double>(static_cast<float>(c));
  const double sum = product + addend;
  return odd_float(sum, finite(sum) ? lost_in_sum(product, addend, sum) : 0);
#endif
}

}  // namespace phpc::cuda::detail

#define PHPC_CUDA_NARROW __nv_bfloat16
#define PHPC_CUDA_NARROW2 __nv_bfloat162
#define PHPC_CUDA_NARROW_NAME(BEFORE, AFTER) BEFORE##bfloat16##AFTER
#define PHPC_CUDA_NARROW_PTX "bf16"
#include "phpc/cuda/detail/narrow_functions.inc"
#include "phpc/cuda/detail/narrow_pairs.inc"

PHPC_CUDA_FN __nv_bfloat16 __float2bfloat16(float x) {
  return x;
}
PHPC_CUDA_FN __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) {
  return {x, x};
}
PHPC_CUDA_FN __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) {
  return {low, high};
}
PHPC_CUDA_FN __nv_bfloat162 make_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) {
  return {low, high};
}
PHPC_CUDA_FN float2 __bfloat1622float2(__nv_bfloat162 x) {
  return {static_cast<float>(x.x), static_cast<float>(x.y)};
}

PHPC_CUDA_END

#include "phpc/cuda/detail/header_end.inc"
