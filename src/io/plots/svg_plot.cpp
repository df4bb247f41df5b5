#include "phpc/io/svg_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "io/plots/svg_canvas.hpp"
#include "io/plots/svg_series.hpp"
#include "io/plots/svg_text.hpp"
#include "phpc/core/error.hpp"

namespace phpc::io {

namespace {

constexpr double frame_width = 700;
constexpr double least_frame_height = 376;
constexpr double top = 44;
constexpr double below_frame = 60;
constexpr double note_size = 12;
constexpr double line_height = 19;

constexpr std::size_t most_in_legend = 48;
constexpr double swatch_width = 26;
constexpr double widest_name = 300;

std::string axis_title(const PlotAxis& axis) {
  return axis.unit.empty() ? axis.label : axis.label + " [" + axis.unit + "]";
}

void validate(const PlotSeries& series) {
  const std::size_t lows = series.style == SeriesStyle::band ? series.low.size() : series.x.size();
  PHPC_VALIDATE(series.x.size() == series.y.size() && series.x.size() == lows, ErrorKind::usage,
                fmt::format("the series '{}' has {} x, {} y and {} lower ends; give as many", shortened_for_svg(series.name, 80),
                            series.x.size(), series.y.size(), series.low.size()));
}

/// A word's place on the picture.
struct Box {
  double left;
  double top;
  double right;
  double bottom;

