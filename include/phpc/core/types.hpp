#pragma once
#include <cstdint>

namespace phpc {

/// Sizes and positions: signed and 64-bit everywhere, so that 2^31 elements are nothing special.
using index_t = std::int64_t;

/// Interleaved complex number, laid out as std::complex<T>, C99 `T _Complex` and NumPy's complex types, but aligned to its whole
/// size, so that it is read and written in one access. `T` is float or double in memory; in host kernels it may be a SIMD pack
/// (one lane per problem). std::complex is not used in device code: libstdc++ 12 with C++20 and offload does not compile it.
template <class T>
struct alignas(2 * sizeof(T)) Complex {
  T re;
  T im;
};

namespace detail {
template <class T>
struct RealPart {
  using type = T;
};
template <class T>
struct RealPart<Complex<T>> {
  using type = T;
};
}  // namespace detail

/// The real type that goes with a number: itself, or that of a complex number's parts.
template <class T>
using RealOf = typename detail::RealPart<T>::type;

template <class T>
[[gnu::always_inline]] constexpr Complex<T> operator+(Complex<T> a, Complex<T> b) {
  return {a.re + b.re, a.im + b.im};
}

template <class T>
[[gnu::always_inline]] constexpr Complex<T> operator-(Complex<T> a, Complex<T> b) {
  return {a.re - b.re, a.im - b.im};
}

template <class T>
[[gnu::always_inline]] constexpr Complex<T> operator-(Complex<T> a) {
  return {-a.re, -a.im};
}

/// Complex product; `U` may be a narrower scalar type than `T` (a pack times one twiddle factor).
template <class T, class U>
[[gnu::always_inline]] constexpr Complex<T> operator*(Complex<T> a, Complex<U> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

template <class T>
[[gnu::always_inline]] constexpr Complex<T> conj(Complex<T> a) {
  return {a.re, -a.im};
}

/// a * real scale.
template <class T, class U>
[[gnu::always_inline]] constexpr Complex<T> scaled(Complex<T> a, U scale) {
  return {a.re * scale, a.im * scale};
}

template <class T>
[[gnu::always_inline]] constexpr bool operator==(Complex<T> a, Complex<T> b) {
  return a.re == b.re && a.im == b.im;
}

/// ceil(a / b) for a >= 0, b > 0.
[[gnu::always_inline]] constexpr index_t ceil_div(index_t a, index_t b) {
  return (a + b - 1) / b;
}

}  // namespace phpc
