#pragma once
#include <cstdint>
#include <utility>

#include "fft/host/packs/fused.hpp"
#include "fft/math/butterflies.hpp"
#include "phpc/core/types.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

/// SIMD packs of the host: the compiler's vector types, as wide as the instruction set that the code is built for.
namespace phpc::fft {

#if defined(__AVX512F__)
inline constexpr int pack_bytes = 64;
#elif defined(__AVX__)
inline constexpr int pack_bytes = 32;
#else
inline constexpr int pack_bytes = 16;
#endif

template <class Real>
struct PackOf {
  using type [[gnu::vector_size(pack_bytes)]] = Real;
};
template <class Real>
using Pack = typename PackOf<Real>::type;

/// Lanes of a pack: as many transforms go side by side.
template <class Real>
inline constexpr int lanes = pack_bytes / static_cast<int>(sizeof(Real));

/// One element of `lanes` transforms.
template <class Real>
using PackValue = Complex<Pack<Real>>;

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
// A scalar minus zeros is that scalar in every lane.
[[gnu::always_inline]] inline Complex<fft::Pack<float>> operator*(Complex<fft::Pack<float>> a, Complex<float> b) {
  return a * Complex<fft::Pack<float>>{b.re - fft::Pack<float>{}, b.im - fft::Pack<float>{}};
}
[[gnu::always_inline]] inline Complex<fft::Pack<double>> operator*(Complex<fft::Pack<double>> a, Complex<double> b) {
  return a * Complex<fft::Pack<double>>{b.re - fft::Pack<double>{}, b.im - fft::Pack<double>{}};
}

/// a + b * factor
[[gnu::always_inline]] inline Complex<fft::Pack<float>> plus_scaled(Complex<fft::Pack<float>> a, Complex<fft::Pack<float>> b,
                                                                    float factor) {
  const fft::Pack<float> factors = factor - fft::Pack<float>{};
  return {fft::fused(b.re, factors, a.re), fft::fused(b.im, factors, a.im)};
}
[[gnu::always_inline]] inline Complex<fft::Pack<double>> plus_scaled(Complex<fft::Pack<double>> a, Complex<fft::Pack<double>> b,
                                                                     double factor) {
  const fft::Pack<double> factors = factor - fft::Pack<double>{};
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

template <class Real>
[[gnu::always_inline]] inline Pack<Real> load_pack(const Real* from) {
  Pack<Real> pack;
  __builtin_memcpy(&pack, from, sizeof(pack));
  return pack;
}

template <class Real>
[[gnu::always_inline]] inline void store_pack(Real* to, Pack<Real> pack) {
  __builtin_memcpy(to, &pack, sizeof(pack));
}

/// Whether stores go past the caches: for results that do not fit there. `to` is then aligned to a pack.
enum class Stores { cached, streamed };

template <class Real>
[[gnu::always_inline]] inline void store_pack(Real* to, Pack<Real> pack, Stores stores) {
  if (stores == Stores::cached) {
    store_pack(to, pack);
    return;
  }
#if defined(__AVX512F__)
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), reinterpret_cast<__m512i>(pack));
#elif defined(__AVX__)
  _mm256_stream_si256(reinterpret_cast<__m256i*>(to), reinterpret_cast<__m256i>(pack));
#elif defined(__SSE2__)
  _mm_stream_si128(reinterpret_cast<__m128i*>(to), reinterpret_cast<__m128i>(pack));
#else
  store_pack(to, pack);
#endif
}

/// Makes streamed stores of this thread visible before what it stores next.
inline void finish_streamed_stores() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

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

/// Lane i of the result is lane Where{}(i) of a and b one after the other.
template <class Real, class Where, int... I>
[[gnu::always_inline]] inline Pack<Real> shuffled(Pack<Real> a, Pack<Real> b, std::integer_sequence<int, I...> /*lanes*/) {
  return __builtin_shufflevector(a, b, Where{}(I)...);
}

template <class Real, class Where>
[[gnu::always_inline]] inline Pack<Real> shuffled(Pack<Real> a, Pack<Real> b) {
  return shuffled<Real, Where>(a, b, std::make_integer_sequence<int, lanes<Real>>{});
}

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

/// Runs of `Run` lanes of a and b in turn within each `Block` lanes, from the lower (0) or upper (1) half of the block.
template <int Lanes, int Block, int Run, int Half>
struct RunsInTurn {
  constexpr int operator()(int i) const {
    const int within = i % Block;
    const int run = within / Run;
    return i / Block * Block + Half * (Block / 2) + run / 2 * Run + within % Run + run % 2 * Lanes;
  }
};

}  // namespace detail

