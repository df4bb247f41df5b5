#pragma once
#include <cstdint>

#include "fft/host/packs/fused.hpp"
#include "fft/math/butterflies.hpp"
#include "phpc/core/types.hpp"
#include "phpc/exec/pack.hpp"
#include "phpc/exec/streamed_stores.hpp"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

/// What transforms on the host add to SIMD packs: complex arithmetic, and loads and stores of interleaved complex numbers.
namespace phpc::fft {

using exec::finish_streamed_stores;
using exec::load_pack;
using exec::Pack;
using exec::pack_bytes;
using exec::store_pack;
using exec::Stores;
using exec::transpose;
using exec::transpose_long_runs;
using exec::transpose_short_runs;

/// Lanes of a pack: as many transforms go side by side.
template <class Real>
inline constexpr int lanes = exec::pack_lanes<Real>;

/// One element of `lanes` transforms.
template <class Real>
using PackValue = Pack<Complex<Real>>;

template <>
struct ScalarOf<Pack<float>> {
  using type = float;
};
template <>
struct ScalarOf<Pack<double>> {
  using type = double;
};

}  // namespace phpc::fft

// Found before the general ones by what is written for any element: beside Complex.
namespace phpc {

[[gnu::always_inline]] inline Complex<fft::Pack<float>> operator*(Complex<fft::Pack<float>> a, Complex<fft::Pack<float>> b) {
  return fft::fused_product(a, b);
}
[[gnu::always_inline]] inline Complex<fft::Pack<double>> operator*(Complex<fft::Pack<double>> a, Complex<fft::Pack<double>> b) {
  return fft::fused_product(a, b);
}
[[gnu::always_inline]] inline Complex<fft::Pack<float>> operator*(Complex<fft::Pack<float>> a, Complex<float> b) {
  return a * Complex<fft::Pack<float>>{exec::broadcast<fft::lanes<float>>(b.re), exec::broadcast<fft::lanes<float>>(b.im)};
}
[[gnu::always_inline]] inline Complex<fft::Pack<double>> operator*(Complex<fft::Pack<double>> a, Complex<double> b) {
  return a * Complex<fft::Pack<double>>{exec::broadcast<fft::lanes<double>>(b.re), exec::broadcast<fft::lanes<double>>(b.im)};
}

/// a + b * factor
[[gnu::always_inline]] inline Complex<fft::Pack<float>> plus_scaled(Complex<fft::Pack<float>> a, Complex<fft::Pack<float>> b,
                                                                    float factor) {
  const fft::Pack<float> factors = exec::broadcast<fft::lanes<float>>(factor);
  return {fft::fused(b.re, factors, a.re), fft::fused(b.im, factors, a.im)};
}
[[gnu::always_inline]] inline Complex<fft::Pack<double>> plus_scaled(Complex<fft::Pack<double>> a, Complex<fft::Pack<double>> b,
                                                                     double factor) {
  const fft::Pack<double> factors = exec::broadcast<fft::lanes<double>>(factor);
  return {fft::fused(b.re, factors, a.re), fft::fused(b.im, factors, a.im)};
}

}  // namespace phpc

