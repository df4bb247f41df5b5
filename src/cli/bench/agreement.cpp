#include "cli/bench/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace phpc::cli {

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

Statistics statistics(std::vector<double> sample) {
  if (sample.empty()) {
    return {};
  }
  std::sort(sample.begin(), sample.end());
  const auto count = static_cast<double>(sample.size());
  const std::size_t half = sample.size() / 2;
  Statistics of;
  of.smallest = sample.front();
  of.median = sample.size() % 2 == 1 ? sample[half] : (sample[half - 1] + sample[half]) / 2;
  of.ninetieth = sample[(sample.size() * 9 + 9) / 10 - 1];
  of.mean = std::accumulate(sample.begin(), sample.end(), 0.0) / count;
  double squares = 0;
  for (const double value : sample) {
    squares += (value - of.mean) * (value - of.mean);
  }
  of.deviation = sample.size() > 1 ? std::sqrt(squares / (count - 1)) : 0;
  return of;
}

std::string text_histogram(std::vector<double> sample, int bins, const std::string& unit) {
  if (sample.empty()) {
    return "";
  }
  std::sort(sample.begin(), sample.end());
  const double low = sample.front();
  const double high = std::max(sample[(sample.size() - 1) * 99 / 100], low * (1 + 1e-9) + 1e-12);
  const double width = (high - low) / (bins - 1);
  std::vector<std::size_t> counts(static_cast<std::size_t>(bins), 0);
  for (const double value : sample) {
    const double place = std::min((value - low) / width, static_cast<double>(bins - 1));
    ++counts[static_cast<std::size_t>(place)];
  }
  const std::size_t most = *std::max_element(counts.begin(), counts.end());
  std::string text;
  for (int bin = 0; bin < bins; ++bin) {
    constexpr std::size_t widest_bar = 50;
    const std::size_t count = counts[static_cast<std::size_t>(bin)];
    const std::size_t bar = (count * widest_bar + most - 1) / most;
    text += fmt::format("{} {:10.4g} {} {:6} {}\n", bin == bins - 1 ? "from" : "    ", low + bin * width, unit, count,
                        std::string(bar, '#'));
  }
  return text;
}

}  // namespace phpc::cli
