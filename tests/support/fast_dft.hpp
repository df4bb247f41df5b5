#pragma once
#include "support/dft_oracle.hpp"

namespace phpc::test {

/// dft(x, direction) fast enough for thousands of lengths: still in long double and recursive over small prime factors, but
/// lengths with others as a convolution by powers of two. Good to about 1e-18.
std::vector<Wide> fast_dft(const std::vector<Wide>& x, fft::Direction direction);

}  // namespace phpc::test
