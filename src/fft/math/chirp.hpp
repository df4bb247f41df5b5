#pragma once
#include <vector>

#include "phpc/core/types.hpp"

/// A transform of any length as a convolution (L. Bluestein, "A linear filtering approach to the computation of the discrete
/// Fourier transform", 1970): X[k] = c[k] sum_j (x[j] c[j]) / c[k - j] with the chirp c[j] = exp(-pi i j^2 / n), since
/// 2jk = j^2 + k^2 - (k - j)^2; a convolution with 1/c = conj(c), done cyclically at a smooth length that has room for all k - j.
namespace phpc::fft {

/// c[0 .. n), the angles reduced in integers and so exact.
std::vector<Complex<double>> chirp(index_t n);

/// How many elements x[j] are there, from the first on, and how many results X[k] are wanted: of n each, or of half a spectrum.
struct ChirpExtents {
  index_t elements;
  index_t results;

  /// What a convolution has room for at least.
  [[nodiscard]] index_t least_padded() const { return elements + results - 1; }
};

/// conj(c) laid out cyclically over `padded` elements and divided by `padded`: what is to be transformed to get the filter's
/// spectrum. `padded` is at least that of the part.
std::vector<Complex<double>> bluestein_filter(const std::vector<Complex<double>>& chirp, index_t padded,
                                              const ChirpExtents& part);

}  // namespace phpc::fft
