#pragma once
#include "fft/host/memory/crew.hpp"
#include "fft/host/packs/pack.hpp"

namespace phpc::fft::detail {

template <bool Swapped, class T>
[[gnu::always_inline]] inline Complex<T> maybe_swapped(Complex<T> value) {
  return Swapped ? Complex<T>{value.im, value.re} : value;
}

/// Does the columns of a transform of N1 * n2 elements in four steps (FourStepSplit), twiddles and transposition included, for an
/// N1 of one butterfly. HostTransform and BlockTwiddles do the same for any N1; here all stays in registers from the line to the
/// matrix. Blocks [first, last) of n2; N1 and n2 are multiples of a pack's lanes. `twiddles` come block by block, and in each by
/// k1; `matrix` is a BlockedMatrix.
template <int N1, bool Swapped, class Real>
void twiddled_columns(const Real* line, index_t n2, index_t first, index_t last, const PackValue<Real>* twiddles,
                      PackValue<Real>* matrix, index_t block_stride, Prefetcher& prefetcher) {
  constexpr int width = lanes<Real>;
  for (index_t block = first; block < last; ++block) {
    prefetcher.step();
    const Real* const from = line + 2 * block * width;
    PackValue<Real> v[N1];
#pragma GCC unroll 16
    for (int j1 = 0; j1 < N1; ++j1) {
      v[j1] = maybe_swapped<Swapped>(load_interleaved(from + 2 * j1 * n2));
    }
    butterfly<N1>(v);
    const PackValue<Real>* const block_twiddles = twiddles + block * N1;
    // Four rows apart, as a butterfly of 16 ends: shuffles between its sums, and fewer packs that wait.
    Pack<Real> re[N1];
    Pack<Real> im[N1];
#pragma GCC unroll 4
    for (int offset = 0; offset < 4; ++offset) {
#pragma GCC unroll 16
      for (int k1 = offset; k1 < N1; k1 += 4) {
        const PackValue<Real> twiddled = v[k1] * block_twiddles[k1];
        re[k1] = twiddled.re;
        im[k1] = twiddled.im;
      }
#pragma GCC unroll 16
      for (int row = 0; row < N1; row += width) {
        transpose_long_runs<Real>(re + row, offset);
        transpose_long_runs<Real>(im + row, offset);
      }
      if constexpr (N1 == 16) {
        PackValue<Real> done[] = {{re[offset], im[offset]},
                                  {re[offset + 4], im[offset + 4]},
                                  {re[offset + 8], im[offset + 8]},
                                  {re[offset + 12], im[offset + 12]}};
        Settled<Pack<Real>>::settle(done);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) {
          re[offset + 4 * i] = done[i].re;
          im[offset + 4 * i] = done[i].im;
        }
      }
    }
#pragma GCC unroll 16
    for (int row = 0; row < N1; row += width) {
      transpose_short_runs<Real>(re + row);
      transpose_short_runs<Real>(im + row);
      Real* const to = reinterpret_cast<Real*>(matrix + row / width * block_stride + block * width);
#pragma GCC unroll 16
      for (int i = 0; i < width; ++i) {
        store_pack(to + 2 * i * width, re[row + i]);
        store_pack(to + (2 * i + 1) * width, im[row + i]);
      }
    }
  }
}

}  // namespace phpc::fft::detail
