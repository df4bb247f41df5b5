#pragma once
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::bench {

/// The forward transform in long double, X[k] = sum_j x[j] exp(-2 pi i j k / n), for any length: what the benchmark's results are
/// compared with. Written apart from the library, as a recursion over prime factors (Cooley and Tukey, 1965) with Bluestein's
/// algorithm (1970) where they are large; its own error is of the order of 1e-19 log2 n.
std::vector<Complex<long double>> reference_transform(const std::vector<Complex<long double>>& x);

}  // namespace phpc::bench
