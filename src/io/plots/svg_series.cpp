#include "io/plots/svg_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <ranges>

namespace phpc::io {

namespace {

// Okabe and Ito, "Color universal design" (2008): told apart by colour-blind readers too.
constexpr std::array<const char*, 7> colors{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
constexpr std::array<const char*, 6> dashes{"", "8 3", "2 3", "9 3 2 3", "16 4", "9 3 2 3 2 3"};
// As paths from a mark's middle.
constexpr std::array<const char*, 4> marks{"m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z", "m-3-3h6v6h-6z",
                                           "m0-4.4l4.4 4.4l-4.4 4.4l-4.4-4.4z", "m0-4l4 7h-8z"};

constexpr double thin = 1;  // of lines with so many points that they are noise, which stays readable
constexpr double thick = 1.8;

std::string path_of(const std::vector<PlotRun>& runs, SeriesStyle style) {
  std::string data;
  auto to = std::back_inserter(data);
  for (const PlotRun& run : runs) {
    if (run.size() < 2) {
      continue;
    }
    fmt::format_to(to, "M{:.2f} {:.2f}", run[0].x, run[0].y);
    for (std::size_t i = 1; i < run.size(); ++i) {
      if (style == SeriesStyle::step) {
        fmt::format_to(to, "H{:.2f}V{:.2f}", run[i].x, run[i].y);
      } else {
        fmt::format_to(to, "L{:.2f} {:.2f}", run[i].x, run[i].y);
      }
    }
  }
  return data;
}

}  // namespace

double PlotFrame::y_at(double value) const {
  return bottom() - std::max(-1.0, y.place(value)) * height;
}

bool PlotFrame::shows(const PlotSeries& series, std::size_t i) const {
  return x.shows(series.x[i]) && y.shows(series.y[i]) && (series.style != SeriesStyle::band || y.shows(series.low[i]));
}

const char* SeriesPainter::color() const {
  return colors[look_ % colors.size()];
}

std::string SeriesPainter::line_look(double thickness) const {
  const char* const dash = dashes[look_ / colors.size() % dashes.size()];
  return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{}", color(), thickness,
                     *dash == '\0' ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash));
}

std::string SeriesPainter::band_look() const {
  // The edge shows a band of one point, or of no height.
  return fmt::format("fill=\"{0}\" fill-opacity=\"{1}\" stroke=\"{0}\" stroke-opacity=\"{1}\"", color(), is_inner_ ? 0.28 : 0.13);
}

bool SeriesPainter::has_room_for_marks(double width) const {
  constexpr double distance = 8;
  return series_.is_marked && static_cast<double>(series_.x.size()) * distance <= width;
}

void SeriesPainter::draw(SvgCanvas& canvas, const PlotFrame& frame) const {
  if (series_.style == SeriesStyle::band) {
    draw_band(canvas, frame);
  } else if (series_.style != SeriesStyle::scatter) {
    draw_line(canvas, frame);
  } else {
    std::vector<PlotPoint> points;
    for (std::size_t i = 0; i < series_.x.size(); ++i) {
      if (frame.shows(series_, i)) {
        points.push_back({frame.x_at(series_.x[i]), frame.y_at(series_.y[i])});
      }
    }
    draw_dots(canvas, points);
  }
}

void SeriesPainter::draw_line(SvgCanvas& canvas, const PlotFrame& frame) const {
  PlotLine line(series_.x.size(), frame.width);
  for (std::size_t i = 0; i < series_.x.size(); ++i) {
    if (frame.shows(series_, i)) {
      line.add({frame.x_at(series_.x[i]), frame.y_at(series_.y[i])});
    } else {
      line.add_gap();
    }
  }
  const std::vector<PlotRun> runs = std::move(line).finish();
  if (const std::string data = path_of(runs, series_.style); !data.empty()) {
    canvas.path(data, line_look(static_cast<double>(series_.x.size()) > frame.width ? thin : thick));
  }
  std::vector<PlotPoint> alone;
  for (const PlotRun& run : runs) {
    if (has_room_for_marks(frame.width)) {
      for (const PlotPoint point : run) {
        draw_mark(canvas, point);
      }
    } else if (run.size() == 1) {
      alone.push_back(run.front());
    }
  }
  draw_dots(canvas, alone);
}

void SeriesPainter::draw_band(SvgCanvas& canvas, const PlotFrame& frame) const {
  PlotLine upper(series_.x.size(), frame.width);
  PlotLine lower(series_.x.size(), frame.width);
  for (std::size_t i = 0; i < series_.x.size(); ++i) {
    if (frame.shows(series_, i)) {
      upper.add({frame.x_at(series_.x[i]), frame.y_at(series_.y[i])});
      lower.add({frame.x_at(series_.x[i]), frame.y_at(series_.low[i])});
    } else {
      upper.add_gap();
      lower.add_gap();
    }
  }
  // Both have their gaps at the same x, and so as many runs.
  const std::vector<PlotRun> above = std::move(upper).finish();
  const std::vector<PlotRun> below = std::move(lower).finish();
  std::string data;
  auto to = std::back_inserter(data);
  for (std::size_t run = 0; run < above.size(); ++run) {
    char command = 'M';
    for (const PlotPoint point : above[run]) {
      fmt::format_to(to, "{}{:.2f} {:.2f}", command, point.x, point.y);
      command = 'L';
    }
    for (const PlotPoint point : std::ranges::reverse_view(below[run])) {
      fmt::format_to(to, "L{:.2f} {:.2f}", point.x, point.y);
    }
    data += 'Z';
  }
  if (!data.empty()) {
    canvas.path(data, band_look());
  }
}

void SeriesPainter::draw_dots(SvgCanvas& canvas, const std::vector<PlotPoint>& points) const {
  std::string data;
  for (const PlotPoint point : distinct_points(points)) {
    fmt::format_to(std::back_inserter(data), "M{:.1f} {:.1f}h0", point.x, point.y);
  }
  if (!data.empty()) {
    canvas.path(data, fmt::format("stroke=\"{}\" stroke-width=\"5\" stroke-linecap=\"round\"", color()));
  }
}

void SeriesPainter::draw_mark(SvgCanvas& canvas, PlotPoint point) const {
  canvas.path(fmt::format("M{:.2f} {:.2f}{}", point.x, point.y, marks[look_ % marks.size()]),
              fmt::format("fill=\"{}\"", color()));
}

void SeriesPainter::draw_swatch(SvgCanvas& canvas, double x, double y, double width) const {
  if (series_.style == SeriesStyle::band) {
    canvas.rectangle(x, y - 6, width, 12, band_look());
  } else if (series_.style == SeriesStyle::scatter) {
    draw_dots(canvas, {{x + width / 2, y}});
  } else {
    canvas.line(x, y, x + width, y, line_look(thick));
    if (series_.is_marked) {
      draw_mark(canvas, {x + width / 2, y});
    }
  }
}

}  // namespace phpc::io