  [[nodiscard]] bool meets(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

class Drawing {
 public:
  explicit Drawing(const Plot& plot) : plot_(plot), frame_{.x = AxisRange(plot.x), .y = AxisRange(plot.y)} {
    choose_looks();
    include_all();
    const bool has_marks = std::any_of(plot.series.begin(), plot.series.end(), [](const auto& one) { return one.is_marked; });
    const double beside = has_marks ? 0.025 : 0;
    frame_.x.finish(beside, beside);
    frame_.y.finish(0.05, plot.notes.empty() ? 0.05 : 0.09);
    y_ticks_ = frame_.y.ticks(9);
    double widest = 0;
    for (const Tick& tick : y_ticks_) {
      widest = std::max(widest, text_width(tick.label, svg_font_size));
    }
    const auto rows = static_cast<double>(in_legend_.size() + (left_out_of_legend_ > 0 ? 1 : 0));
    frame_.left = std::ceil(svg_margin + 24 + widest);
    frame_.top = top;
    frame_.width = frame_width;
    frame_.height = std::max(least_frame_height, rows * line_height);
  }

  std::string svg() && {
    SvgCanvas canvas(frame_.right() + std::max(legend_width(), 2 * svg_margin), frame_.bottom() + below_frame, plot_.title);
    draw_axes(canvas);
    canvas.begin_frame(frame_.left, frame_.top, frame_.width, frame_.height);
    for (const bool bands : {true, false}) {
      for (std::size_t i = 0; i < plot_.series.size(); ++i) {
        if ((plot_.series[i].style == SeriesStyle::band) == bands) {
          painter(i).draw(canvas, frame_);
        }
      }
    }
    for (const PlotLevel& level : shown_levels_) {
      canvas.line(frame_.left, frame_.y_at(level.y), frame_.right(), frame_.y_at(level.y),
                  "stroke=\"#444444\" stroke-width=\"1.3\" stroke-dasharray=\"7 4\"");
    }
    canvas.end_frame();
    canvas.rectangle(frame_.left, frame_.top, frame_.width, frame_.height, "fill=\"none\" stroke=\"#333333\"");
    draw_words(canvas);
    draw_legend(canvas);
    return std::move(canvas).finish();
  }

 private:
  /// Series that have a look of their own are numbered, and those with a name are in the legend if there are several.
  void choose_looks() {
    std::size_t own = 0;
    std::set<std::size_t> with_band;  // looks
    for (std::size_t i = 0; i < plot_.series.size(); ++i) {
      const PlotSeries& series = plot_.series[i];
      looks_.push_back(series.color_of && *series.color_of < i ? looks_[*series.color_of] : own++);
      is_inner_.push_back(series.style == SeriesStyle::band && with_band.insert(looks_.back()).second);
      if (!series.name.empty()) {
        in_legend_.push_back(i);
      }
    }
    if (in_legend_.size() < 2) {
      in_legend_.clear();
    }
    if (in_legend_.size() > most_in_legend) {
      left_out_of_legend_ = in_legend_.size() - most_in_legend;
      in_legend_.resize(most_in_legend);
    }
  }

  [[nodiscard]] SeriesPainter painter(std::size_t i) const { return {plot_.series[i], looks_[i], is_inner_[i]}; }

  void include_all() {
    for (const PlotSeries& series : plot_.series) {
      validate(series);
      for (std::size_t i = 0; i < series.x.size(); ++i) {
        if (frame_.shows(series, i)) {
          frame_.x.include(series.x[i]);
          frame_.y.include(series.y[i]);
          if (series.style == SeriesStyle::band) {
            frame_.y.include(series.low[i]);
          }
        }
      }
    }
    is_empty_ = frame_.y.empty();
    for (const PlotLevel& level : plot_.levels) {
      if (frame_.y.shows(level.y) && !is_empty_) {
        frame_.y.include(level.y);
        shown_levels_.push_back(level);
      }
    }
  }

  /// As many labels as there is room for.
  [[nodiscard]] std::vector<Tick> x_ticks() const {
    constexpr double between = 12;
    for (int most = 10;; --most) {
      std::vector<Tick> ticks = frame_.x.ticks(most);
      double taken_until = -between;
      bool fits = true;
      for (const Tick& tick : ticks) {
        const double half = text_width(tick.label, svg_font_size) / 2;
        if (!tick.label.empty()) {
          fits = fits && frame_.x_at(tick.value) - half >= taken_until + between;
          taken_until = frame_.x_at(tick.value) + half;
        }
      }
      if (fits || most == 2) {
        return ticks;
      }
    }
  }

  void draw_axes(SvgCanvas& canvas) const {
    const auto look = [](const Tick& tick) { return tick.label.empty() ? "stroke=\"#f2f2f2\"" : "stroke=\"#d9d9d9\""; };
    for (const Tick& tick : x_ticks()) {
      const double x = frame_.x_at(tick.value);
      canvas.line(x, frame_.top, x, frame_.bottom(), look(tick));
      if (!tick.label.empty()) {
        canvas.text(x, frame_.bottom() + 18, tick.label, {.anchor = "middle"});
      }
    }
    for (const Tick& tick : y_ticks_) {
      const double y = frame_.y_at(tick.value);
      canvas.line(frame_.left, y, frame_.right(), y, look(tick));
      if (!tick.label.empty()) {
        canvas.text(frame_.left - 6, y + 4.5, tick.label, {.anchor = "end"});
      }
    }
    const double centre = (frame_.left + frame_.right()) / 2;
    const double middle = (frame_.top + frame_.bottom()) / 2;
    canvas.text(centre, 28, fitted_for_svg(plot_.title, svg_title_size, frame_.width),
                {.anchor = "middle", .size = svg_title_size});
    canvas.text(centre, frame_.bottom() + below_frame - 18, fitted_for_svg(axis_title(plot_.x), svg_font_size, frame_.width),
                {.anchor = "middle"});
    canvas.text(svg_margin, middle, fitted_for_svg(axis_title(plot_.y), svg_font_size, frame_.height),
                {.anchor = "middle", .is_upright = false});
    if (is_empty_) {
      canvas.text(centre, middle, "no value that these axes can show", {.anchor = "middle", .color = "#666666"});
    }
  }

  /// Names of levels, and notes beside their points.
  void draw_words(SvgCanvas& canvas) const {
    constexpr double height = 15;
    std::vector<Box> taken;
    const auto is_free = [&](const Box& box) {
      return box.left >= frame_.left && box.right <= frame_.right() && box.top >= frame_.top && box.bottom <= frame_.bottom() &&
             std::none_of(taken.begin(), taken.end(), [&](const Box& other) { return box.meets(other); });
    };
    for (const PlotLevel& level : shown_levels_) {
      const std::string name = fitted_for_svg(level.name, note_size, frame_.width - 16);
      const double right = frame_.right() - 8;
      // Above the line, else below it.
      for (const double baseline : {frame_.y_at(level.y) - 5, frame_.y_at(level.y) + 14}) {
        const Box box{right - text_width(name, note_size), baseline - height + 4, right, baseline + 2};
        if (is_free(box)) {
          canvas.text(right, baseline, name, {.anchor = "end", .size = note_size, .color = "#444444", .has_halo = true});
          taken.push_back(box);
          break;
        }
      }
    }
    for (const PlotNote& note : plot_.notes) {
      if (!frame_.x.shows(note.x) || !frame_.y.shows(note.y) || frame_.y.place(note.y) < 0) {
        continue;
      }
      const std::string text = fitted_for_svg(note.text, note_size, widest_name);
      const double half = text_width(text, note_size) / 2 + 2;
      const PlotPoint point{frame_.x_at(note.x), frame_.y_at(note.y)};
      const double centre = std::clamp(point.x, frame_.left + half, frame_.right() - half);
      // Above the point, else to its right.
      for (const PlotPoint place : {PlotPoint{centre, point.y - 8}, PlotPoint{point.x + half + 7, point.y + 4}}) {
        const Box box{place.x - half, place.y - height + 3, place.x + half, place.y + 3};
        if (is_free(box)) {
          canvas.path(fmt::format("M{:.2f} {:.2f}m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z", point.x, point.y),
                      "fill=\"#ffffff\" stroke=\"#1a1a1a\"");
          canvas.text(place.x, place.y, text, {.anchor = "middle", .size = note_size, .has_halo = true});
          taken.push_back(box);
          taken.push_back({point.x - 4, point.y - 4, point.x + 4, point.y + 4});
          break;
        }
      }
    }
  }

  [[nodiscard]] std::string legend_name(std::size_t i) const {
    return fitted_for_svg(plot_.series[i].name, svg_font_size, widest_name);
  }
  [[nodiscard]] std::string legend_rest() const { return fmt::format("and {} more", left_out_of_legend_); }

  /// What the legend takes to the right of the frame.
  [[nodiscard]] double legend_width() const {
    if (in_legend_.empty()) {
      return 0;
    }
    double widest = left_out_of_legend_ > 0 ? text_width(legend_rest(), svg_font_size) : 0;
    for (const std::size_t i : in_legend_) {
      widest = std::max(widest, text_width(legend_name(i), svg_font_size));
    }
    return std::ceil(14 + swatch_width + 8 + widest + svg_margin);
  }

  void draw_legend(SvgCanvas& canvas) const {
    const double x = frame_.right() + 14;
    double y = frame_.top + line_height / 2;
    const auto write = [&](const std::string& name) {
      canvas.text(x + swatch_width + 8, y + 4.5, name);
      y += line_height;
    };
    for (const std::size_t i : in_legend_) {
      painter(i).draw_swatch(canvas, x, y, swatch_width);
      write(legend_name(i));
    }
    if (left_out_of_legend_ > 0) {
      write(legend_rest());
    }
  }

  const Plot& plot_;
  PlotFrame frame_;
  std::vector<std::size_t> looks_;      ///< by series
  std::vector<bool> is_inner_;          ///< by series: the first band of its look
  std::vector<std::size_t> in_legend_;  ///< indices of series
  std::size_t left_out_of_legend_ = 0;
  std::vector<PlotLevel> shown_levels_;
  bool is_empty_ = false;
  std::vector<Tick> y_ticks_;
};

}  // namespace

std::string to_svg(const Plot& plot) {
  return Drawing(plot).svg();
}

}  // namespace phpc::io
