#include "jobs/batch/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace phpc::jobs {

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

void ConvergenceCurves::add(std::span<const double> histories, index_t length, std::span<const batch::Report> reports,
                            std::span<const double> tolerances) {
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
    const double scale = kind_ == batch::ToleranceKind::absolute              ? 1
                         : kind_ == batch::ToleranceKind::relative_to_initial ? history[0]
                                                                              : reports[system].rhs_norm;
    const double tolerance = tolerances.empty() ? tolerance_ : tolerances[system];
    if (scale > 0) {  // else any tolerance asks for zeros
      tightest_ = std::min(tightest_, tolerance * scale / unit);
      loosest_ = std::max(loosest_, tolerance * scale / unit);
    }
    for (std::size_t iteration = 0; iteration + 1 < end; ++iteration) {
      ++going_[iteration][step_of(history[iteration] / unit)];
    }
    ++ended_[end - 1][step_of(history[end - 1] / unit)];
  }
}

io::Plot ConvergenceCurves::plot(const std::string& title) const {
  constexpr double lowest = 1e-17;  // of what is not zero
  io::Plot plot{.title = title,
                .x = {.label = "iteration", .is_whole = true},
                .y = {.label = "residual, relative to ||b||", .scale = io::AxisScale::log, .floor = lowest},
                .series = {{.name = "median", .is_marked = true},
                           {.name = "10 % to 90 %", .style = io::SeriesStyle::band, .color_of = 0},
                           {.name = "smallest to largest", .style = io::SeriesStyle::band, .color_of = 0}}};
  if (loosest_ > 0 && loosest_ <= 1.01 * tightest_) {
    plot.levels = {{fmt::format("tolerance {:.3g}", loosest_), loosest_}};
  } else if (loosest_ > 0) {
    plot.levels = {{fmt::format("loosest tolerance {:.3g}", loosest_), loosest_},
                   {fmt::format("tightest {:.3g}", tightest_), tightest_}};
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
    for (io::PlotSeries& series : plot.series) {
      series.x.push_back(static_cast<double>(iteration));
    }
    plot.series[0].y.push_back(quantile(all, total, 0.5));
    plot.series[1].low.push_back(quantile(all, total, 0.1));
    plot.series[1].y.push_back(quantile(all, total, 0.9));
    plot.series[2].low.push_back(quantile(all, total, 0));
    plot.series[2].y.push_back(quantile(all, total, 1));
  }
  return plot;
}

}  // namespace phpc::jobs
