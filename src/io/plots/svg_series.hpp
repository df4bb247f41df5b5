#pragma once
#include <cstddef>
#include <string>

#include "io/plots/plot_axis.hpp"
#include "io/plots/plot_points.hpp"
#include "io/plots/svg_canvas.hpp"

namespace phpc::io {

/// The rectangle of a picture in which two axes lie.
struct PlotFrame {
  AxisRange x;
  AxisRange y;
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;

  [[nodiscard]] double right() const { return left + width; }
  [[nodiscard]] double bottom() const { return top + height; }
  [[nodiscard]] double x_at(double value) const { return left + x.place(value) * width; }
  /// In the frame, or not far below its lower edge.
  [[nodiscard]] double y_at(double value) const;
  [[nodiscard]] bool shows(const PlotSeries& series, std::size_t i) const;
};

/// Draws one series. Series with different looks, numbers from 0, differ by colour, by the shape of their marks, and beyond 7 by
/// the dashes of their lines.
class SeriesPainter {
 public:
  SeriesPainter(const PlotSeries& series, std::size_t look, bool is_inner = true)
      : series_(series), look_(look), is_inner_(is_inner) {}

  void draw(SvgCanvas& canvas, const PlotFrame& frame) const;
  /// A sample of it for the legend.
  void draw_swatch(SvgCanvas& canvas, double x, double y, double width) const;

 private:
  void draw_line(SvgCanvas& canvas, const PlotFrame& frame) const;
  void draw_band(SvgCanvas& canvas, const PlotFrame& frame) const;
  void draw_dots(SvgCanvas& canvas, const std::vector<PlotPoint>& points) const;
  void draw_mark(SvgCanvas& canvas, PlotPoint point) const;
  [[nodiscard]] bool has_room_for_marks(double width) const;
  [[nodiscard]] const char* color() const;
  [[nodiscard]] std::string line_look(double thickness) const;
  [[nodiscard]] std::string band_look() const;

  const PlotSeries& series_;
  std::size_t look_;
  bool is_inner_;
};

}  // namespace phpc::io
