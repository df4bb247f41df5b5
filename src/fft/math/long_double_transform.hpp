#pragma once
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::fft {

/// The forward transform of x in long double, rounded to double at the end: for tables, where one rounding error counts in every
/// transform that uses them. The cost grows as the length times the sum of its prime factors.
std::vector<Complex<double>> long_double_transform(const std::vector<Complex<double>>& x);

}  // namespace phpc::fft
