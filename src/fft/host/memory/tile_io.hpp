#pragma once
#include "fft/host/memory/crew.hpp"
#include "fft/host/packs/pack.hpp"
#include "phpc/fft/array.hpp"

namespace phpc::fft {

/// Where the lines of a tile begin, in elements of their array.
template <class Real>
struct TileLines {
  index_t at[lanes<Real>];
  int count;  ///< lines that there are; the lanes beyond repeat the last one
};

/// Reads `count` elements, `stride` apart, of each line into to[0 .. count), real and imaginary part exchanged where `swapped`.
/// Of a real array an element is a pair of neighbours (its stride that of the numbers). The prefetcher steps with every pack of a
/// line.
template <class Real>
void load_tile(Array<const Real> array, const TileLines<Real>& lines, index_t stride, index_t count, bool swapped,
               PackValue<Real>* to, Prefetcher& prefetcher);
/// Reads single real numbers in the same way, with imaginary parts of zero.
template <class Real>
void load_real_tile(const Real* array, const TileLines<Real>& lines, index_t stride, index_t count, PackValue<Real>* to);

/// Writes what load_tile reads, times `scale`, of those lines that there are.
template <class Real>
void store_tile(const PackValue<Real>* from, bool swapped, Real scale, Array<Real> array, const TileLines<Real>& lines,
                index_t stride, index_t count, Stores stores, Prefetcher& prefetcher);
/// Writes single real numbers in the same way: the real parts, or where `swapped` the imaginary ones.
template <class Real>
void store_real_tile(const PackValue<Real>* from, bool swapped, Real scale, Real* array, const TileLines<Real>& lines,
                     index_t stride, index_t count);

}  // namespace phpc::fft
