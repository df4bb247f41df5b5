#pragma once
#include <vector>

#include "fft/math/chirp.hpp"
#include "phpc/core/types.hpp"

namespace phpc::fft {

/// The spectrum of the filter that turns a convolution of length `padded` into a transform (chirp.hpp), or into a part of one, in
/// natural order and over `padded`, with digits enough for Real.
template <class Real>
std::vector<Complex<double>> bluestein_filter_spectrum(const std::vector<Complex<double>>& chirp, index_t padded,
                                                       const ChirpExtents& part);
template <class Real>
std::vector<Complex<double>> bluestein_filter_spectrum(const std::vector<Complex<double>>& chirp, index_t padded) {
  const auto n = static_cast<index_t>(chirp.size());
  return bluestein_filter_spectrum<Real>(chirp, padded, {n, n});
}

}  // namespace phpc::fft
