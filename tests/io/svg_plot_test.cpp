#include "phpc/io/svg_plot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "phpc/core/error.hpp"

namespace phpc::io {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

Plot plot_of(PlotSeries series) {
  return {.title = "title", .x = {.label = "x"}, .y = {.label = "y"}, .series = {std::move(series)}};
}

TEST(SvgPlot, HoldsTitleLabelsUnitsAndLegend) {
  Plot plot{.title = "Spectrum",
            .x = {.label = "frequency", .unit = "Hz", .scale = AxisScale::log},
            .y = {.label = "magnitude"},
            .series = {{.name = "one", .x = {1, 10}, .y = {1, 2}}}};
  std::string svg = to_svg(plot);
  EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
  EXPECT_NE(svg.find(">frequency [Hz]</text>"), std::string::npos);
  EXPECT_NE(svg.find(">magnitude</text>"), std::string::npos);
  EXPECT_EQ(count(svg, "Spectrum"), 2U);
  EXPECT_EQ(count(svg, ">one</text>"), 0U) << "a legend of one";
  plot.series.push_back({.name = "two", .x = {1, 10}, .y = {2, 3}});
  svg = to_svg(plot);
  EXPECT_EQ(count(svg, ">one</text>") + count(svg, ">two</text>"), 2U);
  EXPECT_EQ(count(svg, "<path"), 2U);
}

TEST(SvgPlot, EscapesText) {
  Plot plot = plot_of({.name = "s", .x = {1, 2}, .y = {1, 2}});
  plot.title = "a<b> & \"c\" \x01 \xff µ";
  const std::string svg = to_svg(plot);
  EXPECT_NE(svg.find("a&lt;b&gt; &amp; &quot;c&quot; ? ? µ"), std::string::npos) << svg;
}

TEST(SvgPlot, StylesDiffer) {
  PlotSeries series{.name = "s", .x = {0, 1, 2}, .y = {0, 1, 0}};
  EXPECT_EQ(count(to_svg(plot_of(series)), "L"), 2U);
  series.style = SeriesStyle::step;
  const std::string steps = to_svg(plot_of(series));
  EXPECT_EQ(count(steps, "H"), 2U);
  EXPECT_EQ(count(steps, "V"), 2U);
  series.style = SeriesStyle::scatter;
  EXPECT_EQ(count(to_svg(plot_of(series)), "<circle"), 3U);
}

TEST(SvgPlot, WhatCannotBeShownInterruptsTheLine) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Plot plot = plot_of({.name = "s", .x = {1, 2, 3, 4, 5}, .y = {1, 2, nan, 3, 4}});
  EXPECT_EQ(count(to_svg(plot), "<path"), 2U);
  plot.series[0].y = {1, 2, 0, 3, 4};
  EXPECT_EQ(count(to_svg(plot), "<path"), 1U);
  plot.y.scale = AxisScale::log;
  EXPECT_EQ(count(to_svg(plot), "<path"), 2U);
  plot.series[0].y = {nan, nan, nan, nan, nan};
  EXPECT_EQ(count(to_svg(plot), "nan"), 0U);
}

TEST(SvgPlot, LongLinesKeepTheirPeaksAndStaySmall) {
  PlotSeries series{.name = "s"};
  for (int i = 0; i < 1000000; ++i) {
    series.x.push_back(i);
    series.y.push_back(i == 123456 ? 10 : std::sin(i));
  }
  const std::string svg = to_svg(plot_of(series));
  EXPECT_LT(svg.size(), 200000U);
  EXPECT_EQ(count(svg, " 54.07L"), 1U) << "the peak, below the margin at the upper edge";
}

TEST(SvgPlot, EmptyPlotsAreDrawn) {
  EXPECT_NE(to_svg({.title = "", .x = {.label = ""}, .y = {.label = ""}, .series = {}}).find("</svg>"), std::string::npos);
  EXPECT_THROW(to_svg(plot_of({.name = "s", .x = {1}, .y = {}})), Error);
}

}  // namespace
}  // namespace phpc::io
