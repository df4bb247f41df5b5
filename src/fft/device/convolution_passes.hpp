#pragma once
#include <vector>

#include "fft/device/line_passes.hpp"

/// Passes of lines whose lengths have large prime factors.
namespace phpc::fft {

/// Adds the passes of lines of a length with large prime factors (chirp.hpp, rader.hpp).
template <class Real>
void add_convolution(LinePasses<Real>& lines, const LineEnds<Real>& ends, index_t n);

/// Adds the pass over m rows of k elements of a long convolution with this spectrum.
template <class Real>
void add_convolved_rows(LinePasses<Real>& lines, index_t m, index_t k, const std::vector<Complex<double>>& spectrum);

}  // namespace phpc::fft
