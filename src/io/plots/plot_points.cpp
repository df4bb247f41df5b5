#include "io/plots/plot_points.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_set>
#include <utility>

namespace phpc::io {

namespace {

constexpr double columns_per_unit = 2;

double column_of(PlotPoint point) {
  return std::floor(point.x * columns_per_unit);
}

bool same_square(PlotPoint a, PlotPoint b) {
  return column_of(a) == column_of(b) && std::floor(a.y * columns_per_unit) == std::floor(b.y * columns_per_unit);
}

/// First, lowest, highest and last point of each column.
PlotRun by_columns(const PlotRun& run) {
  PlotRun kept;
  for (auto first = run.begin(); first != run.end();) {
    const auto end = std::find_if(first, run.end(), [&](PlotPoint point) { return column_of(point) != column_of(*first); });
    const auto [low, high] = std::minmax_element(first, end, [](PlotPoint a, PlotPoint b) { return a.y < b.y; });
    auto previous = run.end();
    for (const auto next : {first, std::min(low, high), std::max(low, high), end - 1}) {
      if (next != previous) {
        kept.push_back(*next);
      }
      previous = next;
    }
    first = end;
  }
  return kept;
}

PlotRun without_repeats(const PlotRun& run) {
  PlotRun kept;
  for (std::size_t i = 0; i < run.size(); ++i) {
    if (i == 0 || i + 1 == run.size() || !same_square(kept.back(), run[i])) {
      kept.push_back(run[i]);
    }
  }
  return kept;
}

}  // namespace

PlotLine::PlotLine(std::size_t points, double width) : is_long_(static_cast<double>(points) > 4 * columns_per_unit * width) {}

void PlotLine::add(PlotPoint point) {
  const bool starts_run = runs_.empty() || (has_gap_ && !(is_long_ && column_of(runs_.back().back()) == column_of(point)));
  if (starts_run) {
    runs_.emplace_back();
  }
  runs_.back().push_back(point);
  has_gap_ = false;
}

void PlotLine::add_gap() {
  has_gap_ = true;
}

std::vector<PlotRun> PlotLine::finish() && {
  if (is_long_) {
    for (PlotRun& run : runs_) {
      const bool ascends = std::is_sorted(run.begin(), run.end(), [](PlotPoint a, PlotPoint b) { return a.x < b.x; });
      run = ascends ? by_columns(run) : without_repeats(run);
    }
  }
  return std::move(runs_);
}

std::vector<PlotPoint> distinct_points(const std::vector<PlotPoint>& points) {
  std::unordered_set<std::int64_t> taken;
  std::vector<PlotPoint> kept;
  for (const PlotPoint point : points) {
    constexpr double side = 2;              // less than a dot is wide
    constexpr std::int64_t rows = 1 << 20;  // more than a picture is high
    const auto square = std::llround(point.x / side) * rows + std::llround(point.y / side);
    if (taken.insert(square).second) {
      kept.push_back(point);
    }
  }
  return kept;
}

}  // namespace phpc::io
