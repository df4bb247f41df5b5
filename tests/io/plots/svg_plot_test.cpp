#include "phpc/io/svg_plot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "phpc/core/error.hpp"
#include "support/xml.hpp"

namespace phpc::io {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// The number behind the first `name="` of the first element that holds `mark`.
double attribute(const std::string& svg, const std::string& mark, const std::string& name) {
  const std::size_t end = svg.find(mark);
  EXPECT_NE(end, std::string::npos) << mark;
  const std::size_t begin = svg.rfind('\n', end) + 1;
  return std::stod(svg.substr(svg.find(" " + name + "=\"", begin) + name.size() + 3));
}

Plot plot_of(PlotSeries series) {
  return {.title = "title", .x = {.label = "x"}, .y = {.label = "y"}, .series = {std::move(series)}};
}

PlotSeries named(const std::string& name) {
  return {.name = name, .x = {1, 10}, .y = {1, 2}};
}

TEST(SvgPlot, HoldsTitleLabelsUnitsAndLegend) {
  Plot plot{.title = "Spectrum",
            .x = {.label = "frequency", .unit = "Hz", .scale = AxisScale::log},
            .y = {.label = "magnitude"},
            .series = {named("one")}};
  std::string svg = to_svg(plot);
  EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
  EXPECT_NE(svg.find(">frequency [Hz]</text>"), std::string::npos);
  EXPECT_NE(svg.find(">magnitude</text>"), std::string::npos);
  EXPECT_EQ(test::occurrences(svg, "Spectrum"), 2U);
  EXPECT_EQ(test::occurrences(svg, ">one</text>"), 0U) << "a legend of one";
  plot.series.push_back(named("two"));
  plot.series.push_back(named(""));
  svg = to_svg(plot);
  EXPECT_EQ(test::occurrences(svg, ">one</text>") + test::occurrences(svg, ">two</text>"), 2U);
  EXPECT_EQ(test::occurrences(svg, "<path"), 3U);
  EXPECT_EQ(svg, to_svg(plot)) << "the same bytes";
}

TEST(SvgPlot, LegendsAreNeverCut) {
  Plot plot = plot_of(named("short"));
  plot.series.push_back(named(std::string(35, 'M')));
  for (int i = 2; i < 40; ++i) {
    plot.series.push_back(named("series " + std::to_string(i)));
  }
  std::string svg = to_svg(plot);
  EXPECT_EQ(test::occurrences(svg, ">series 39</text>"), 1U);
  const double width = attribute(svg, "viewBox", "width");
  const double height = attribute(svg, "viewBox", "height");
  const std::string longest = "M…";
  EXPECT_LE(attribute(svg, longest, "x") + 300, width) << "names of up to 300 units";
  EXPECT_LT(attribute(svg, ">series 39<", "y"), height - 10);
  for (int i = 40; i < 100; ++i) {
    plot.series.push_back(named("series " + std::to_string(i)));
  }
  svg = to_svg(plot);
  EXPECT_EQ(test::occurrences(svg, ">and 52 more</text>"), 1U);
  EXPECT_LT(attribute(svg, ">and 52 more<", "y"), attribute(svg, "viewBox", "height"));
}

TEST(SvgPlot, NamesOfAMegabyteAreShortened) {
  const std::string name = std::string(1 << 20, 'a') + "end";
  Plot plot{.title = name, .x = {.label = name}, .y = {.label = name, .unit = name}, .series = {named(name), named(name)}};
  plot.levels = {{name, 1.5}};
  plot.notes = {{5, 1.5, name}};
  const std::string svg = to_svg(plot);
  EXPECT_LT(svg.size(), 20000U);
  EXPECT_GE(test::occurrences(svg, "aend</text>"), 5U);
  EXPECT_EQ(test::xml_complaint(svg), "");
}

TEST(SvgPlot, EscapesText) {
  Plot plot = plot_of(named("s"));
  plot.series.push_back(named("\xff\xfe\x1b[2J \xed\xa0\x80]]><x"));
  plot.title = "a<b> & \"c\" \x01 \xff µ";
  const std::string svg = to_svg(plot);
  EXPECT_NE(svg.find("a&lt;b&gt; &amp; &quot;c&quot; ? ? µ"), std::string::npos) << svg;
  EXPECT_EQ(test::xml_complaint(svg), "");
}

TEST(SvgPlot, StylesDiffer) {
  PlotSeries series{.name = "s", .x = {0, 1, 2}, .y = {0, 1, 0}};
  EXPECT_EQ(test::occurrences(to_svg(plot_of(series)), "L"), 2U);
  series.style = SeriesStyle::step;
  const std::string steps = to_svg(plot_of(series));
  EXPECT_EQ(test::occurrences(steps, "H"), 2U);
  EXPECT_EQ(test::occurrences(steps, "V"), 2U);
  series.style = SeriesStyle::scatter;
  EXPECT_EQ(test::occurrences(to_svg(plot_of(series)), "h0"), 3U);
  series.style = SeriesStyle::band;
  series.low = {-1, -1, -1};
  const std::string band = to_svg(plot_of(series));
  EXPECT_EQ(test::occurrences(band, "L"), 5U) << "there and back";
  EXPECT_EQ(test::occurrences(band, "Z\""), 1U);
  EXPECT_NE(band.find("−1.0</text>"), std::string::npos) << "the axis holds the lower end";
}

TEST(SvgPlot, MeasuredPointsAreMarkedWhileThereIsRoom) {
  PlotSeries series{.name = "s", .is_marked = true};
  for (int i = 0; i < 80; ++i) {
    series.x.push_back(i);
    series.y.push_back(i % 7);
  }
  EXPECT_EQ(test::occurrences(to_svg(plot_of(series)), "a3.5 3.5"), 160U) << "two arcs a circle";
  series.x.resize(200, 300);
  series.y.resize(200, 1);
  EXPECT_EQ(test::occurrences(to_svg(plot_of(series)), "a3.5 3.5"), 0U);
}

TEST(SvgPlot, ABandHasTheColorOfItsMedian) {
  Plot plot = plot_of(named("median"));
  plot.series.push_back({.name = "band", .x = {1, 10}, .y = {3, 4}, .low = {0, 1}, .style = SeriesStyle::band, .color_of = 0});
  plot.series.push_back(named("next"));
  const std::string svg = to_svg(plot);
  EXPECT_EQ(test::occurrences(svg, "fill=\"#0072b2\""), 2U) << "the band, and its sample in the legend";
  EXPECT_EQ(test::occurrences(svg, "stroke=\"#d55e00\""), 2U) << "the second colour is the next one's";
  EXPECT_LT(svg.find("fill=\"#0072b2\""), svg.find("fill=\"none\" stroke=\"#0072b2\"")) << "behind the lines";
}

TEST(SvgPlot, LevelsAreOnTheAxisAndNamed) {
  Plot plot = plot_of({.name = "s", .x = {1, 2}, .y = {1, 1e-3}});
  plot.y.scale = AxisScale::log;
  plot.levels = {{"tolerance", 1e-6}, {"none", 0}, {"not a number", nan}};
  const std::string svg = to_svg(plot);
  EXPECT_EQ(test::occurrences(svg, ">tolerance</text>"), 2U) << "and its halo";
  EXPECT_EQ(test::occurrences(svg, "stroke-dasharray=\"7 4\""), 1U);
  EXPECT_NE(svg.find(">10⁻⁶</text>"), std::string::npos) << svg;
}

TEST(SvgPlot, NotesKeepApart) {
  Plot plot = plot_of({.name = "s", .x = {0, 49, 50, 100}, .y = {0, 10, 9.9, 0}});
  plot.notes = {{49, 10, "first"}, {50, 9.9, "second"}, {49.5, 9.95, "third"}, {100, 0, "at the edge"}, {1, nan, "nowhere"}};
  const std::string svg = to_svg(plot);
  EXPECT_EQ(test::occurrences(svg, ">first</text>"), 2U) << "and its halo";
  EXPECT_EQ(test::occurrences(svg, ">third</text>"), 0U) << "no room";
  EXPECT_EQ(test::occurrences(svg, ">nowhere</text>"), 0U);
  EXPECT_LE(attribute(svg, ">at the edge</text>", "x"), attribute(svg, "viewBox", "width") - 40);
}

TEST(SvgPlot, WhatCannotBeShownInterruptsTheLine) {
  Plot plot = plot_of({.name = "s", .x = {1, 2, 3, 4, 5}, .y = {1, 2, nan, 3, 4}});
  const auto runs = [&] { return test::occurrences(to_svg(plot), "M"); };
  EXPECT_EQ(runs(), 2U);
  plot.series[0].y = {1, 2, 0, 3, 4};
  EXPECT_EQ(runs(), 1U);
  plot.y.scale = AxisScale::log;
  EXPECT_EQ(runs(), 2U);
  plot.series[0].y = {1, nan, 2, nan, 3};
  EXPECT_EQ(test::occurrences(to_svg(plot), "h0"), 3U) << "a point by itself is a dot";
  plot.series[0].y = {nan, infinity, -infinity, 0, -1};
  EXPECT_NE(to_svg(plot).find("no value that these axes can show"), std::string::npos);
}

TEST(SvgPlot, UglyNumbersMakeWholePictures) {
  const std::vector<std::vector<double>> lists{{},
                                               {0},
                                               {5},
                                               {-3, -3, -3},
                                               {nan},
                                               {infinity, -infinity},
                                               {0, 0, 0},
                                               {5e-324, 1e-310},
                                               {1e300, -1e300},
                                               {1.7e308, -1.7e308, 1},
                                               {1e-290, 1e290},
                                               {1, 1 + 1e-15},
                                               {1, 1 + 1e-11},
                                               {-1e9, -1e9 - 1e-3},
                                               {0.1, nan, 0.2, infinity, 0, -1}};
  for (const AxisScale x_scale : {AxisScale::linear, AxisScale::log, AxisScale::log2}) {
    for (const AxisScale y_scale : {AxisScale::linear, AxisScale::log, AxisScale::log2}) {
      for (const std::vector<double>& x : lists) {
        for (std::vector<double> y : lists) {
          y.resize(x.size(), 1);
          for (const bool is_whole : {false, true}) {
            for (const SeriesStyle style : {SeriesStyle::line, SeriesStyle::scatter, SeriesStyle::band}) {
              Plot plot = plot_of({.name = "s", .x = x, .y = y, .low = x, .style = style, .is_marked = true});
              plot.x.scale = x_scale;
              plot.x.is_whole = is_whole;
              plot.y.scale = y_scale;
              plot.y.floor = is_whole ? 1e-12 : -infinity;
              plot.levels = {{"level", y.empty() ? 0 : y[0]}};
              plot.notes = {{x.empty() ? 0 : x[0], y.empty() ? 0 : y[0], "note"}};
              const std::string svg = to_svg(plot);
              ASSERT_EQ(test::xml_complaint(svg), "");
              ASSERT_EQ(test::occurrences(svg, "nan") + test::occurrences(svg, "inf"), 0U) << svg;
              ASSERT_LT(svg.size(), 20000U) << svg;
            }
          }
        }
      }
    }
  }
}

TEST(SvgPlot, LongLinesKeepTheirPeaksAndStaySmall) {
  PlotSeries series{.name = "s"};
  for (int i = 0; i < 1000000; ++i) {
    series.x.push_back(i);
    series.y.push_back(i == 123456 ? 10 : std::sin(i));
  }
  std::string svg = to_svg(plot_of(series));
  EXPECT_LT(svg.size(), 200000U);
  // The axis goes from -1 to 10 and a twentieth more to both sides.
  EXPECT_EQ(test::occurrences(svg, " 61.09L"), 1U) << "the peak";
  // The same with gaps.
  for (std::size_t i = 0; i < series.y.size(); i += 3) {
    series.y[i] = i == 123456 ? 10 : nan;
  }
  svg = to_svg(plot_of(series));
  EXPECT_LT(svg.size(), 200000U);
  EXPECT_EQ(test::occurrences(svg, " 61.09L"), 1U) << "the peak";
}

TEST(SvgPlot, CloudsOfPointsStaySmall) {
  PlotSeries series{.name = "s", .style = SeriesStyle::scatter};
  std::mt19937 random(1);
  std::uniform_real_distribution<double> share(0, 1);
  for (int i = 0; i < 1000000; ++i) {
    series.x.push_back(share(random));
    series.y.push_back(share(random));
  }
  EXPECT_LT(to_svg(plot_of(series)).size(), 1500000U);
}

TEST(SvgPlot, EmptyPlotsAreDrawn) {
  EXPECT_NE(to_svg({.title = "", .x = {.label = ""}, .y = {.label = ""}, .series = {}}).find("</svg>"), std::string::npos);
  EXPECT_THROW(to_svg(plot_of({.name = "s", .x = {1}, .y = {}})), Error);
  EXPECT_THROW(to_svg(plot_of({.name = "s", .x = {1}, .y = {1}, .low = {}, .style = SeriesStyle::band})), Error);
}

}  // namespace
}  // namespace phpc::io
