#pragma once
#include <string>
#include <vector>

#include "phpc/io/svg_plot.hpp"

namespace phpc::io {

struct Tick {
  double value;
  std::string label;  ///< empty: a line without a number
};

/// One axis of a plot: which values it holds, where they go, and its ticks.
class AxisRange {
 public:
  explicit AxisRange(AxisScale scale) : scale_(scale) {}

  /// The axis can show that value.
  [[nodiscard]] bool shows(double value) const;
  /// Makes the axis hold a value that it shows.
  void include(double value);
  /// To be called after the last include(). An axis of one value or none gets a range around it; then of a logarithmic axis no
  /// more than `decades` are kept (0 = all), and both ends move out by `margin` times the whole.
  void finish(double decades, double margin);

  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }
  /// 0 at low(), 1 at high().
  [[nodiscard]] double place(double value) const;
  [[nodiscard]] std::vector<Tick> ticks() const;

 private:
  AxisScale scale_;
  double low_ = 0;
  double high_ = 0;
  bool empty_ = true;
};

}  // namespace phpc::io
