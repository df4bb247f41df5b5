#pragma once
#include <vector>

#include "phpc/core/types.hpp"

/// A transform of any length as a convolution (L. Bluestein, "A linear filtering approach to the computation of the discrete
/// Fourier transform", 1970): X[k] = c[k] sum_j (x[j] c[j]) / c[k - j] with the chirp c[j] = exp(-pi i j^2 / n), since
/// 2jk = j^2 + k^2 - (k - j)^2; a convolution with 1/c = conj(c), done cyclically at a smooth length that has room for all k - j.
namespace phpc::fft {

/// Returns the chirp c[0 .. n). Its angles are reduced in integers, so that they are exact.
std::vector<Complex<double>> chirp(index_t n);

/// How many elements x[j] are there, from the first on, and how many results X[k] are wanted: n of both, or n / 2 + 1 where one
/// side is half a spectrum.
struct ChirpExtents {
  index_t elements;
  index_t results;

  /// The least length of a convolution that does this.
  [[nodiscard]] index_t least_padded() const { return elements + results - 1; }
};

/// Returns Bluestein's filter, of which transforms need the spectrum: conj(c) laid out cyclically over `padded` elements and
/// divided by `padded`, which is at least extents.least_padded().
std::vector<Complex<double>> bluestein_filter(const std::vector<Complex<double>>& chirp, index_t padded,
                                              const ChirpExtents& extents);

}  // namespace phpc::fft
