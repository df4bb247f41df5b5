#include "jobs/batch/history.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace phpc::jobs {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

batch::Report report(double rhs_norm) {
  return {.residual_norm = 0, .rhs_norm = rhs_norm, .iterations = 0, .status = batch::Status::converged};
}

const io::PlotSeries& series_named(const io::Plot& plot, const std::string& name) {
  for (const io::PlotSeries& series : plot.series) {
    if (series.name == name) {
      return series;
    }
  }
  throw std::runtime_error("no series " + name);
}

void expect_near(const std::vector<double>& values, const std::vector<double>& expected) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(std::log10(values[i]), std::log10(expected[i]), 0.011) << i;
  }
}

TEST(ConvergenceCurves, HoldTheLastResidualOfSystemsThatEnded) {
  ConvergenceCurves curves(1e-6, batch::ToleranceKind::relative_to_rhs);
  curves.add(std::vector<double>{2, 0.2, 0.002, none, 1, 0.1, none, none}, 4, std::vector<batch::Report>{report(2), report(1)});
  curves.add(std::vector<double>{3, none, none, none, none, none, none, none}, 4,
             std::vector<batch::Report>{report(3), report(1)});
  const io::Plot plot = curves.plot("title");
  EXPECT_EQ(series_named(plot, "median").x, (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(series_named(plot, "smallest to largest").style, io::SeriesStyle::band);
  expect_near(series_named(plot, "smallest to largest").y, {1, 1, 1});
  expect_near(series_named(plot, "median").y, {1, 0.1, 0.1});
  expect_near(series_named(plot, "smallest to largest").low, {1, 0.1, 0.001});
  EXPECT_TRUE(plot.x.is_whole);
}

TEST(ConvergenceCurves, TheMiddleEightTenthsAreABand) {
  ConvergenceCurves curves(1e-6, batch::ToleranceKind::relative_to_rhs);
  for (int i = 0; i < 100; ++i) {
    curves.add(std::vector<double>{std::pow(10.0, -i / 10.0)}, 1, std::vector<batch::Report>{report(1)});
  }
  const io::Plot plot = curves.plot("");
  expect_near(series_named(plot, "10 % to 90 %").low, {std::pow(10.0, -8.9)});
  expect_near(series_named(plot, "10 % to 90 %").y, {std::pow(10.0, -0.9)});
}

TEST(ConvergenceCurves, TheToleranceIsALevelRelativeToTheRightHandSides) {
  const auto levels = [](batch::ToleranceKind kind, double first_norm, double second_norm) {
    ConvergenceCurves curves(1e-6, kind);
    curves.add(std::vector<double>{0.5, 10}, 1, std::vector<batch::Report>{report(first_norm), report(second_norm)});
    return curves.plot("").levels;
  };
  ASSERT_EQ(levels(batch::ToleranceKind::relative_to_rhs, 2, 5).size(), 1U);
  EXPECT_EQ(levels(batch::ToleranceKind::relative_to_rhs, 2, 5)[0].name, "tolerance 1e-06");
  EXPECT_DOUBLE_EQ(levels(batch::ToleranceKind::relative_to_rhs, 2, 5)[0].y, 1e-6);
  EXPECT_DOUBLE_EQ(levels(batch::ToleranceKind::absolute, 4, 4)[0].y, 2.5e-7);
  const std::vector<io::PlotLevel> initial = levels(batch::ToleranceKind::relative_to_initial, 1, 1);
  ASSERT_EQ(initial.size(), 2U);
  EXPECT_DOUBLE_EQ(initial[0].y, 1e-5);
  EXPECT_DOUBLE_EQ(initial[1].y, 5e-7);
  EXPECT_TRUE(levels(batch::ToleranceKind::relative_to_rhs, 0, 0).empty()) << "any tolerance asks for zeros";
}

TEST(ConvergenceCurves, ZerosAndWhatIsNotFinite) {
  ConvergenceCurves curves(1e-6, batch::ToleranceKind::relative_to_rhs);
  EXPECT_TRUE(curves.plot("empty").series.front().x.empty());
  curves.add(std::vector<double>{0, std::numeric_limits<double>::infinity()}, 2, std::vector<batch::Report>{report(0)});
  expect_near(series_named(curves.plot(""), "median").y, {1e-20});
}

}  // namespace
}  // namespace phpc::jobs
