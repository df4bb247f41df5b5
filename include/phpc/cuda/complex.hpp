#pragma once
// clang-format off: before all others
#include "phpc/cuda/detail/header_begin.inc"
// clang-format on
#include "phpc/cuda/vector_types.hpp"
#include "phpc/cuda/words.hpp"

/// Complex numbers as pairs (cuComplex.h): x is the real part, y the imaginary one.
PHPC_CUDA_BEGIN

using cuFloatComplex = float2;
using cuDoubleComplex = double2;
using cuComplex = cuFloatComplex;

#define PHPC_COMPLEX(Complex, Real, suffix, make, abs, product, real, imaginary, conjugate, sum, difference, quotient, fused) \
  [[gnu::always_inline]] inline Complex make(Real re, Real im) {                                                              \
    return Complex{re, im};                                                                                                   \
  }                                                                                                                           \
  [[gnu::always_inline]] inline Real real(Complex z) {                                                                        \
    return z.x;                                                                                                               \
  }                                                                                                                           \
  [[gnu::always_inline]] inline Real imaginary(Complex z) {                                                                   \
    return z.y;                                                                                                               \
  }                                                                                                                           \
  [[gnu::always_inline]] inline Complex conjugate(Complex z) {                                                                \
    return Complex{z.x, -z.y};                                                                                                \
  }                                                                                                                           \
  [[gnu::always_inline]] inline Complex sum(Complex a, Complex b) {                                                           \
    return Complex{a.x + b.x, a.y + b.y};                                                                                     \
  }                                                                                                                           \
  [[gnu::always_inline]] inline Complex difference(Complex a, Complex b) {                                                    \
    return Complex{a.x - b.x, a.y - b.y};                                                                                     \
  }                                                                                                                           \
  [[gnu::always_inline]] inline Complex product(Complex a, Complex b) {                                                       \
    return Complex{a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                                             \
  }                                                                                                                           \
  [[gnu::always_inline]] inline Complex fused(Complex a, Complex b, Complex c) {                                              \
    return sum(product(a, b), c);                                                                                             \
  }                                                                                                                           \
  /* Scaled by the size of the divisor, so that its square neither overflows nor vanishes. */                                 \
  inline Complex quotient(Complex a, Complex b) {                                                                             \
    const Real scale = 1 / (fabs##suffix(b.x) + fabs##suffix(b.y));                                                           \
    const Complex n{a.x * scale, a.y * scale};                                                                                \
    const Complex d{b.x * scale, b.y * scale};                                                                                \
    const Real inverse = 1 / (d.x * d.x + d.y * d.y);                                                                         \
    return Complex{(n.x * d.x + n.y * d.y) * inverse, (n.y * d.x - n.x * d.y) * inverse};                                     \
  }                                                                                                                           \
  [[gnu::always_inline]] inline Real abs(Complex z) {                                                                         \
    return hypot##suffix(z.x, z.y);                                                                                           \
  }

PHPC_COMPLEX(cuFloatComplex, float, f, make_cuFloatComplex, cuCabsf, cuCmulf, cuCrealf, cuCimagf, cuConjf, cuCaddf, cuCsubf,
             cuCdivf, cuCfmaf)
PHPC_COMPLEX(cuDoubleComplex, double, , make_cuDoubleComplex, cuCabs, cuCmul, cuCreal, cuCimag, cuConj, cuCadd, cuCsub, cuCdiv,
             cuCfma)
#undef PHPC_COMPLEX

[[gnu::always_inline]] inline cuComplex make_cuComplex(float re, float im) {
  return cuComplex{re, im};
}
[[gnu::always_inline]] inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
  return cuDoubleComplex{z.x, z.y};
}
[[gnu::always_inline]] inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return cuFloatComplex{static_cast<float>(z.x), static_cast<float>(z.y)};
}

PHPC_CUDA_END

#include "phpc/cuda/detail/header_end.inc"
