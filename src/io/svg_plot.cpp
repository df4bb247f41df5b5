#include "phpc/io/svg_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "io/plot_axis.hpp"
#include "io/svg_text.hpp"
#include "phpc/core/error.hpp"

namespace phpc::io {

namespace {

constexpr double width = 840;
constexpr double height = 480;
constexpr double left = 80;
constexpr double top = 40;
constexpr double bottom = height - 60;
constexpr double legend_width = 150;

// Okabe and Ito, "Color universal design" (2008): told apart by colour-blind readers too.
constexpr std::array<const char*, 7> colors{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};

std::string axis_title(const PlotAxis& axis) {
  return escaped_for_svg(axis.unit.empty() ? axis.label : axis.label + " [" + axis.unit + "]");
}

struct Point {
  double x;
  double y;
};

/// Runs of points that are drawn without a gap.
using Runs = std::vector<std::vector<Point>>;

class Drawing {
 public:
  explicit Drawing(const Plot& plot)
      : plot_(plot), x_(plot.x.scale), y_(plot.y.scale), right_(width - (plot.series.size() > 1 ? legend_width + 20 : 20)) {
    for (const PlotSeries& series : plot.series) {
      PHPC_VALIDATE(
          series.x.size() == series.y.size(), ErrorKind::usage,
          fmt::format("the series '{}' has {} x and {} y; give as many", series.name, series.x.size(), series.y.size()));
      for (std::size_t i = 0; i < series.x.size(); ++i) {
        if (x_.shows(series.x[i]) && y_.shows(series.y[i])) {
          x_.include(series.x[i]);
          y_.include(series.y[i]);
        }
      }
    }
    constexpr double margin = 0.04;  // peaks stay off the frame
    x_.finish(plot.x.decades, 0);
    y_.finish(plot.y.decades, margin);
  }

  std::string svg() {
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"sans-serif\" font-size=\"13\">\n<title>{2}</title>\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n"
        "<clipPath id=\"frame\"><rect x=\"{3}\" y=\"{4}\" width=\"{5}\" height=\"{6}\"/></clipPath>\n",
        width, height, escaped_for_svg(plot_.title), left, top, right_ - left, bottom - top);
    draw_axes();
    out_ += "<g clip-path=\"url(#frame)\" fill=\"none\" stroke-width=\"1.5\" stroke-linejoin=\"round\">\n";
    for (std::size_t i = 0; i < plot_.series.size(); ++i) {
      draw_series(plot_.series[i], colors[i % colors.size()]);
    }
    out_ += "</g>\n";
    if (plot_.series.size() > 1) {
      draw_legend();
    }
    return out_ + "</svg>\n";
  }

 private:
  [[nodiscard]] double x_at(double value) const { return left + x_.place(value) * (right_ - left); }
  [[nodiscard]] double y_at(double value) const { return bottom - y_.place(value) * (bottom - top); }

  void line(double x1, double y1, double x2, double y2, const char* color) {
    out_ += fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"{}\"/>\n", x1, y1, x2, y2, color);
  }

  void text(double x, double y, const char* anchor, const std::string& content, const std::string& more = "") {
    out_ += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more, content);
  }

  void draw_axes() {
    for (const Tick& tick : x_.ticks()) {
      line(x_at(tick.value), top, x_at(tick.value), bottom, tick.label.empty() ? "#f2f2f2" : "#d9d9d9");
      if (!tick.label.empty()) {
        text(x_at(tick.value), bottom + 18, "middle", tick.label);
      }
    }
    for (const Tick& tick : y_.ticks()) {
      line(left, y_at(tick.value), right_, y_at(tick.value), tick.label.empty() ? "#f2f2f2" : "#d9d9d9");
      if (!tick.label.empty()) {
        text(left - 6, y_at(tick.value) + 4.5, "end", tick.label);
      }
    }
    out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#333333\"/>\n", left, top,
                        right_ - left, bottom - top);
    text((left + right_) / 2, 24, "middle", escaped_for_svg(plot_.title), " font-size=\"16\"");
    text((left + right_) / 2, height - 16, "middle", axis_title(plot_.x));
    const double middle = (top + bottom) / 2;
    text(20, middle, "middle", axis_title(plot_.y), fmt::format(" transform=\"rotate(-90 20 {})\"", middle));
  }

  /// The points of a series in units of the picture.
  Runs visible(const PlotSeries& series) const {
    Runs runs(1);
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (x_.shows(series.x[i]) && y_.shows(series.y[i])) {
        runs.back().push_back({x_at(series.x[i]), y_at(series.y[i])});
      } else if (!runs.back().empty()) {
        runs.emplace_back();
      }
    }
    return runs;
  }

  /// First, lowest, highest and last point of each column of half a unit.
  static std::vector<Point> aggregated(const std::vector<Point>& points) {
    constexpr double columns_per_unit = 2;
    const auto by_x = [](Point a, Point b) { return a.x < b.x; };
    if (static_cast<double>(points.size()) < 4 * columns_per_unit * width ||
        !std::is_sorted(points.begin(), points.end(), by_x)) {
      return points;
    }
    const auto column_of = [](Point point) { return std::floor(point.x * columns_per_unit); };
    const auto by_y = [](Point a, Point b) { return a.y < b.y; };
    std::vector<Point> kept;
    for (auto first = points.begin(); first != points.end();) {
      const auto end = std::find_if(first, points.end(), [&](Point point) { return column_of(point) != column_of(*first); });
      const auto [low, high] = std::minmax_element(first, end, by_y);
      auto previous = points.end();
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

  void draw_series(const PlotSeries& series, const char* color) {
    const Runs runs = visible(series);
    if (series.style == SeriesStyle::scatter) {
      for (const std::vector<Point>& points : runs) {
        for (const Point point : points) {
          out_ += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"2.5\" fill=\"{}\"/>\n", point.x, point.y, color);
        }
      }
      return;
    }
    for (const std::vector<Point>& run : runs) {
      const std::vector<Point> points = aggregated(run);
      if (points.empty()) {
        continue;
      }
      out_ += fmt::format("<path stroke=\"{}\" d=\"M{:.2f} {:.2f}", color, points.front().x, points.front().y);
      for (std::size_t i = 1; i < points.size(); ++i) {
        out_ += series.style == SeriesStyle::step ? fmt::format("H{:.2f}V{:.2f}", points[i].x, points[i].y)
                                                  : fmt::format("L{:.2f} {:.2f}", points[i].x, points[i].y);
      }
      // A point by itself shows as a dot of the line's width.
      out_ += points.size() == 1 ? "h0\" stroke-linecap=\"round\" stroke-width=\"4\"/>\n" : "\"/>\n";
    }
  }

  void draw_legend() {
    constexpr std::size_t longest_name = 18;
    double y = top + 10;
    for (std::size_t i = 0; i < plot_.series.size() && y < bottom; ++i, y += 20) {
      const std::string& name = plot_.series[i].name;
      out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"18\" height=\"4\" fill=\"{}\"/>\n", right_ + 12, y - 6,
                          colors[i % colors.size()]);
      text(right_ + 36, y, "start", escaped_for_svg(shortened_for_svg(name, longest_name)));
    }
  }

  const Plot& plot_;
  AxisRange x_;
  AxisRange y_;
  double right_;
  std::string out_;
};

}  // namespace

std::string to_svg(const Plot& plot) {
  return Drawing(plot).svg();
}

}  // namespace phpc::io
