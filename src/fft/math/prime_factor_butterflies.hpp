#pragma once
#include "fft/math/butterflies.hpp"

/// Butterflies of kernels for GPUs: those of fft/math/butterflies.hpp, and by the prime-factor algorithm of Good and Thomas where
/// a radix has coprime factors.
namespace phpc::fft {

template <int R, class T>
[[gnu::always_inline]] constexpr void prime_factor_butterfly(Complex<T> (&v)[R]);

namespace detail {

/// The first of the two coprime factors that radix R is done by; 1 where it is a power of a prime.
constexpr int coprime_factor(int radix) {
  for (const int prime : {2, 3, 5}) {
    int power = 1;
    while (radix / power % prime == 0) {
      power *= prime;
    }
    if (power > 1 && power < radix) {
      return power;
    }
  }
  return 1;
}

/// R = A * B without a common factor: both indices go by remainders, and there are no twiddles (Good 1958, Thomas 1963).
template <int A, int B, class T>
[[gnu::always_inline]] constexpr void coprime_butterfly(Complex<T> (&v)[A * B]) {
  Complex<T> rows[A][B];
#pragma GCC unroll 32
  for (int b = 0; b < B; ++b) {
    Complex<T> part[A];
#pragma GCC unroll 32
    for (int a = 0; a < A; ++a) {
      part[a] = v[(B * a + A * b) % (A * B)];
    }
    prime_factor_butterfly<A>(part);
#pragma GCC unroll 32
    for (int a = 0; a < A; ++a) {
      rows[a][b] = part[a];
    }
  }
#pragma GCC unroll 32
  for (int a = 0; a < A; ++a) {
    prime_factor_butterfly<B>(rows[a]);
  }
#pragma GCC unroll 64
  for (int k = 0; k < A * B; ++k) {
    v[k] = rows[k % A][k % B];
  }
}

}  // namespace detail

/// Replaces v[0..R) by its forward transform, both in natural order.
template <int R, class T>
[[gnu::always_inline]] constexpr void prime_factor_butterfly(Complex<T> (&v)[R]) {
  constexpr int first = detail::coprime_factor(R);
  if constexpr (first > 1) {
    detail::coprime_butterfly<first, R / first>(v);
  } else {
    butterfly<R>(v);
  }
}

}  // namespace phpc::fft
