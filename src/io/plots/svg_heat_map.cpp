#include "phpc/io/svg_heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>

#include "io/plots/svg_canvas.hpp"
#include "io/plots/svg_text.hpp"
#include "phpc/core/error.hpp"

namespace phpc::io {

namespace {

constexpr double cell_width = 64;
constexpr double cell_height = 24;
constexpr double above_cells = 84;
constexpr std::size_t longest_label = 32;
constexpr double scale_gap = 26;  // between the sums and the scale of colours
constexpr double scale_width = 14;
constexpr double scale_height = 5 * cell_height;

struct Color {
  double red;
  double green;
  double blue;
};

/// Steps of one hue, light to dark: the order shows without colour too.
constexpr std::array<Color, 5> ramp{{{247, 251, 255}, {198, 219, 239}, {107, 174, 214}, {33, 113, 181}, {8, 48, 107}}};

/// `share` 0 to 1.
Color color_at(double share) {
  const double place = share * (ramp.size() - 1);
  const auto step = std::min(static_cast<std::size_t>(place), ramp.size() - 2);
  const double within = place - static_cast<double>(step);
  const auto mix = [&](double from, double to) { return from + (to - from) * within; };
  return {mix(ramp[step].red, ramp[step + 1].red), mix(ramp[step].green, ramp[step + 1].green),
          mix(ramp[step].blue, ramp[step + 1].blue)};
}

std::string hex(const Color& color) {
  const auto byte = [](double value) { return static_cast<int>(std::lround(value)); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(color.red), byte(color.green), byte(color.blue));
}

/// Whole numbers of up to five digits, beyond that three significant ones and k, M, G or T.
std::string number(double count) {
  if (count < 99999.5) {
    return fmt::format("{:.0f}", count);
  }
  for (const char unit : std::string_view("kMGT")) {
    count /= 1000;
    if (count < 999.5) {
      return fmt::format("{:.3g}{}", count, unit);
    }
  }
  return fmt::format("{:.2g}T", count);
}

class HeatMapDrawing {
 public:
  HeatMapDrawing(const HeatMap& map, std::size_t most_rows) : map_(map), sums_(map.rows.size()) {
    for (std::size_t row = 0; row < map.rows.size(); ++row) {
      for (std::size_t column = 0; column < map.columns.size(); ++column) {
        sums_[row] += count_at(row, column);
      }
    }
    choose_rows(most_rows);
    row_label_ = shortened_for_svg(map.row_label, longest_label);
    double widest = text_width(row_label_, svg_font_size);
    for (const std::size_t row : shown_) {
      widest = std::max(widest, text_width(shortened_for_svg(map.rows[row], longest_label), svg_font_size));
      for (std::size_t column = 0; column < map.columns.size(); ++column) {
        highest_ = std::max(highest_, count_at(row, column));
      }
    }
    left_ = std::ceil(svg_margin + widest + 10);
  }

  std::string svg() && {
    const double right = x_of(map_.columns.size() + 1);
    const double scale_right = right + scale_gap + scale_width + 6 + text_width(number(highest_), svg_font_size);
    // The title may stick out to both sides of the cells.
    const std::string title = fitted_for_svg(this->title(), svg_title_size, 800);
    const double width = std::ceil(std::max(scale_right, text_width(title, svg_title_size) + svg_margin) + svg_margin);
    const double height = above_cells +
                          std::max(static_cast<double>(shown_.size()) * cell_height, highest_ > 0 ? scale_height + 8 : 0) +
                          svg_margin;
    SvgCanvas canvas(width, height, map_.title);
    canvas.text(width / 2, 26, title, {.anchor = "middle", .size = svg_title_size});
    const double cells_width = static_cast<double>(map_.columns.size()) * cell_width;
    const std::string column_label = fitted_for_svg(map_.column_label, svg_font_size, std::max(cells_width, 2 * cell_width));
    canvas.text(left_ + cells_width / 2, 52, column_label, {.anchor = "middle"});
    canvas.text(left_ - 10, above_cells - 10, row_label_, {.anchor = "end"});
    for (std::size_t column = 0; column < map_.columns.size(); ++column) {
      const std::string name = fitted_for_svg(map_.columns[column], svg_font_size, cell_width - 4);
      canvas.text(x_of(column) + cell_width / 2, above_cells - 10, name, {.anchor = "middle"});
    }
    canvas.text(right - 8, above_cells - 10, "all", {.anchor = "end"});
    for (std::size_t line = 0; line < shown_.size(); ++line) {
      draw_row(canvas, shown_[line], above_cells + static_cast<double>(line) * cell_height);
    }
    if (highest_ > 0) {
      draw_scale(canvas, right + scale_gap);
    }
    return std::move(canvas).finish();
  }

