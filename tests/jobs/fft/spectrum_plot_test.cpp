#include "jobs/fft/spectrum_plot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace phpc::jobs {
namespace {

constexpr double zero = -std::numeric_limits<double>::infinity();  // in dB
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

SpectrumPlot::Description description(index_t points, double depth = 138) {
  return {.title = "Spectrum of x",
          .each = "channel",
          .points = points,
          .spacing = 2,
          .has_unit = true,
          .label = "magnitude",
          .level_unit = "dB",
          .depth = depth};
}

io::Plot plot_of(const std::vector<std::vector<double>>& transforms, const SpectrumPlot::Description& described) {
  SpectrumPlot plot(described);
  for (std::size_t transform = 0; transform < transforms.size(); ++transform) {
    for (std::size_t i = 0; i < transforms[transform].size(); ++i) {
      plot.add(static_cast<index_t>(transform), {2.0 * static_cast<double>(i), 0, 0, transforms[transform][i]});
    }
  }
  return std::move(plot).plot();
}

std::string names(const io::Plot& plot) {
  std::string text;
  for (const io::PlotNote& note : plot.notes) {
    text += (text.empty() ? "" : ", ") + note.text;
  }
  return text;
}

TEST(SpectrumPeaks, StandOutOfTheCurve) {
  EXPECT_EQ(peaks_of({0, 0, 50, 0, 0, 40, 0, 0}), (std::vector<std::size_t>{2, 5}));
  EXPECT_EQ(peaks_of({50, 0, 0, 0, 0, 60}), (std::vector<std::size_t>{5, 0})) << "ends";
  EXPECT_EQ(peaks_of({0, 0, 0, 50, 50, 0, 0, 0}), (std::vector<std::size_t>{3})) << "the first of equals";
  EXPECT_EQ(peaks_of({0, 0, 0, 50, 45, 49, 0, 0, 0}), (std::vector<std::size_t>{3})) << "a shoulder";
  EXPECT_EQ(peaks_of({0, 1, 0, 19, 0, 1, 0}), (std::vector<std::size_t>{})) << "noise";
  EXPECT_EQ(peaks_of({0, -200, -200, -120, -200, -200}), (std::vector<std::size_t>{0})) << "far below the highest";
  EXPECT_EQ(peaks_of({zero, zero, 3, zero, nan, zero}), (std::vector<std::size_t>{2}));
  EXPECT_EQ(peaks_of({zero, zero}), (std::vector<std::size_t>{}));
  EXPECT_EQ(peaks_of({nan}), (std::vector<std::size_t>{}));
  EXPECT_EQ(peaks_of({}), (std::vector<std::size_t>{}));
}

TEST(SpectrumPlot, NamesTheHighestPeaksByFrequency) {
  std::vector<double> one(1000, -90);
  std::vector<double> two(1000, -100);
  one[220] = -6;
  one[330] = -12;
  two[220] = -9;
  two[500] = -20;
  EXPECT_EQ(names(plot_of({one, two}, description(1000))), "440 Hz, 660 Hz, 1000 Hz") << "one name for both channels";
  SpectrumPlot::Description without_unit = description(1000);
  without_unit.has_unit = false;
  without_unit.spacing = 1.0 / 64;
  SpectrumPlot plot(without_unit);
  for (int i = -32; i < 32; ++i) {
    plot.add(0, {i / 64.0, 0, 0, i == -3 ? 0.0 : -80.0});
  }
  EXPECT_EQ(names(std::move(plot).plot()), "−0.047");
}

TEST(SpectrumPlot, TheFloorIsAboveRoundingAndDeepNotches) {
  std::vector<double> levels(1000, -300);
  levels[10] = 0;
  EXPECT_EQ(plot_of({levels}, description(1000)).y.floor, -140) << "rounding";
  levels.assign(1000, -60);
  levels[10] = 0;
  levels[20] = -130;
  levels[30] = zero;
  const io::Plot plot = plot_of({levels}, description(1000));
  EXPECT_EQ(plot.y.floor, -70) << "noise";
  EXPECT_LT(plot.series[0].y[30], -70) << "zeros do not interrupt the line";
  EXPECT_TRUE(std::isfinite(plot.series[0].y[30]));
  EXPECT_EQ(plot_of({{zero, zero}}, description(2)).series[0].y, (std::vector<double>{zero, zero}));
}

TEST(SpectrumPlot, OfManyTransformsTheFirstAreShown) {
  const io::Plot plot = plot_of(std::vector<std::vector<double>>(9, {0, 1, 2}), description(3));
  EXPECT_EQ(plot.series.size(), 7U);
  EXPECT_EQ(plot.title, "Spectrum of x, the first 7 of 9 channels");
  EXPECT_EQ(plot.series[6].name, "channel 6");
}

TEST(SpectrumPlot, LongSpectraKeepTheirPeaksInLittleMemory) {
  std::vector<double> levels(1000000);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    levels[i] = -80 + 5 * std::sin(static_cast<double>(i));
  }
  levels[123457] = 3;
  levels[5] = zero;
  const io::Plot plot = plot_of({levels}, description(1000000));
  EXPECT_LE(plot.series[0].x.size(), 4U * 65536);
  EXPECT_EQ(names(plot), "246914 Hz");
  EXPECT_EQ(plot.series[0].x.front(), 0);
  EXPECT_EQ(plot.series[0].x.back(), 1999998);
  EXPECT_TRUE(std::is_sorted(plot.series[0].x.begin(), plot.series[0].x.end()));
}

}  // namespace
}  // namespace phpc::jobs