/// The lanes in reverse order.
template <class Real>
[[gnu::always_inline]] inline Pack<Real> reversed(Pack<Real> a) {
  return detail::shuffled<Real, detail::Backward<lanes<Real>>>(a, a);
}

/// `lanes` interleaved complex numbers.
template <class Real>
[[gnu::always_inline]] inline PackValue<Real> load_interleaved(const Real* from) {
  const Pack<Real> low = load_pack(from);
  const Pack<Real> high = load_pack(from + lanes<Real>);
  return {detail::shuffled<Real, detail::EverySecond<0>>(low, high), detail::shuffled<Real, detail::EverySecond<1>>(low, high)};
}

template <class Real>
[[gnu::always_inline]] inline void store_interleaved(Real* to, PackValue<Real> value, Stores stores = Stores::cached) {
  store_pack<Real>(to, detail::shuffled<Real, detail::InTurn<lanes<Real>, 0>>(value.re, value.im), stores);
  store_pack<Real>(to + lanes<Real>, detail::shuffled<Real, detail::InTurn<lanes<Real>, 1>>(value.re, value.im), stores);
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
  return {detail::shuffled<Real, detail::EverySecond<0>>(low, high), detail::shuffled<Real, detail::EverySecond<1>>(low, high)};
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
  const Pack<Real> low = detail::shuffled<Real, detail::InTurn<lanes<Real>, 0>>(value.re, value.im);
  const Pack<Real> high = detail::shuffled<Real, detail::InTurn<lanes<Real>, 1>>(value.re, value.im);
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

namespace detail {

/// Exchanges runs of `Run` lanes between rows `Run` apart, and then longer ones below `End`, in rows first, first + step, ...
template <class Real, int Run, int End>
[[gnu::always_inline]] inline void transpose_runs(Pack<Real>* rows, int first, int step) {
  if constexpr (Run < End) {
#pragma GCC unroll 16
    for (int i = first; i < lanes<Real>; i += step) {
      if ((i & Run) == 0) {
        const Pack<Real> a = rows[i];
        const Pack<Real> b = rows[i + Run];
        rows[i] = shuffled<Real, RunsInTurn<lanes<Real>, 2 * Run, Run, 0>>(a, b);
        rows[i + Run] = shuffled<Real, RunsInTurn<lanes<Real>, 2 * Run, Run, 1>>(a, b);
      }
    }
    transpose_runs<Real, 2 * Run, End>(rows, first, step);
  }
}

}  // namespace detail

/// Two parts of transpose(), in either order; every step is one instruction a row. The first: runs of fewer than four lanes, in
/// single precision within 16 bytes.
template <class Real>
[[gnu::always_inline]] inline void transpose_short_runs(Pack<Real>* rows) {
  using detail::RunsInTurn;
  using detail::shuffled;
  constexpr int count = lanes<Real>;
  if constexpr (sizeof(Real) == 4) {
#pragma GCC unroll 16
    for (int i = 0; i < count; i += 4) {
      const Pack<Real> low01 = shuffled<Real, RunsInTurn<count, 4, 1, 0>>(rows[i], rows[i + 1]);
      const Pack<Real> high01 = shuffled<Real, RunsInTurn<count, 4, 1, 1>>(rows[i], rows[i + 1]);
      const Pack<Real> low23 = shuffled<Real, RunsInTurn<count, 4, 1, 0>>(rows[i + 2], rows[i + 3]);
      const Pack<Real> high23 = shuffled<Real, RunsInTurn<count, 4, 1, 1>>(rows[i + 2], rows[i + 3]);
      rows[i] = shuffled<Real, RunsInTurn<count, 4, 2, 0>>(low01, low23);
      rows[i + 1] = shuffled<Real, RunsInTurn<count, 4, 2, 1>>(low01, low23);
      rows[i + 2] = shuffled<Real, RunsInTurn<count, 4, 2, 0>>(high01, high23);
      rows[i + 3] = shuffled<Real, RunsInTurn<count, 4, 2, 1>>(high01, high23);
    }
  } else {
    detail::transpose_runs<Real, 1, (count < 4 ? count : 4)>(rows, 0, 1);
  }
}

/// The second: of rows first, first + 4, ..., which it needs no others for, runs of four lanes and more.
template <class Real>
[[gnu::always_inline]] inline void transpose_long_runs(Pack<Real>* rows, int first) {
  detail::transpose_runs<Real, 4, lanes<Real>>(rows, first, 4);
}

/// Lane j of row i becomes lane i of row j.
template <class Real>
[[gnu::always_inline]] inline void transpose(Pack<Real> (&rows)[lanes<Real>]) {
  transpose_short_runs<Real>(rows);
  detail::transpose_runs<Real, 4, lanes<Real>>(rows, 0, 1);
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
