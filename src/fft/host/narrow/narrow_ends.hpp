#pragma once
#include <algorithm>

#include "fft/host/narrow/narrow_line_fft.hpp"
#include "fft/host/narrow/narrow_pack.hpp"

/// Stages of NarrowLineFft beside those of a transform: of real lines, and of convolutions.
namespace phpc::fft::detail {

/// Makes elements 0 and h as HostHalves does.
template <bool IsForward, class Real>
[[gnu::always_inline]] inline void halve_ends(const Real* from, Real* to, index_t h, Real scale) {
  const Real first = from[0];
  const Real second = IsForward ? from[1] : from[2 * h];
  to[0] = (first + second) * scale;
  if constexpr (IsForward) {
    to[1] = 0 * scale;
    to[2 * h] = (first - second) * scale;
    to[2 * h + 1] = 0 * scale;
  } else {
    to[1] = (first - second) * scale;
  }
}

/// Replaces elements k and h - k as HostHalves does: `a` holds the lower ones, `b` the upper ones. `w` is two packs.
template <bool IsForward, class Real, int Width>
[[gnu::always_inline]] inline void halve_pair(NarrowPack<Real, Width>& a, NarrowPack<Real, Width>& b, const Real* w) {
  const NarrowPack<Real, Width> conjugate = conj(b);
  const NarrowPack<Real, Width> sum = IsForward ? scaled(a + conjugate, Real{0.5}) : a + conjugate;
  const NarrowPack<Real, Width> difference =
      product(a - conjugate, load_narrow<Width>(w).lanes, load_narrow<Width>(w + 2 * Width).lanes);
  a = sum + difference;
  b = conj(sum - difference);
}

/// Makes pairs k and h - k in packs, from k on, while the packs from both ends do not meet.
template <bool IsForward, int Width, class Real>
[[gnu::always_inline]] inline void halve_packs(const Real* from, Real* to, index_t h, Real scale, index_t& k, const Real*& w) {
  const auto meets = [h](index_t first) { return Width == 1 ? 2 * first > h : 2 * (first + Width - 1) >= h; };
  for (; !meets(k); k += Width) {
    const index_t opposite = h - k - Width + 1;
    NarrowPack<Real, Width> a = load_narrow<Width>(from + 2 * k);
    NarrowPack<Real, Width> b = reversed(load_narrow<Width>(from + 2 * opposite));
    halve_pair<IsForward>(a, b, w);
    if (scale != 1) {
      a = scaled(a, scale);
      b = scaled(b, scale);
    }
    store_narrow(to + 2 * k, a);
    store_narrow(to + 2 * opposite, reversed(b));
    w += 4 * Width;
  }
}

/// Does what HostHalves does: the r2c postprocessing (IsForward) or the c2r preprocessing of a line.
template <bool IsForward, class Real>
void run_halves(const NarrowStage<Real>& stage, const Real* from, Real* to) {
  const index_t h = stage.span;
  const Real scale = stage.scale;
  halve_ends<IsForward>(from, to, h, scale);
  index_t k = 1;
  const Real* w = stage.twiddles;
  if constexpr (narrow_width<Real> >= 4) {
    halve_packs<IsForward, 4>(from, to, h, scale, k, w);
  }
  if constexpr (narrow_width<Real> >= 2) {
    halve_packs<IsForward, 2>(from, to, h, scale, k, w);
  }
  halve_packs<IsForward, 1>(from, to, h, scale, k, w);
}

/// Transforms a line of 2 R real numbers, forward or back: run_halves() and the butterfly of R, in registers.
template <int R, bool IsForward, class Real>
void run_only_halved(const NarrowStage<Real>& stage, const Real* from, Real* to) {
  using Pack = NarrowPack<Real, 1>;
  const Real scale = stage.scale;
  Pack v[R];
#pragma GCC unroll 16
  for (int q = 0; q < R; ++q) {
    v[q] = load_narrow<1>(from + 2 * q);
  }
  const auto halve = [&] {
#pragma GCC unroll 16
    for (int k = 1; 2 * k <= R; ++k) {
      Pack a = v[k];
      Pack b = v[R - k];
      halve_pair<IsForward>(a, b, stage.twiddles + 4 * (k - 1));
      v[k] = a;
      v[R - k] = b;
    }
  };
  if constexpr (IsForward) {
    butterfly<R>(v);
    const Real z[] = {v[0].lanes[0], v[0].lanes[1]};
    halve();
    if (scale != 1) {
#pragma GCC unroll 16
      for (int q = 1; q < R; ++q) {
        v[q] = scaled(v[q], scale);
      }
    }
    halve_ends<true>(z, to, R, scale);
#pragma GCC unroll 16
    for (int q = 1; q < R; ++q) {
      store_narrow(to + 2 * q, v[q]);
    }
  } else {
    const Real x0 = from[0];
    const Real xh = from[2 * R];
    v[0].lanes = typename Pack::Lanes{x0 + xh, x0 - xh};
    halve();
#pragma GCC unroll 16
    for (int q = 0; q < R; ++q) {
      v[q] = parts_exchanged(v[q]);
    }
    butterfly<R>(v);
#pragma GCC unroll 16
    for (int q = 0; q < R; ++q) {
      store_narrow(to + 2 * q, scale != 1 ? parts_exchanged(scaled(v[q], scale)) : parts_exchanged(v[q]));
    }
  }
}

/// Transforms a line of R real numbers, R odd, forward, as complex numbers without imaginary parts.
template <int R, class Real>
void run_only_from_real(const NarrowStage<Real>& stage, const Real* from, Real* to) {
  using Pack = NarrowPack<Real, 1>;
  Pack v[R];
#pragma GCC unroll 16
  for (int q = 0; q < R; ++q) {
    v[q].lanes = typename Pack::Lanes{from[q], Real{0}};
  }
  butterfly<R>(v);
#pragma GCC unroll 16
  for (int q = 0; q <= R / 2; ++q) {
    store_narrow(to + 2 * q, stage.scale != 1 ? scaled(v[q], stage.scale) : v[q]);
  }
}

/// Transforms back: R / 2 + 1 elements to R real numbers, R odd.
template <int R, class Real>
void run_only_to_real(const NarrowStage<Real>& stage, const Real* from, Real* to) {
  using Pack = NarrowPack<Real, 1>;
  Pack v[R];
  v[0].lanes = typename Pack::Lanes{Real{0}, from[0]};
#pragma GCC unroll 16
  for (int q = 1; q <= R / 2; ++q) {
    const Pack value = load_narrow<1>(from + 2 * q);
    v[q] = parts_exchanged(value);
    v[R - q] = parts_exchanged(conj(value));
  }
  butterfly<R>(v);
#pragma GCC unroll 16
  for (int q = 0; q < R; ++q) {
    to[q] = v[q].lanes[1] * stage.scale;
  }
}

/// Copies real numbers as complex ones.
template <class Real>
void run_widening(const NarrowStage<Real>& stage, const Real* from, Real* to) {
  for (index_t j = 0; j < stage.span; ++j) {
    to[2 * j] = from[j];
    to[2 * j + 1] = 0;
  }
}

/// Copies the first half of a spectrum of n elements, 0 ... n/2, of whose conjugates the rest consists.
template <class Real>
void run_halving(const NarrowStage<Real>& stage, const Real* from, Real* to) {
  std::copy_n(from, 2 * (stage.span / 2 + 1), to);
}

/// Makes a whole spectrum of its first half, by conjugation.
template <class Real>
void run_conjugates(const NarrowStage<Real>& stage, const Real* from, Real* to) {
  const index_t n = stage.span;
  to[0] = from[0];
  to[1] = 0;  // of a real result element 0 is real
  for (index_t k = 1; k <= n / 2; ++k) {
    const NarrowPack<Real, 1> value = load_narrow<1>(from + 2 * k);
    store_narrow(to + 2 * k, value);
    store_narrow(to + 2 * (n - k), conj(value));
  }
}

/// Copies the real parts of complex numbers.
template <class Real>
void run_narrowing(const NarrowStage<Real>& stage, const Real* from, Real* to) {
  for (index_t j = 0; j < stage.span; ++j) {
    to[j] = from[2 * j];
  }
}

/// Multiplies `span` elements by a table, and writes zeros behind them up to `groups` elements: the chirp and the filter of a
/// convolution.
template <int Width, class Real>
void run_products(const NarrowStage<Real>& stage, const Real* from, Real* to) {
  const index_t last = stage.span - Width;
  const Real* w = stage.twiddles;
  const Real scale = stage.scale;
  for (index_t next = 0; next < stage.span; next += Width) {
    const index_t j = std::min(next, last);
    NarrowPack<Real, Width> value = load_narrow<Width>(from + 2 * j);
    value = stage.exchanges_in ? parts_exchanged(value) : value;
    value = product(value, load_narrow<Width>(w).lanes, load_narrow<Width>(w + 2 * Width).lanes);
    value = scale != 1 ? scaled(value, scale) : value;
    store_narrow(to + 2 * j, stage.exchanges_out ? parts_exchanged(value) : value);
    w += 4 * Width;
  }
  std::fill(to + 2 * stage.span, to + 2 * std::max(stage.span, stage.groups), Real{0});
}

}  // namespace phpc::fft::detail
