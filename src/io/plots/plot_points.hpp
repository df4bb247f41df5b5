#pragma once
#include <vector>

namespace phpc::io {

/// A place in a picture.
struct PlotPoint {
  double x;
  double y;
};

/// Points that are drawn without a gap.
using PlotRun = std::vector<PlotPoint>;

/// A line as it is drawn. One with more points than a picture of 2 columns a unit can show is made smaller without a change to be
/// seen: where x ascends each column keeps its first, lowest, highest and last point, and gaps within a column are closed;
/// elsewhere points go that lie on the one before.
class PlotLine {
 public:
  /// `points`: how many will be added, gaps too; `width` of the picture.
  PlotLine(std::size_t points, double width);
  void add(PlotPoint point);
  /// The line is interrupted between the points before and after.
  void add_gap();
  [[nodiscard]] std::vector<PlotRun> finish() &&;

 private:
  bool is_long_;
  bool has_gap_ = false;
  std::vector<PlotRun> runs_;
};

/// Points of which no two lie in the same square of two units, less than a dot: the first of each, in their order.
std::vector<PlotPoint> distinct_points(const std::vector<PlotPoint>& points);

}  // namespace phpc::io
