#include "measure/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace phpc::bench {

namespace {

template <class Real>
std::vector<double> magnitudes(const std::vector<Complex<Real>>& values) {
  std::vector<double> list;
  list.reserve(values.size());
  for (const Complex<Real> value : values) {
    list.push_back(static_cast<double>(std::hypot(value.re, value.im)));
  }
  return list;
}

}  // namespace

double relative_error(const std::vector<Complex<double>>& result, const std::vector<Complex<long double>>& reference) {
  long double error = 0;
  long double norm = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const long double re = result[i].re - reference[i].re;
    const long double im = result[i].im - reference[i].im;
    error += re * re + im * im;
    norm += reference[i].re * reference[i].re + reference[i].im * reference[i].im;
  }
  return norm > 0 ? static_cast<double>(std::sqrt(error / norm)) : static_cast<double>(std::sqrt(error));
}

double chi_squared_tail(double value, int degrees) {
  const double half = value / 2;
  double sum = 0;
  double term = 0;
  if (degrees % 2 == 0) {
    term = std::exp(-half);
    for (int i = 0; i < degrees / 2; ++i) {
      sum += term;
      term *= half / (i + 1);
    }
    return std::min(1.0, sum);
  }
  sum = std::erfc(std::sqrt(half));
  term = std::exp(-half) * std::sqrt(half) * 2 / std::sqrt(std::numbers::pi);
  for (int i = 1; i <= (degrees - 1) / 2; ++i) {
    sum += term;
    term *= half / (i + 0.5);
  }
  return std::min(1.0, sum);
}

ChiSquared chi_squared(const std::vector<Complex<double>>& result, const std::vector<Complex<long double>>& reference) {
  const std::vector<double> expected = magnitudes(reference);
  const auto bins = static_cast<std::size_t>(std::max(4.0, std::round(std::sqrt(static_cast<double>(expected.size())))));
  // Magnitudes that are 0 but for rounding go to the first bin.
  const double largest = *std::max_element(expected.begin(), expected.end());
  const double floor = largest * std::numeric_limits<float>::epsilon();
  double low = largest;
  for (const double value : expected) {
    low = std::min(low, std::max(value, floor));
  }
  const double width = std::log(largest / low) / static_cast<double>(bins);
  const auto histogram = [&](const std::vector<double>& values) {
    std::vector<double> counts(bins, 0);
    for (const double value : values) {
      if (std::isfinite(value)) {
        const double place = width > 0 ? std::log(std::max(value, low) / low) / width : 0;
        counts[std::min(static_cast<std::size_t>(place), bins - 1)] += 1;
      }
    }
    return counts;
  };
  const std::vector<double> r = histogram(expected);
  const std::vector<double> s = histogram(magnitudes(result));
  double chi = 0;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    chi += (s[bin] - r[bin]) * (s[bin] - r[bin]) / std::max(1.0, r[bin]);
  }
  const int degrees = static_cast<int>(bins) - 1;
  return {chi / degrees, chi_squared_tail(chi, degrees)};
}

}  // namespace phpc::bench
