#include "cli/batch_history.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace phpc::cli {

namespace {

constexpr double steps_per_decade = 50;
constexpr int lowest_step = -20 * static_cast<int>(steps_per_decade);  // zeros too

int step_of(double relative) {
  const double step = relative > 0 ? std::round(steps_per_decade * std::log10(relative)) : lowest_step;
  return static_cast<int>(std::clamp(step, 1.0 * lowest_step, -1.0 * lowest_step));
}

/// The value that a share of a distribution of `total` lies below.
double quantile(const std::map<int, index_t>& distribution, index_t total, double share) {
  const index_t place = std::min(static_cast<index_t>(share * static_cast<double>(total)), total - 1);
  index_t before = 0;
  for (const auto& [step, count] : distribution) {
    before += count;
    if (place < before) {
      return std::pow(10.0, step / steps_per_decade);
    }
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

void ConvergenceCurves::add(std::span<const double> histories, index_t length, std::span<const batch::Report> reports) {
  const auto row = static_cast<std::size_t>(length);
  for (std::size_t system = 0; system < reports.size(); ++system) {
    const std::span<const double> history = histories.subspan(system * row, row);
    const auto end = static_cast<std::size_t>(
        std::find_if(history.begin(), history.end(), [](double norm) { return !std::isfinite(norm); }) - history.begin());
    if (end == 0) {
      continue;  // nothing finite: no curve
    }
    if (going_.size() < end) {
      going_.resize(end);
      ended_.resize(end);
    }
    const double unit = reports[system].rhs_norm > 0 ? reports[system].rhs_norm : 1;
    for (std::size_t iteration = 0; iteration + 1 < end; ++iteration) {
      ++going_[iteration][step_of(history[iteration] / unit)];
    }
    ++ended_[end - 1][step_of(history[end - 1] / unit)];
  }
}

io::Plot ConvergenceCurves::plot(const std::string& title) const {
  constexpr std::array<std::pair<const char*, double>, 5> shares{
      {{"largest", 1}, {"nine tenths below", 0.9}, {"median", 0.5}, {"one tenth below", 0.1}, {"smallest", 0}}};
  io::Plot plot{.title = title,
                .x = {.label = "iteration"},
                .y = {.label = "residual, relative to ||b||", .scale = io::AxisScale::log, .decades = 20},
                .series = {}};
  for (const auto& [name, share] : shares) {
    plot.series.push_back({.name = name});
  }
  Distribution ended;
  for (std::size_t iteration = 0; iteration < going_.size(); ++iteration) {
    for (const auto& [step, count] : ended_[iteration]) {
      ended[step] += count;
    }
    Distribution all = ended;
    index_t total = 0;
    for (const auto& [step, count] : going_[iteration]) {
      all[step] += count;
    }
    for (const auto& [step, count] : all) {
      total += count;
    }
    for (std::size_t i = 0; i < shares.size(); ++i) {
      plot.series[i].x.push_back(static_cast<double>(iteration));
      plot.series[i].y.push_back(quantile(all, total, shares[i].second));
    }
  }
  return plot;
}

}  // namespace phpc::cli
