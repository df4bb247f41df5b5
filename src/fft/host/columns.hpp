#pragma once
#include "fft/host/crew.hpp"
#include "fft/host/pack.hpp"

namespace phpc::fft::detail {

template <bool Swapped, class T>
[[gnu::always_inline]] inline Complex<T> maybe_swapped(Complex<T> value) {
  return Swapped ? Complex<T>{value.im, value.re} : value;
}

/// The first half of a transform of N1 * n2 elements in four steps (FourStepSplit), for an N1 of one butterfly: what
/// HostTransform and BlockTwiddles do for any N1, but from the line to the matrix in registers. Blocks [first, last) of n2;
/// N1 and n2 are multiples of a pack's lanes. `twiddles` come block by block, and in each by k1; `matrix` is a BlockedMatrix.
template <int N1, bool Swapped, class Real>
void turned_columns(const Real* line, index_t n2, index_t first, index_t last, const PackValue<Real>* twiddles,
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
    const PackValue<Real>* const turns = twiddles + block * N1;
#pragma GCC unroll 16
    for (int row = 0; row < N1; row += width) {
      Pack<Real> re[width];
      Pack<Real> im[width];
#pragma GCC unroll 16
      for (int k1 = 0; k1 < width; ++k1) {
        const PackValue<Real> turned = v[row + k1] * turns[row + k1];
        re[k1] = turned.re;
        im[k1] = turned.im;
      }
      PackValue<Real>* const to = matrix + row / width * block_stride + block * width;
      store_transposed<Real>(re, reinterpret_cast<Real*>(&to->re), 2 * width);
      store_transposed<Real>(im, reinterpret_cast<Real*>(&to->im), 2 * width);
    }
  }
}

}  // namespace phpc::fft::detail
