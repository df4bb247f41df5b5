#pragma once
#include "phpc/core/types.hpp"

#if defined(__FMA__)
#include <immintrin.h>
#endif

/// Fused multiply-adds, rounded once, where the processor has them. Host code says where, and is compiled without contractions of
/// the compiler's own choice: a line comes out with the same bytes whether its elements share a pack with one another
/// (narrow_pack.hpp) or with those of other lines (pack.hpp).
namespace phpc::fft {

/// Returns a * b + c; of scalars or of the compiler's vectors.
template <class T>
[[gnu::always_inline]] inline T fused(T a, T b, T c) {
#if !defined(__FMA__) && !defined(__ARM_FEATURE_FMA)
  return a * b + c;
#elif defined(__has_builtin) && __has_builtin(__builtin_elementwise_fma)
  return __builtin_elementwise_fma(a, b, c);
#elif defined(__FMA__)
  using Scalar = decltype([] {
    if constexpr (requires(T vector) { vector[0]; }) {
      return T{}[0] + 0;
    } else {
      return T{};
    }
  }());
  constexpr bool is_single = sizeof(Scalar) == sizeof(float);
  if constexpr (sizeof(T) == sizeof(Scalar)) {
    return is_single ? static_cast<T>(__builtin_fmaf(a, b, c)) : static_cast<T>(__builtin_fma(a, b, c));
  } else if constexpr (sizeof(T) == 8) {
    using Twice [[gnu::vector_size(16)]] = float;
    const auto widened = [](T x) { return Twice{x[0], x[1]}; };
    const auto sum = reinterpret_cast<Twice>(_mm_fmadd_ps(
        reinterpret_cast<__m128>(widened(a)), reinterpret_cast<__m128>(widened(b)), reinterpret_cast<__m128>(widened(c))));
    return T{sum[0], sum[1]};
  } else if constexpr (sizeof(T) == 16) {
    return is_single ? reinterpret_cast<T>(
                           _mm_fmadd_ps(reinterpret_cast<__m128>(a), reinterpret_cast<__m128>(b), reinterpret_cast<__m128>(c)))
                     : reinterpret_cast<T>(_mm_fmadd_pd(reinterpret_cast<__m128d>(a), reinterpret_cast<__m128d>(b),
                                                        reinterpret_cast<__m128d>(c)));
  } else if constexpr (sizeof(T) == 32) {
    return is_single ? reinterpret_cast<T>(
                           _mm256_fmadd_ps(reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b), reinterpret_cast<__m256>(c)))
                     : reinterpret_cast<T>(_mm256_fmadd_pd(reinterpret_cast<__m256d>(a), reinterpret_cast<__m256d>(b),
                                                           reinterpret_cast<__m256d>(c)));
  } else {
#if defined(__AVX512F__)
    return is_single ? reinterpret_cast<T>(
                           _mm512_fmadd_ps(reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b), reinterpret_cast<__m512>(c)))
                     : reinterpret_cast<T>(_mm512_fmadd_pd(reinterpret_cast<__m512d>(a), reinterpret_cast<__m512d>(b),
                                                           reinterpret_cast<__m512d>(c)));
#else
    static_assert(sizeof(T) <= 32, "no vector of the processor is as wide");
#endif
  }
#else
  return a * b + c;
#endif
}

/// Returns a * b.
template <class T>
[[gnu::always_inline]] inline Complex<T> fused_product(Complex<T> a, Complex<T> b) {
  return {fused<T>(a.re, b.re, -(a.im * b.im)), fused<T>(a.im, b.re, a.re * b.im)};
}

}  // namespace phpc::fft
