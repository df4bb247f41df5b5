#include "io/plot_axis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace phpc::io {
namespace {

std::string labels(AxisScale scale, double low, double high) {
  AxisRange range(scale);
  range.include(low);
  range.include(high);
  range.finish(0, 0);
  std::string text;
  for (const Tick& tick : range.ticks()) {
    EXPECT_GE(range.place(tick.value), -1e-6);
    EXPECT_LE(range.place(tick.value), 1 + 1e-6);
    text += tick.label.empty() ? "" : (text.empty() ? "" : " ") + tick.label;
  }
  return text;
}

TEST(AxisRange, TicksAreRoundNumbers) {
  EXPECT_EQ(labels(AxisScale::linear, 0, 10), "0 2 4 6 8 10");
  EXPECT_EQ(labels(AxisScale::linear, -0.3, 0.3), "-0.3 -0.2 -0.1 0 0.1 0.2 0.3");
  EXPECT_EQ(labels(AxisScale::linear, 1e6, 1.5e6), "1e+06 1.1e+06 1.2e+06 1.3e+06 1.4e+06 1.5e+06");
  EXPECT_EQ(labels(AxisScale::log, 1, 100), "1 2 5 10 20 50 100");
  EXPECT_EQ(labels(AxisScale::log, 1e-4, 1e5), "10⁻⁴ 0.01 1 100 10000");
  EXPECT_EQ(labels(AxisScale::log, 0.5, 3), "0.5 1 2");
}

TEST(AxisRange, OneValueGetsARangeAroundIt) {
  for (const AxisScale scale : {AxisScale::linear, AxisScale::log}) {
    AxisRange range(scale);
    range.include(5);
    range.finish(0, 0);
    EXPECT_LT(range.low(), 5);
    EXPECT_GT(range.high(), 5);
    AxisRange none(scale);
    none.finish(0, 0);
    EXPECT_LT(none.low(), none.high());
    EXPECT_FALSE(none.ticks().empty());
  }
}

TEST(AxisRange, MarginsAndDecades) {
  AxisRange linear(AxisScale::linear);
  linear.include(0);
  linear.include(10);
  linear.finish(0, 0.1);
  EXPECT_DOUBLE_EQ(linear.low(), -1);
  EXPECT_DOUBLE_EQ(linear.high(), 11);
  AxisRange log(AxisScale::log);
  log.include(1e-30);
  log.include(1);
  log.finish(10, 0.1);
  EXPECT_NEAR(log.low() / 1e-11, 1, 1e-12);
  EXPECT_NEAR(log.high(), 10, 1e-12);
}

TEST(AxisRange, ShowsWhatItCan) {
  EXPECT_TRUE(AxisRange(AxisScale::linear).shows(-1));
  EXPECT_FALSE(AxisRange(AxisScale::log).shows(0));
  EXPECT_FALSE(AxisRange(AxisScale::linear).shows(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(AxisRange(AxisScale::log).shows(std::numeric_limits<double>::infinity()));
}

}  // namespace
}  // namespace phpc::io
