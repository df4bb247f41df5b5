#pragma once
#include "fft/host/packs/pieces.hpp"
#include "fft/host/short_lines/short_line_fft.hpp"
#include "fft/host/transforms/columns.hpp"
#include "fft/host/transforms/one_butterfly.hpp"

/// The kernels of ShortLineFft.
namespace phpc::fft::detail {

/// R elements a line, a line in each lane.
template <int R, bool Swapped, class Real>
void run_butterflies(Real scale, const LineRun<Real>& lines) {
  constexpr int width = lanes<Real>;
  const Real* from = lines.from;
  Real* to = lines.to;
  for (index_t group = 0; group < lines.groups; ++group) {
    Pack<Real> parts[2 * R];
    load_lines<2 * R, Real>(from, lines.from_step, parts);
#pragma GCC unroll 4
    for (int first = 0; first < 2 * R; first += width) {
#pragma GCC unroll 16
      for (int lane = 0; lane < width; ++lane) {
        // Two groups on: the ends of lines keep the processor from seeing what comes.
        __builtin_prefetch(from + first + (2 * width + lane) * lines.from_step);
      }
    }
    PackValue<Real> v[R];
#pragma GCC unroll 32
    for (int k = 0; k < R; ++k) {
      v[k] = maybe_swapped<Swapped>(PackValue<Real>{parts[2 * k], parts[2 * k + 1]});
    }
    line_butterfly<R>(v);
    if (scale != 1) {
#pragma GCC unroll 32
      for (int k = 0; k < R; ++k) {
        v[k] = scaled(v[k], scale);
      }
    }
#pragma GCC unroll 32
    for (int k = 0; k < R; ++k) {
      const PackValue<Real> value = maybe_swapped<Swapped>(v[k]);
      parts[2 * k] = value.re;
      parts[2 * k + 1] = value.im;
    }
    store_lines<2 * R, Real>(parts, to, lines.to_step, lines.stores);
    from += width * lines.from_step;
    to += width * lines.to_step;
  }
}

/// Does the butterflies of N1 of a group and multiplies by the twiddles: row k1 of line l to row l * N1 + k1 of either part.
template <int N1, bool Swapped, class Real>
[[gnu::always_inline]] inline void run_columns(const Real* from, index_t step, const PackValue<Real>* twiddles,
                                               Pack<Real> (&re)[lanes<Real>], Pack<Real> (&im)[lanes<Real>]) {
  constexpr int width = lanes<Real>;
  constexpr int group = width / N1;
  for (int line = 0; line < group; ++line) {
    PackValue<Real> v[N1];
#pragma GCC unroll 16
    for (int j1 = 0; j1 < N1; ++j1) {
      const Real* const place = from + line * step + 2 * j1 * width;
      v[j1] = maybe_swapped<Swapped>(load_interleaved(place));
      __builtin_prefetch(place + group * step);
      __builtin_prefetch(place + group * step + width);
    }
    butterfly<N1>(v);
#pragma GCC unroll 16
    for (int k1 = 0; k1 < N1; ++k1) {
      const PackValue<Real> twiddled = v[k1] * twiddles[k1];
      re[line * N1 + k1] = twiddled.re;
      im[line * N1 + k1] = twiddled.im;
    }
  }
}

/// Lines of N1 * lanes elements, lanes / N1 of them in a group.
template <int N1, bool Swapped, class Real>
void run_groups(const PackValue<Real>* twiddles, const LineRun<Real>& lines) {
  constexpr int width = lanes<Real>;
  constexpr int group = width / N1;
  constexpr bool whole_packs = 2 * N1 >= width;
  const bool streams = lines.stores == Stores::streamed;
  alignas(pack_bytes) Real packed[2 * width * width];
  for (index_t index = 0; index < lines.groups; ++index) {
    Pack<Real> re[width];
    Pack<Real> im[width];
    run_columns<N1, Swapped, Real>(lines.from + index * group * lines.from_step, lines.from_step, twiddles, re, im);
    transpose<Real>(re);
    transpose<Real>(im);
    PackValue<Real> v[width];
#pragma GCC unroll 16
    for (int j2 = 0; j2 < width; ++j2) {
      v[j2] = {re[j2], im[j2]};
    }
    butterfly<width>(v);
    Real* const to = lines.to + index * group * lines.to_step;
    // Pieces of N1 elements of each line: those shorter than a pack are put together before they are streamed.
    const bool packs = streams && !whole_packs;
    Real* const piece = packs ? packed : to;
    const index_t step = packs ? 2 * N1 * width : lines.to_step;
#pragma GCC unroll 16
    for (int k2 = 0; k2 < width; ++k2) {
      const PackValue<Real> value = maybe_swapped<Swapped>(v[k2]);
      alignas(pack_bytes) Real both[2 * width];
      store_interleaved(both, value);
#pragma GCC unroll 16
      for (int line = 0; line < group; ++line) {
        if constexpr (whole_packs) {
#pragma GCC unroll 2
          for (int part = 0; part < 2 * N1; part += width) {
            store_pack<Real>(piece + line * step + 2 * k2 * N1 + part, load_pack(both + 2 * line * N1 + part), lines.stores);
          }
        } else {
          __builtin_memcpy(piece + line * step + 2 * k2 * N1, both + 2 * line * N1, 2 * N1 * sizeof(Real));
        }
      }
    }
    if (packs) {
      for (int line = 0; line < group; ++line) {
        copy_streamed(packed + line * step, to + line * lines.to_step, step);
      }
    }
  }
}

/// Lines of N1 * N2 elements, both at least as long as a pack has lanes and each one butterfly.
template <int N1, int N2, bool Swapped, class Real>
void run_squares(const PackValue<Real>* twiddles, const LineRun<Real>& lines) {
  constexpr int width = lanes<Real>;
  // Two values apart: a power of two would put all blocks into one set of the cache.
  constexpr int block_stride = N2 + 2;
  PackValue<Real> matrix[N1 / width * block_stride];
  for (index_t index = 0; index < lines.groups; ++index) {
    const Real* const from = lines.from + index * lines.from_step;
    Prefetcher next(from + lines.from_step, 2 * N1 * N2 * sizeof(Real), N2 / width);
    twiddled_columns<N1, Swapped, Real>(from, N2, 0, N2 / width, twiddles, matrix, block_stride, next);
    Real* const to = lines.to + index * lines.to_step;
    for (int row = 0; row < N1; row += width) {
      PackValue<Real> v[N2];
#pragma GCC unroll 16
      for (int j2 = 0; j2 < N2; ++j2) {
        v[j2] = matrix[row / width * block_stride + j2];
      }
      butterfly<N2>(v);
#pragma GCC unroll 16
      for (int k2 = 0; k2 < N2; ++k2) {
        store_interleaved(to + 2 * (k2 * N1 + row), maybe_swapped<Swapped>(v[k2]), lines.stores);
      }
    }
  }
}

}  // namespace phpc::fft::detail
