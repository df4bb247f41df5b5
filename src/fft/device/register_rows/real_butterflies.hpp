#pragma once
#include "fft/math/prime_factor_butterflies.hpp"
#include "phpc/core/types.hpp"

/// Forward transforms of a few real numbers, and transforms back to them, in registers, for lengths that fit there: butterflies
/// of conjugate symmetry, with half the operations of those of complex numbers. X[0 ... N/2] is the half spectrum of x[0 ... N).
namespace phpc::fft {

template <int N, class T>
[[gnu::always_inline]] constexpr void butterfly_from_reals(const T (&x)[N], Complex<T> (&spectrum)[N / 2 + 1]);
template <int N, class T>
[[gnu::always_inline]] constexpr void butterfly_to_reals(const Complex<T> (&spectrum)[N / 2 + 1], T (&x)[N]);

namespace detail {

/// The least prime factor of an odd number.
constexpr int least_odd_factor(int n) {
  for (int factor = 3; factor * factor <= n; factor += 2) {
    if (n % factor == 0) {
      return factor;
    }
  }
  return n;
}

/// By the definition, for a prime N: X[k] = x[0] + sum of (x[q] + x[N - q]) cos(2 pi k q / N) - i (x[q] - x[N - q]) sin(...).
template <int N, class T>
[[gnu::always_inline]] constexpr void prime_from_reals(const T (&x)[N], Complex<T> (&spectrum)[N / 2 + 1]) {
  constexpr int half = N / 2;
  T sums[half];
  T differences[half];
  T all = x[0];
#pragma GCC unroll 32
  for (int q = 1; q <= half; ++q) {
    sums[q - 1] = x[q] + x[N - q];
    differences[q - 1] = x[N - q] - x[q];
    all = all + sums[q - 1];
  }
  spectrum[0] = {all, T{0}};
#pragma GCC unroll 32
  for (int k = 1; k <= half; ++k) {
    T re = x[0];
    T im = differences[0] * static_cast<T>(sine<N>(k));
#pragma GCC unroll 32
    for (int q = 1; q <= half; ++q) {
      re = re + sums[q - 1] * static_cast<T>(cosine<N>(k * q % N));
      if (q > 1) {
        im = im + differences[q - 1] * static_cast<T>(sine<N>(k * q % N));
      }
    }
    spectrum[k] = {re, im};
  }
}

/// By the definition, for a prime N: x[j] and x[N - j] are the sum and the difference of X[0] + 2 sum of re X[k] cos(2 pi j k /
/// N) and -2 sum of im X[k] sin(2 pi j k / N).
template <int N, class T>
[[gnu::always_inline]] constexpr void prime_to_reals(const Complex<T> (&spectrum)[N / 2 + 1], T (&x)[N]) {
  constexpr int half = N / 2;
  Complex<T> twice[half];
  T all = spectrum[0].re;
#pragma GCC unroll 32
  for (int k = 1; k <= half; ++k) {
    twice[k - 1] = {spectrum[k].re + spectrum[k].re, spectrum[k].im + spectrum[k].im};
    all = all + twice[k - 1].re;
  }
  x[0] = all;
#pragma GCC unroll 32
  for (int j = 1; j <= half; ++j) {
    T even = spectrum[0].re;
    T odd = twice[0].im * static_cast<T>(sine<N>(j));
#pragma GCC unroll 32
    for (int k = 1; k <= half; ++k) {
      even = even + twice[k - 1].re * static_cast<T>(cosine<N>(j * k % N));
      if (k > 1) {
        odd = odd + twice[k - 1].im * static_cast<T>(sine<N>(j * k % N));
      }
    }
    x[j] = even - odd;
    x[N - j] = even + odd;
  }
}

/// N = A * B, odd: B transforms of A real numbers, x[row B + column] of all rows, of whose results those behind A / 2 are
/// conjugates; products with twiddles; then one transform of B real numbers and A / 2 of B complex ones, whose results X[k1 + A
/// k2] behind N / 2 are the conjugates of those before.
template <int A, int B, class T>
[[gnu::always_inline]] constexpr void odd_from_reals(const T (&x)[A * B], Complex<T> (&spectrum)[A * B / 2 + 1]) {
  constexpr int n = A * B;
  T first[B];
  Complex<T> rows[A / 2][B];
#pragma GCC unroll 32
  for (int column = 0; column < B; ++column) {
    T part[A];
#pragma GCC unroll 32
    for (int row = 0; row < A; ++row) {
      part[row] = x[row * B + column];
    }
    Complex<T> half[A / 2 + 1];
    butterfly_from_reals<A>(part, half);
    first[column] = half[0].re;
#pragma GCC unroll 32
    for (int k = 1; k <= A / 2; ++k) {
      rows[k - 1][column] = times_root<n>(half[k], k * column);
    }
  }
  Complex<T> constant[B / 2 + 1];
  butterfly_from_reals<B>(first, constant);
#pragma GCC unroll 32
  for (int k = 0; k <= B / 2; ++k) {
    spectrum[A * k] = constant[k];
  }
#pragma GCC unroll 32
  for (int k = 1; k <= A / 2; ++k) {
    prime_factor_butterfly<B>(rows[k - 1]);
#pragma GCC unroll 32
    for (int column = 0; column < B; ++column) {
      const int result = k + A * column;
      spectrum[result <= n / 2 ? result : n - result] = result <= n / 2 ? rows[k - 1][column] : conj(rows[k - 1][column]);
    }
  }
}

/// The transpose of odd_from_reals.
template <int A, int B, class T>
[[gnu::always_inline]] constexpr void odd_to_reals(const Complex<T> (&spectrum)[A * B / 2 + 1], T (&x)[A * B]) {
  constexpr int n = A * B;
  Complex<T> constant[B / 2 + 1];
#pragma GCC unroll 32
  for (int k = 0; k <= B / 2; ++k) {
    constant[k] = spectrum[A * k];
  }
  T first[B];
  butterfly_to_reals<B>(constant, first);
  Complex<T> rows[A / 2][B];
#pragma GCC unroll 32
  for (int k = 1; k <= A / 2; ++k) {
    // A forward transform of elements in reverse order is one back.
#pragma GCC unroll 32
    for (int column = 0; column < B; ++column) {
      const int element = k + A * column;
      rows[k - 1][(B - column) % B] = element <= n / 2 ? spectrum[element] : conj(spectrum[n - element]);
    }
    prime_factor_butterfly<B>(rows[k - 1]);
  }
#pragma GCC unroll 32
  for (int column = 0; column < B; ++column) {
    Complex<T> half[A / 2 + 1];
    half[0] = {first[column], T{0}};
#pragma GCC unroll 32
    for (int k = 1; k <= A / 2; ++k) {
      half[k] = times_root<n>(rows[k - 1][column], (n - k * column) % n);
    }
    T part[A];
    butterfly_to_reals<A>(half, part);
#pragma GCC unroll 32
    for (int row = 0; row < A; ++row) {
      x[row * B + column] = part[row];
    }
  }
}

/// N even: x[2j] + i x[2j + 1] is the transform's element j, of N / 2 of them.
template <int N, class T>
[[gnu::always_inline]] constexpr void even_from_reals(const T (&x)[N], Complex<T> (&spectrum)[N / 2 + 1]) {
  constexpr int half = N / 2;
  Complex<T> v[half];
#pragma GCC unroll 32
  for (int j = 0; j < half; ++j) {
    v[j] = {x[2 * j], x[2 * j + 1]};
  }
  if constexpr (half > 1) {
    prime_factor_butterfly<half>(v);
  }
  spectrum[0] = {v[0].re + v[0].im, T{0}};
  spectrum[half] = {v[0].re - v[0].im, T{0}};
#pragma GCC unroll 32
  for (int k = 1; 2 * k <= half; ++k) {
    const Complex<T> even = scaled(v[k] + conj(v[half - k]), T{0.5});
    const Complex<T> odd = times_root<N>(times_minus_i(scaled(v[k] - conj(v[half - k]), T{0.5})), k);
    spectrum[k] = even + odd;
    if (2 * k < half) {
      spectrum[half - k] = conj(even - odd);
    }
  }
}

/// The transpose of even_from_reals.
template <int N, class T>
[[gnu::always_inline]] constexpr void even_to_reals(const Complex<T> (&spectrum)[N / 2 + 1], T (&x)[N]) {
  constexpr int half = N / 2;
  Complex<T> v[half];  // in reverse order, for a transform back
  v[0] = {spectrum[0].re + spectrum[half].re, spectrum[0].re - spectrum[half].re};
#pragma GCC unroll 32
  for (int k = 1; 2 * k <= half; ++k) {
    const Complex<T> even = spectrum[k] + conj(spectrum[half - k]);
    const Complex<T> odd = times_root<N>(times_minus_i(conj(spectrum[k]) - spectrum[half - k]), k);  // conjugate of i w^-k (...)
    v[half - k] = even + conj(odd);
    if (2 * k < half) {
      v[k] = conj(even) - odd;
    }
  }
  if constexpr (half > 1) {
    prime_factor_butterfly<half>(v);
  }
#pragma GCC unroll 32
  for (int j = 0; j < half; ++j) {
    x[2 * j] = v[j].re;
    x[2 * j + 1] = v[j].im;
  }
}

}  // namespace detail

/// The half spectrum of N real numbers.
template <int N, class T>
[[gnu::always_inline]] constexpr void butterfly_from_reals(const T (&x)[N], Complex<T> (&spectrum)[N / 2 + 1]) {
  constexpr int factor = detail::least_odd_factor(N);
  if constexpr (N % 2 == 0) {
    detail::even_from_reals<N>(x, spectrum);
  } else if constexpr (factor < N) {
    detail::odd_from_reals<factor, N / factor>(x, spectrum);
  } else {
    detail::prime_from_reals<N>(x, spectrum);
  }
}

/// N times the N real numbers of a half spectrum. The imaginary parts of X[0] and, for an even N, of X[N / 2] do not count.
template <int N, class T>
[[gnu::always_inline]] constexpr void butterfly_to_reals(const Complex<T> (&spectrum)[N / 2 + 1], T (&x)[N]) {
  constexpr int factor = detail::least_odd_factor(N);
  if constexpr (N % 2 == 0) {
    detail::even_to_reals<N>(spectrum, x);
  } else if constexpr (factor < N) {
    detail::odd_to_reals<factor, N / factor>(spectrum, x);
  } else {
    detail::prime_to_reals<N>(spectrum, x);
  }
}

}  // namespace phpc::fft
