#include "jobs/fft/spectrum_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace phpc::jobs {

namespace {

constexpr double lowest_level = -std::numeric_limits<double>::infinity();

/// The quantile of the values that are finite or -inf: `share` of these lie below it. -inf where there is no such value.
double quantile(std::vector<double> values, double share) {
  values.erase(std::remove_if(values.begin(), values.end(), [](double value) { return !(value < -lowest_level); }), values.end());
  if (values.empty()) {
    return lowest_level;
  }
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

/// For each level the lowest one between it and the next higher one before it, or the beginning.
std::vector<double> saddles_before(const std::vector<double>& levels) {
  struct Step {
    double level;
    double lowest_before;
  };
  std::vector<Step> falling;  // the levels that are still higher than all after them
  std::vector<double> saddles;
  saddles.reserve(levels.size());
  for (const double level : levels) {
    double lowest = level;
    while (!falling.empty() && falling.back().level <= level) {
      lowest = std::min(lowest, falling.back().lowest_before);
      falling.pop_back();
    }
    saddles.push_back(falling.empty() ? lowest_level : lowest);
    falling.push_back({level, lowest});
  }
  return saddles;
}

/// A frequency, rounded to a fifth of the spacing between neighbours.
std::string frequency_text(double frequency, double spacing, bool has_unit) {
  const int decimals = spacing > 0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(spacing / 5))), 0, 9) : 0;
  std::string text = fmt::format("{:.{}f}", std::abs(frequency), decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    text.erase(text.find_last_not_of('.') + 1);
  }
  return (frequency < 0 ? "−" : "") + text + (has_unit ? " Hz" : "");
}

}  // namespace

std::vector<std::size_t> peaks_of(const std::vector<double>& levels) {
  constexpr double above_sides = 12;
  constexpr double above_median = 20;
  constexpr double below_highest = 80;  // distortion and rounding are lower
  std::vector<double> heights = levels;
  std::replace_if(heights.begin(), heights.end(), [](double level) { return !std::isfinite(level); }, lowest_level);
  const double least = std::max(quantile(heights, 0.5) + above_median, quantile(heights, 1) - below_highest);
  const std::vector<double> before = saddles_before(heights);
  std::reverse(heights.begin(), heights.end());
  std::vector<double> after = saddles_before(heights);
  std::reverse(after.begin(), after.end());
  std::reverse(heights.begin(), heights.end());
  std::vector<std::size_t> peaks;
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const bool is_first_of_equals = i == 0 || heights[i - 1] < heights[i];
    if (is_first_of_equals && heights[i] >= least && heights[i] - std::max(before[i], after[i]) >= above_sides) {
      peaks.push_back(i);
    }
  }
  std::sort(peaks.begin(), peaks.end(),
            [&](std::size_t a, std::size_t b) { return heights[a] != heights[b] ? heights[a] > heights[b] : a < b; });
  return peaks;
}

void SpectrumPlot::add(index_t transform, const SpectrumPoint& point) {
  constexpr index_t most = 7;  // curves, as many as can be told apart
  transforms_ = std::max(transforms_, transform + 1);
  if (transform >= most) {
    return;
  }
  if (static_cast<index_t>(curves_.size()) <= transform) {
    curves_.resize(static_cast<std::size_t>(transform + 1));
  }
  Curve& curve = curves_[static_cast<std::size_t>(transform)];
  constexpr index_t most_groups = 65536;
  const Sample sample{curve.points, point.frequency, point.power_db};
  const index_t together = (description_.points + most_groups - 1) / most_groups;
  const index_t group = curve.points / std::max<index_t>(1, together);
  ++curve.points;
  if (group != curve.group) {
    close_group(curve);
    curve.group = group;
    curve.first = curve.lowest = curve.highest = sample;
  }
  // What is no number is replaced by the next one.
  if (sample.level < curve.lowest.level || std::isnan(curve.lowest.level)) {
    curve.lowest = sample;
  }
  if (sample.level > curve.highest.level || std::isnan(curve.highest.level)) {
    curve.highest = sample;
  }
  curve.last = sample;
}

void SpectrumPlot::close_group(Curve& curve) {
  if (curve.group < 0) {
    return;
  }
  std::vector<Sample> samples{curve.first, curve.lowest, curve.highest, curve.last};
  std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.place < b.place; });
  for (const Sample& sample : samples) {
    if (curve.kept.empty() || curve.kept.back().place != sample.place) {
      curve.kept.push_back(sample);
    }
  }
}

std::vector<io::PlotNote> SpectrumPlot::notes() const {
  constexpr std::size_t most_notes = 8;
  std::vector<Sample> peaks;
  for (const Curve& curve : curves_) {
    std::vector<double> levels;
    std::transform(curve.kept.begin(), curve.kept.end(), std::back_inserter(levels), [](const Sample& one) { return one.level; });
    for (const std::size_t peak : peaks_of(levels)) {
      peaks.push_back(curve.kept[peak]);
    }
  }
  std::sort(peaks.begin(), peaks.end(),
            [](const Sample& a, const Sample& b) { return a.level != b.level ? a.level > b.level : a.frequency < b.frequency; });
  std::vector<io::PlotNote> notes;
  std::set<std::string> named;
  for (const Sample& peak : peaks) {
    std::string name = frequency_text(peak.frequency, description_.spacing, description_.has_unit);
    if (notes.size() < most_notes && named.insert(name).second) {
      notes.push_back({peak.frequency, peak.level, std::move(name)});
    }
  }
  return notes;
}

io::Plot SpectrumPlot::plot() && {
  std::vector<double> levels;
  for (Curve& curve : curves_) {
    close_group(curve);
    std::transform(curve.kept.begin(), curve.kept.end(), std::back_inserter(levels), [](const Sample& one) { return one.level; });
  }
  const double highest = quantile(levels, 1);
  // A few deep notches do not press all else together.
  const double floor = 10 * std::floor(std::max(highest - description_.depth, quantile(levels, 0.05) - 10) / 10);
  std::string title = description_.title;
  if (left_out() > 0) {
    title += fmt::format(", the first {} of {} {}s", curves_.size(), transforms_, description_.each);
  }
  io::Plot plot{.title = std::move(title),
                .x = {.label = "frequency", .unit = description_.has_unit ? "Hz" : "cycles per sample"},
                .y = {.label = description_.label, .unit = description_.level_unit, .floor = floor},
                .series = {},
                .notes = notes()};
  for (const Curve& curve : curves_) {
    io::PlotSeries series{.name = fmt::format("{} {}", description_.each, plot.series.size())};
    for (const Sample& sample : curve.kept) {
      series.x.push_back(sample.frequency);
      // Zeros are below every floor, and do not interrupt the line.
      series.y.push_back(sample.level == lowest_level && std::isfinite(floor) ? floor - 1 : sample.level);
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

}  // namespace phpc::jobs
