#pragma once
#include <algorithm>

#include "fft/host/narrow/narrow_line_fft.hpp"
#include "fft/host/narrow/narrow_pack.hpp"
#include "fft/host/transforms/one_butterfly.hpp"

/// The stages of NarrowLineFft.
namespace phpc::fft::detail {

template <int R, class Real, int Width>
[[gnu::always_inline]] inline void exchange_parts(NarrowPack<Real, Width> (&v)[R]) {
#pragma GCC unroll 32
  for (int q = 0; q < R; ++q) {
    v[q] = parts_exchanged(v[q]);
  }
}

template <int R, class Real, int Width>
[[gnu::always_inline]] inline void scale_all(NarrowPack<Real, Width> (&v)[R], Real scale) {
#pragma GCC unroll 32
  for (int q = 0; q < R; ++q) {
    v[q] = scaled(v[q], scale);
  }
}

/// Runs a stage that is not the last: butterflies j = 0 ... span - 1 of inputs j + q * span, in packs of neighbours, times the
/// twiddles of the stages to come. The last pack of a span overlaps the one before it, so that all of them are whole.
template <int R, int Width, class Real>
void run_stage(const NarrowStage<Real>& stage, const Real* from, Real* to) {
  const index_t span = stage.span;
  const index_t last = span - Width;
  const index_t end = stage.groups * R * span;
  const bool exchanges = stage.exchanges_in;
  const Real scale = stage.scale;
  for (index_t base = 0; base < end; base += R * span) {
    const Real* w = stage.twiddles;
    for (index_t next = 0; next < span; next += Width) {
      const index_t j = base + std::min(next, last);
      NarrowPack<Real, Width> v[R];
#pragma GCC unroll 16
      for (int q = 0; q < R; ++q) {
        v[q] = load_narrow<Width>(from + 2 * (j + q * span));
      }
      if (exchanges) {
        exchange_parts(v);
      }
      butterfly<R>(v);
      if (scale != 1) {
        v[0] = scaled(v[0], scale);
      }
      store_narrow(to + 2 * j, v[0]);
#pragma GCC unroll 16
      for (int q = 1; q < R; ++q) {
        store_narrow(to + 2 * (j + q * span),
                     product(v[q], load_narrow<Width>(w).lanes, load_narrow<Width>(w + 2 * Width).lanes));
        w += 4 * Width;
      }
    }
  }
}

/// Runs the last stage: butterflies of R neighbours each, which begin at `positions`; output q of butterfly k is frequency k + q
/// * groups.
template <int R, int Width, class Real>
void run_last_stage(const NarrowStage<Real>& stage, const Real* from, Real* to) {
  const index_t groups = stage.groups;
  const index_t last = groups - Width;
  const std::int32_t* const positions = stage.positions;
  const bool exchanges = stage.exchanges_out;
  const Real scale = stage.scale;
  for (index_t next = 0; next < groups; next += Width) {
    const index_t k = std::min(next, last);
    const Real* places[Width];
#pragma GCC unroll 8
    for (int i = 0; i < Width; ++i) {
      places[i] = from + positions[k + i];
    }
    NarrowPack<Real, Width> v[R];
#pragma GCC unroll 16
    for (int q = 0; q < R; ++q) {
      v[q] = load_each<Width>(places, 2 * q);
    }
    butterfly<R>(v);
    if (scale != 1) {
      scale_all(v, scale);
    }
    if (exchanges) {
      exchange_parts(v);
    }
#pragma GCC unroll 16
    for (int q = 0; q < R; ++q) {
      store_narrow(to + 2 * (k + q * groups), v[q]);
    }
  }
}

/// A transform of one butterfly.
template <int R, class Real>
void run_only_stage(const NarrowStage<Real>& stage, const Real* from, Real* to) {
  NarrowPack<Real, 1> v[R];
#pragma GCC unroll 32
  for (int q = 0; q < R; ++q) {
    v[q] = load_narrow<1>(from + 2 * q);
  }
  const bool exchanges = stage.exchanges_in;
  if (exchanges) {
    exchange_parts(v);
  }
  line_butterfly<R>(v);
  if (stage.scale != 1) {
    scale_all(v, stage.scale);
  }
  if (exchanges) {
    exchange_parts(v);
  }
#pragma GCC unroll 32
  for (int q = 0; q < R; ++q) {
    store_narrow(to + 2 * q, v[q]);
  }
}

}  // namespace phpc::fft::detail
