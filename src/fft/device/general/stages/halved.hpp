#pragma once
#include "fft/device/general/stages/memory.hpp"
#include "fft/device/general/stages/stage.hpp"
#include "phpc/core/types.hpp"

/// Loads and stores of butterflies of odd radix R on the side of their conjugate pairs: from real numbers results are such pairs,
/// to real numbers elements are (OddReals). Scratch holds H = (R + 1) / 2 places of one: the first of each pair v[q] = conj(v[R -
/// q]); or real numbers, v[q] as the real part of place q and v[q + H] as its imaginary part.
namespace phpc::fft {

template <OddReals Reals, int R, class Real>
[[gnu::always_inline]] inline void load_halved(Complex<Real> (&v)[R], const ScratchElements<Real>& elements) {
  constexpr int held = (R + 1) / 2;
  if constexpr (Reals == OddReals::from) {
#pragma GCC unroll 32
    for (int q = 0; q < held; ++q) {
      const Complex<Real> two = elements.get(static_cast<unsigned>(q));
      v[q] = {two.re, 0};
      if (q + held < R) {
        v[q + held] = {two.im, 0};
      }
    }
  } else {
#pragma GCC unroll 32
    for (int q = 0; q < held; ++q) {
      v[q] = elements.get(static_cast<unsigned>(q));
      if (q > 0) {
        v[R - q] = conj(v[q]);
      }
    }
  }
}

template <OddReals Reals, int R, class Real>
[[gnu::always_inline]] inline void store_halved(const Complex<Real> (&v)[R], const ScratchElements<Real>& elements) {
  constexpr int held = (R + 1) / 2;
#pragma GCC unroll 32
  for (int q = 0; q < held; ++q) {
    if constexpr (Reals == OddReals::from) {
      elements.set(static_cast<unsigned>(q), v[q]);
    } else {
      elements.set(static_cast<unsigned>(q), {v[q].re, q + held < R ? v[q + held].re : Real{0}});
    }
  }
}

}  // namespace phpc::fft
