#pragma once
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::fft {

/// The spectrum of the filter that turns a convolution of length `padded` into a transform (chirp.hpp), in natural order and over
/// `padded`, with digits enough for Real.
template <class Real>
std::vector<Complex<double>> filter_spectrum(const std::vector<Complex<double>>& chirp, index_t padded);

}  // namespace phpc::fft
