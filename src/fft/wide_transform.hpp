#pragma once
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::fft {

/// The forward transform of x in long double, rounded to double at the end: for tables, where one rounding error counts in every
/// transform that uses them. The length is a power of two times a small odd number (which is done by the definition).
std::vector<Complex<double>> wide_transform(const std::vector<Complex<double>>& x);

}  // namespace phpc::fft
