#include "measure/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace phpc::bench {

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

}  // namespace phpc::bench
