#pragma once
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

/// Plots of curves and points as SVG pictures, drawn without another program.
namespace phpc::io {

enum class AxisScale {
  linear,
  log,  ///< with ticks at powers of ten
  log2  ///< with ticks at powers of two
};

struct PlotAxis {
  std::string label{};
  std::string unit{};  ///< stands in brackets behind the label; empty = none
  AxisScale scale = AxisScale::linear;
  bool is_whole = false;  ///< values count something: no ticks between whole numbers
  /// The axis begins no lower; points below are drawn below its edge, that is, not.
  double floor = -std::numeric_limits<double>::infinity();
};

enum class SeriesStyle {
  line,     ///< straight from point to point
  step,     ///< level up to the next point's x, as of a histogram whose bins begin at x
  scatter,  ///< a dot for each point
  band      ///< the area between `low` and y, behind all lines
};

/// Points (x[i], y[i]) under one name. Points that the axes cannot show (not finite, beyond 1e300, or below 1e-300 on a
/// logarithmic axis) are left out and interrupt the line.
struct PlotSeries {
  std::string name{};  ///< in the legend, any UTF-8 text; empty = the legend is silent about the series
  std::vector<double> x{};
  std::vector<double> y{};
  std::vector<double> low{};  ///< of a band
  SeriesStyle style = SeriesStyle::line;
  bool is_marked = false;                 ///< a line shows its points too, while there is room between them
  std::optional<std::size_t> color_of{};  ///< index of the series whose colour this one has; absent = one of its own
};

/// A value of y that curves are to be compared with: a broken line across the plot, with its name.
struct PlotLevel {
  std::string name;
  double y;
};

/// A word to a point.
struct PlotNote {
  double x;
  double y;
  std::string text;
};

struct Plot {
  std::string title;
  PlotAxis x;
  PlotAxis y;
  std::vector<PlotSeries> series;
  std::vector<PlotLevel> levels{};
  std::vector<PlotNote> notes{};  ///< the most important first: one for which there is no room is left out
};

/// The picture: a frame of 700 by 376 units, axes that hold all points (but for PlotAxis::floor) and levels, ticks at round
/// numbers, and a legend when more than one series has a name, for which the picture is as large as need be. Names that are very
/// long are shortened in their middle; beyond 48 series the legend says how many more there are. Of long lines with ascending x
/// each column of pixels keeps its first, lowest, highest and last point, which draws the same picture (Jugel et al., "M4: a
/// visualization-oriented time series data aggregation", 2014), so that it stays small. The same plot is the same bytes. Throws
/// Error(usage) when the lists of a series differ in length.
std::string to_svg(const Plot& plot);

}  // namespace phpc::io
