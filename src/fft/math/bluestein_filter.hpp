#pragma once
#include <vector>

#include "fft/math/chirp.hpp"
#include "phpc/core/types.hpp"

namespace phpc::fft {

/// Returns the spectrum of Bluestein's filter (bluestein_filter() in chirp.hpp), by which a convolution of length `padded` does a
/// transform or a part of one: divided by `padded`, in natural order, and exact enough for transforms in Real.
template <class Real>
std::vector<Complex<double>> bluestein_filter_spectrum(const std::vector<Complex<double>>& chirp, index_t padded,
                                                       const ChirpExtents& part);
template <class Real>
std::vector<Complex<double>> bluestein_filter_spectrum(const std::vector<Complex<double>>& chirp, index_t padded) {
  const auto n = static_cast<index_t>(chirp.size());
  return bluestein_filter_spectrum<Real>(chirp, padded, {n, n});
}

/// Returns a spectrum by rows, each with one of the `rows` elements that follow one another: element r + rows * k at place k of
/// row r.
inline std::vector<Complex<double>> spectrum_by_rows(const std::vector<Complex<double>>& spectrum, index_t rows) {
  const auto step = static_cast<std::size_t>(rows);
  std::vector<Complex<double>> ordered;
  ordered.reserve(spectrum.size());
  for (std::size_t row = 0; row < step; ++row) {
    for (std::size_t element = row; element < spectrum.size(); element += step) {
      ordered.push_back(spectrum[element]);
    }
  }
  return ordered;
}

}  // namespace phpc::fft
