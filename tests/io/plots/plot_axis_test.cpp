#include "io/plots/plot_axis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace phpc::io {
namespace {

std::string labels(const PlotAxis& axis, double low, double high, int most = 8) {
  AxisRange range(axis);
  range.include(low);
  range.include(high);
  range.finish(0, 0);
  std::string text;
  int labelled = 0;
  double before = -std::numeric_limits<double>::infinity();
  for (const Tick& tick : range.ticks(most)) {
    EXPECT_GE(range.place(tick.value), -1e-6);
    EXPECT_LE(range.place(tick.value), 1 + 1e-6);
    EXPECT_GT(tick.value, before);
    before = tick.value;
    text += tick.label.empty() ? "" : (text.empty() ? "" : " ") + tick.label;
    labelled += tick.label.empty() ? 0 : 1;
  }
  EXPECT_LE(labelled, most);
  return text;
}

const PlotAxis linear{};
const PlotAxis logarithmic{.scale = AxisScale::log};
const PlotAxis binary{.scale = AxisScale::log2};

TEST(AxisRange, TicksAreRoundNumbers) {
  EXPECT_EQ(labels(linear, 0, 10), "0 2 4 6 8 10");
  EXPECT_EQ(labels(linear, 0, 10, 3), "0 5 10");
  EXPECT_EQ(labels(linear, -0.3, 0.3), "−0.3 −0.2 −0.1 0 0.1 0.2 0.3");
  EXPECT_EQ(labels(linear, 1e6, 1.5e6), "1.0×10⁶ 1.1×10⁶ 1.2×10⁶ 1.3×10⁶ 1.4×10⁶ 1.5×10⁶");
  EXPECT_EQ(labels(linear, 1, 1 + 3.1e-10, 5), "1.0000000000 1.0000000001 1.0000000002 1.0000000003");
  EXPECT_EQ(labels(logarithmic, 1, 100), "1 2 5 10 20 50 100");
  EXPECT_EQ(labels(logarithmic, 1e-4, 1e5), "10⁻⁴ 10⁻² 10⁰ 10² 10⁴");
  EXPECT_EQ(labels(logarithmic, 0.5, 3), "0.5 1 2");
  EXPECT_EQ(labels(logarithmic, 1e-300, 1e300, 5), "10⁻²⁰⁰ 10⁰ 10²⁰⁰");
}

TEST(AxisRange, LessThanADecadeHasRoundNumbersToo) {
  EXPECT_EQ(labels(logarithmic, 55, 93), "60 70 80 90");
  EXPECT_EQ(labels(binary, 1100, 1600), "1100 1200 1300 1400 1500 1600");
}

TEST(AxisRange, PowersOfTwo) {
  EXPECT_EQ(labels(binary, 8, 2048, 10), "8 16 32 64 128 256 512 1024 2048");
  EXPECT_EQ(labels(binary, 8, 2048, 5), "16 64 256 1024");
  EXPECT_EQ(labels(binary, 1000, 5000), "1024 2048 4096");
  EXPECT_EQ(labels(binary, 1 << 10, 1 << 20, 6), "2¹⁰ 2¹² 2¹⁴ 2¹⁶ 2¹⁸ 2²⁰");
}

TEST(AxisRange, WholeNumbersHaveNoTicksBetween) {
  EXPECT_EQ(labels({.is_whole = true}, 0, 2), "0 1 2");
  EXPECT_EQ(labels({.is_whole = true}, 0, 0), "−1 0 1");
  EXPECT_EQ(labels({.is_whole = true}, 0, 30), "0 5 10 15 20 25 30");
}

TEST(AxisRange, OneValueGetsARangeAroundIt) {
  for (const PlotAxis& axis : {linear, logarithmic, binary}) {
    AxisRange range(axis);
    range.include(5);
    range.finish(0, 0);
    EXPECT_LT(range.low(), 5);
    EXPECT_GT(range.high(), 5);
    EXPECT_NEAR(range.place(5), 0.5, 1e-9);
    AxisRange none(axis);
    none.finish(0, 0);
    EXPECT_LT(none.low(), none.high());
    EXPECT_FALSE(none.ticks(8).empty());
  }
}

TEST(AxisRange, MarginsAndFloor) {
  AxisRange range(linear);
  range.include(0);
  range.include(10);
  range.finish(0.1, 0.2);
  EXPECT_DOUBLE_EQ(range.low(), -1);
  EXPECT_DOUBLE_EQ(range.high(), 12);
  AxisRange cut({.scale = AxisScale::log, .floor = 1e-10});
  cut.include(1e-30);
  cut.include(1);
  cut.finish(0.1, 0.1);
  EXPECT_NEAR(cut.low() / 1e-10, 1, 1e-9) << "no margin below a floor that cuts";
  EXPECT_NEAR(cut.high(), 10, 1e-9);
  AxisRange above({.floor = -5});
  above.include(0);
  above.include(10);
  above.finish(0.1, 0);
  EXPECT_DOUBLE_EQ(above.low(), -1);
  AxisRange below({.floor = 100});
  below.include(0);
  below.include(10);
  below.finish(0, 0);
  EXPECT_LT(below.low(), 10) << "all lies below the floor";
}

TEST(AxisRange, ShowsWhatItCan) {
  const double beyond_all = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(AxisRange(linear).shows(-1));
  EXPECT_FALSE(AxisRange(logarithmic).shows(0));
  EXPECT_FALSE(AxisRange(binary).shows(-1));
  EXPECT_FALSE(AxisRange(linear).shows(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(AxisRange(logarithmic).shows(beyond_all));
  EXPECT_FALSE(AxisRange(linear).shows(-1.7e308)) << "ranges are to be finite";
  EXPECT_FALSE(AxisRange(logarithmic).shows(5e-324));
}

}  // namespace
}  // namespace phpc::io