namespace phpc::fft {

#if defined(__SSE2__)
/// Else clang schedules a butterfly of 16 by what its first outputs need, and what the others do waits on the stack: a third more
/// instructions that only move packs.
template <class Real>
struct SettledPacks {
  static constexpr bool needed = true;
  template <int Count>
  [[gnu::always_inline]] static constexpr void settle(PackValue<Real> (&v)[Count]) {
#pragma GCC unroll 32
    for (int i = 0; i < Count; ++i) {
      asm volatile("" : "+v"(v[i].re), "+v"(v[i].im));
    }
  }
};
template <>
struct Settled<Pack<float>> : SettledPacks<float> {};
template <>
struct Settled<Pack<double>> : SettledPacks<double> {};
#endif

/// Copies past the caches.
template <class Real>
void copy_streamed(const Real* from, Real* to, index_t count) {
  index_t i = 0;
  for (; i < count && reinterpret_cast<std::uintptr_t>(to + i) % pack_bytes != 0; ++i) {
    to[i] = from[i];
  }
  for (; i + lanes<Real> <= count; i += lanes<Real>) {
    store_pack(to + i, load_pack(from + i), Stores::streamed);
  }
  for (; i < count; ++i) {
    to[i] = from[i];
  }
}

namespace detail {

template <int First>
struct EverySecond {
  constexpr int operator()(int i) const { return 2 * i + First; }
};

/// Lanes of a and b in turn, from the lower (0) or upper (1) half.
template <int Lanes, int Half>
struct InTurn {
  constexpr int operator()(int i) const { return i / 2 + i % 2 * Lanes + Half * Lanes / 2; }
};

template <int Lanes>
struct Backward {
  constexpr int operator()(int i) const { return Lanes - 1 - i; }
};

}  // namespace detail

/// The lanes in reverse order.
template <class Real>
[[gnu::always_inline]] inline Pack<Real> reversed(Pack<Real> a) {
  return exec::shuffled<Real, detail::Backward<lanes<Real>>>(a, a);
}

/// `lanes` interleaved complex numbers.
template <class Real>
[[gnu::always_inline]] inline PackValue<Real> load_interleaved(const Real* from) {
  const Pack<Real> low = load_pack(from);
  const Pack<Real> high = load_pack(from + lanes<Real>);
  return {exec::shuffled<Real, detail::EverySecond<0>>(low, high), exec::shuffled<Real, detail::EverySecond<1>>(low, high)};
}

template <class Real>
[[gnu::always_inline]] inline void store_interleaved(Real* to, PackValue<Real> value, Stores stores = Stores::cached) {
  store_pack<Real>(to, exec::shuffled<Real, detail::InTurn<lanes<Real>, 0>>(value.re, value.im), stores);
  store_pack<Real>(to + lanes<Real>, exec::shuffled<Real, detail::InTurn<lanes<Real>, 1>>(value.re, value.im), stores);
}

/// The first `count` of `lanes` interleaved complex numbers, zeros for the others, of which nothing is read.
template <class Real>
[[gnu::always_inline]] inline PackValue<Real> load_interleaved_part(const Real* from, int count) {
#if defined(__AVX512F__)
  Pack<Real> low;
  Pack<Real> high;
  const unsigned numbers = (1U << count << count) - 1;
  if constexpr (sizeof(Real) == 4) {
    low = reinterpret_cast<Pack<Real>>(_mm512_maskz_loadu_ps(static_cast<__mmask16>(numbers), from));
    high = reinterpret_cast<Pack<Real>>(_mm512_maskz_loadu_ps(static_cast<__mmask16>(numbers >> 16), from + 16));
  } else {
    low = reinterpret_cast<Pack<Real>>(_mm512_maskz_loadu_pd(static_cast<__mmask8>(numbers), from));
    high = reinterpret_cast<Pack<Real>>(_mm512_maskz_loadu_pd(static_cast<__mmask8>(numbers >> 8), from + 8));
  }
  return {exec::shuffled<Real, detail::EverySecond<0>>(low, high), exec::shuffled<Real, detail::EverySecond<1>>(low, high)};
#else
  alignas(pack_bytes) Real numbers[2 * lanes<Real>] = {};
  for (int i = 0; i < 2 * count; ++i) {
    numbers[i] = from[i];
  }
  return load_interleaved(numbers);
#endif
}

/// Stores the first `count` numbers, and nothing in place of the others.
template <class Real>
[[gnu::always_inline]] inline void store_interleaved_part(Real* to, PackValue<Real> value, int count) {
#if defined(__AVX512F__)
  const Pack<Real> low = exec::shuffled<Real, detail::InTurn<lanes<Real>, 0>>(value.re, value.im);
  const Pack<Real> high = exec::shuffled<Real, detail::InTurn<lanes<Real>, 1>>(value.re, value.im);
  const unsigned numbers = (1U << count << count) - 1;
  if constexpr (sizeof(Real) == 4) {
    _mm512_mask_storeu_ps(to, static_cast<__mmask16>(numbers), reinterpret_cast<__m512>(low));
    _mm512_mask_storeu_ps(to + 16, static_cast<__mmask16>(numbers >> 16), reinterpret_cast<__m512>(high));
  } else {
    _mm512_mask_storeu_pd(to, static_cast<__mmask8>(numbers), reinterpret_cast<__m512d>(low));
    _mm512_mask_storeu_pd(to + 8, static_cast<__mmask8>(numbers >> 8), reinterpret_cast<__m512d>(high));
  }
#else
  alignas(pack_bytes) Real numbers[2 * lanes<Real>];
  store_interleaved(numbers, value);
  for (int i = 0; i < 2 * count; ++i) {
    to[i] = numbers[i];
  }
#endif
}

/// Number j of line i, `step` from one line to the next, becomes lane i of packs[j].
template <class Real>
[[gnu::always_inline]] inline void load_transposed(const Real* from, index_t step, Pack<Real> (&packs)[lanes<Real>]) {
#pragma GCC unroll 16
  for (int i = 0; i < lanes<Real>; ++i) {
    packs[i] = load_pack(from + i * step);
  }
  transpose<Real>(packs);
}

/// The reverse of load_transposed; `packs` are used up.
template <class Real>
[[gnu::always_inline]] inline void store_transposed(Pack<Real> (&packs)[lanes<Real>], Real* to, index_t step,
                                                    Stores stores = Stores::cached) {
  transpose<Real>(packs);
#pragma GCC unroll 16
  for (int i = 0; i < lanes<Real>; ++i) {
    store_pack(to + i * step, packs[i], stores);
  }
}

}  // namespace phpc::fft
