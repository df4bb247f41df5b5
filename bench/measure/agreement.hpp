#pragma once
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::bench {

/// sqrt(sum |result - reference|^2 / sum |reference|^2).
double relative_error(const std::vector<Complex<double>>& result, const std::vector<Complex<long double>>& reference);

/// Pearson's chi-squared of two spectra's histograms, as the SYCL-FFT paper compares libraries (Pascuzzi and Goli, IWOCL 2022).
struct ChiSquared {
  double per_degree = 0;  ///< chi^2 over the degrees of freedom, which are one less than the bins
  double p_value = 1;     ///< of a chi^2 at least as large, were both histograms samples of one distribution
};

/// Histograms of the magnitudes: sqrt(n) bins (at least 4) of equal width in the logarithm, from the reference's smallest to its
/// largest; chi^2 = sum (s - r)^2 / r over bins with s magnitudes of the result and r of the reference (r = 0 counts as 1). What
/// is not finite is in no bin. It is a weak test: two spectra may differ much within their bins.
ChiSquared chi_squared(const std::vector<Complex<double>>& result, const std::vector<Complex<long double>>& reference);

/// P(chi^2 >= value) for that many degrees of freedom (Abramowitz and Stegun, 26.4.4 and 26.4.5).
double chi_squared_tail(double value, int degrees);

}  // namespace phpc::bench
