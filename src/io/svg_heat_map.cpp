#include "phpc/io/svg_heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "io/svg_text.hpp"
#include "phpc/core/error.hpp"

namespace phpc::io {

namespace {

constexpr double cell_width = 64;
constexpr double cell_height = 24;
constexpr double top = 84;
constexpr double margin = 20;
constexpr double letter_width = 8;  // of the rows' names, which are set in a font of fixed width
constexpr std::size_t longest_name = 32;

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

/// Whole numbers of up to five digits, beyond that two significant ones.
std::string number(double count) {
  return count < 100000 ? fmt::format("{:.0f}", count) : fmt::format("{:.1e}", count);
}

class Drawing {
 public:
  Drawing(const HeatMap& map, std::size_t most_rows) : map_(map), sums_(map.rows.size()) {
    const std::size_t columns = map.columns.size();
    for (std::size_t row = 0; row < map.rows.size(); ++row) {
      const auto first = map.counts.begin() + static_cast<std::ptrdiff_t>(row * columns);
      sums_[row] = std::accumulate(first, first + static_cast<std::ptrdiff_t>(columns), 0.0);
    }
    choose_rows(most_rows);
    std::size_t longest = map.row_label.size();
    for (const std::size_t row : shown_) {
      longest = std::max(longest, std::min(longest_name, map.rows[row].size()));
      for (std::size_t column = 0; column < columns; ++column) {
        highest_ = std::max(highest_, count_at(row, column));
      }
    }
    left_ = margin + static_cast<double>(longest) * letter_width + 10;
  }

  std::string svg() {
    const double right = left_ + static_cast<double>(map_.columns.size() + 1) * cell_width;
    const double width = std::max(right + margin, 360.0);
    const double height = top + static_cast<double>(shown_.size()) * cell_height + margin;
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"sans-serif\" font-size=\"13\">\n<title>{2}</title>\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
        width, height, escaped_for_svg(map_.title));
    text(width / 2, 24, "middle", title(), " font-size=\"16\"");
    text(left_ + static_cast<double>(map_.columns.size()) * cell_width / 2, 50, "middle", map_.column_label);
    text(left_ - 10, top - 10, "end", map_.row_label);
    for (std::size_t column = 0; column < map_.columns.size(); ++column) {
      text(x_of(column) + cell_width / 2, top - 10, "middle", map_.columns[column]);
    }
    text(x_of(map_.columns.size()) + cell_width - 8, top - 10, "end", "all");
    for (std::size_t line = 0; line < shown_.size(); ++line) {
      draw_row(shown_[line], top + static_cast<double>(line) * cell_height);
    }
    return out_ + "</svg>\n";
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

  [[nodiscard]] double count_at(std::size_t row, std::size_t column) const {
    return map_.counts[row * map_.columns.size() + column];
  }
  [[nodiscard]] double x_of(std::size_t column) const { return left_ + static_cast<double>(column) * cell_width; }

  void text(double x, double y, const char* anchor, std::string_view content, std::string_view more = "") {
    out_ += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                        escaped_for_svg(content));
  }

  void draw_row(std::size_t row, double y) {
    const double baseline = y + cell_height / 2 + 4.5;
    text(left_ - 10, baseline, "end", shortened_for_svg(map_.rows[row], longest_name), " font-family=\"monospace\"");
    for (std::size_t column = 0; column < map_.columns.size(); ++column) {
      const double count = count_at(row, column);
      const double share = highest_ > 0 ? std::log1p(count) / std::log1p(highest_) : 0;
      out_ += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"#ffffff\"/>\n",
                          x_of(column), y, cell_width, cell_height, hex(color_at(share)));
      if (count > 0) {
        text(x_of(column) + cell_width / 2, baseline, "middle", number(count), share > 0.6 ? " fill=\"#ffffff\"" : "");
      }
    }
    text(x_of(map_.columns.size()) + cell_width - 8, baseline, "end", number(sums_[row]));
  }

  const HeatMap& map_;
  std::vector<double> sums_;  ///< by row
  std::vector<std::size_t> shown_;
  double highest_ = 0;
  double left_ = 0;
  std::string out_;
};

}  // namespace

std::string to_svg(const HeatMap& map, std::size_t most_rows) {
  PHPC_VALIDATE(map.counts.size() == map.rows.size() * map.columns.size(), ErrorKind::usage,
                fmt::format("a heat map of {} rows and {} columns has {} counts; give one a cell", map.rows.size(),
                            map.columns.size(), map.counts.size()));
  return Drawing(map, most_rows).svg();
}

}  // namespace phpc::io
