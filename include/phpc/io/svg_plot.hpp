#pragma once
#include <string>
#include <vector>

/// Plots of curves and points as SVG pictures, drawn without another program.
namespace phpc::io {

enum class AxisScale { linear, log };

struct PlotAxis {
  std::string label;
  std::string unit{};  ///< stands in brackets behind the label; empty = none
  AxisScale scale = AxisScale::linear;
  /// Of a logarithmic axis the most that is shown below its highest value; 0 = all.
  double decades = 0;
};

enum class SeriesStyle {
  line,    ///< straight from point to point
  step,    ///< level up to the next point's x, as of a histogram whose bins begin at x
  scatter  ///< a dot for each point
};

/// Points (x[i], y[i]) under one name. Points that the axes cannot show (not finite, or not positive on a logarithmic axis) are
/// left out and interrupt the line.
struct PlotSeries {
  std::string name;  ///< in the legend; any UTF-8 text
  std::vector<double> x{};
  std::vector<double> y{};
  SeriesStyle style = SeriesStyle::line;
};

struct Plot {
  std::string title;
  PlotAxis x;
  PlotAxis y;
  std::vector<PlotSeries> series;
};

/// The picture: 840 by 480 units, axes that hold all points (but for PlotAxis::decades), ticks at round numbers, a legend when
/// there is more than one series. Of long lines with ascending x each column of pixels keeps its first, lowest, highest and last
/// point, which draws the same picture (Jugel et al., "M4: a visualization-oriented time series data aggregation", 2014), so that
/// it stays small. Throws Error(usage) when x and y of a series differ in length.
std::string to_svg(const Plot& plot);

}  // namespace phpc::io