 private:
  void choose_rows(std::size_t most_rows) {
    shown_.resize(map_.rows.size());
    std::iota(shown_.begin(), shown_.end(), std::size_t{0});
    if (shown_.size() > most_rows) {
      std::sort(shown_.begin(), shown_.end(),
                [&](std::size_t a, std::size_t b) { return sums_[a] != sums_[b] ? sums_[a] > sums_[b] : a < b; });
      shown_.resize(most_rows);
      std::sort(shown_.begin(), shown_.end());
    }
  }

  [[nodiscard]] std::string title() const {
    return shown_.size() == map_.rows.size()
               ? map_.title
               : fmt::format("{} (the {} rows of {} with most)", map_.title, shown_.size(), map_.rows.size());
  }

  /// What is no count is taken as none.
  [[nodiscard]] double count_at(std::size_t row, std::size_t column) const {
    const double count = map_.counts[row * map_.columns.size() + column];
    return std::isfinite(count) ? std::max(0.0, count) : 0;
  }
  [[nodiscard]] double x_of(std::size_t column) const { return left_ + static_cast<double>(column) * cell_width; }
  /// How dark, 0 to 1.
  [[nodiscard]] double share_of(double count) const { return highest_ > 0 ? std::log1p(count) / std::log1p(highest_) : 0; }

  void draw_row(SvgCanvas& canvas, std::size_t row, double y) const {
    const double baseline = y + cell_height / 2 + 4.5;
    canvas.text(left_ - 10, baseline, shortened_for_svg(map_.rows[row], longest_label), {.anchor = "end", .family = "monospace"});
    for (std::size_t column = 0; column < map_.columns.size(); ++column) {
      const double count = count_at(row, column);
      const double share = share_of(count);
      canvas.rectangle(x_of(column), y, cell_width, cell_height,
                       fmt::format("fill=\"{}\" stroke=\"#ffffff\"", hex(color_at(share))));
      if (count > 0) {
        constexpr double dark = 0.6;
        canvas.text(x_of(column) + cell_width / 2, baseline, number(count),
                    {.anchor = "middle", .color = share > dark ? "#ffffff" : SvgText{}.color});
      }
    }
    canvas.text(x_of(map_.columns.size() + 1) - 8, baseline, number(sums_[row]), {.anchor = "end"});
  }

  /// The scale of colours: a step for each of some shares, the highest count above.
  void draw_scale(SvgCanvas& canvas, double x) const {
    constexpr int steps = 30;
    for (int step = 0; step < steps; ++step) {
      const double share = 1 - static_cast<double>(step) / (steps - 1);
      canvas.rectangle(x, above_cells + step * scale_height / steps, scale_width, scale_height / steps + 0.5,
                       fmt::format("fill=\"{}\"", hex(color_at(share))));
    }
    canvas.rectangle(x, above_cells, scale_width, scale_height, "fill=\"none\" stroke=\"#333333\" stroke-width=\"0.5\"");
    // Powers of ten between 0 and the highest, as far as their labels keep apart.
    const auto label = [&](double count) {
      canvas.text(x + scale_width + 6, above_cells + (1 - share_of(count)) * scale_height + 4.5, number(count));
    };
    label(highest_);
    label(0);
    double last = 1;  // of the labels above
    constexpr double apart = 0.13;
    for (double count = std::pow(10.0, std::floor(std::log10(highest_))); count >= 1; count /= 10) {
      if (last - share_of(count) >= apart && share_of(count) >= apart) {
        label(count);
        last = share_of(count);
      }
    }
  }

  const HeatMap& map_;
  std::vector<double> sums_;  ///< by row
  std::vector<std::size_t> shown_;
  std::string row_label_;
  double highest_ = 0;
  double left_ = 0;
};

}  // namespace

std::string to_svg(const HeatMap& map, std::size_t most_rows) {
  PHPC_VALIDATE(map.counts.size() == map.rows.size() * map.columns.size(), ErrorKind::usage,
                fmt::format("a heat map of {} rows and {} columns has {} counts; give one a cell", map.rows.size(),
                            map.columns.size(), map.counts.size()));
  return HeatMapDrawing(map, most_rows).svg();
}

}  // namespace phpc::io
