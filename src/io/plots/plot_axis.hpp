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
  explicit AxisRange(const PlotAxis& axis) : scale_(axis.scale), is_whole_(axis.is_whole), floor_(axis.floor) {}

  /// The axis can show that value.
  [[nodiscard]] bool shows(double value) const;
  /// Makes the axis hold a value that it shows.
  void include(double value);
  [[nodiscard]] bool empty() const { return empty_; }
  /// To be called after the last include(). An axis of one value or none gets a range around it, and both ends move out by a
  /// share of the whole; but the lower end stays at the floor where values lie below.
  void finish(double margin_below, double margin_above);

  [[nodiscard]] double low() const { return from_scale(low_); }
  [[nodiscard]] double high() const { return from_scale(high_); }
  /// 0 at low(), 1 at high().
  [[nodiscard]] double place(double value) const;
  /// Ascending, at most `most` of them labelled (>= 2).
  [[nodiscard]] std::vector<Tick> ticks(int most) const;

 private:
  [[nodiscard]] double to_scale(double value) const;
  [[nodiscard]] double from_scale(double place) const;
  [[nodiscard]] std::vector<Tick> linear_ticks(int most) const;
  [[nodiscard]] std::vector<Tick> log_ticks(int most) const;
  [[nodiscard]] std::vector<Tick> log2_ticks(int most) const;

  AxisScale scale_;
  bool is_whole_;
  double floor_;
  double low_ = 0;  ///< on the scale: of a logarithmic axis a logarithm
  double high_ = 0;
  bool empty_ = true;
};

}  // namespace phpc::io
