#include "cli/batch_history.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace phpc::cli {
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
  ConvergenceCurves curves;
  curves.add(std::vector<double>{2, 0.2, 0.002, none, 1, 0.1, none, none}, 4, std::vector<batch::Report>{report(2), report(1)});
  curves.add(std::vector<double>{3, none, none, none, none, none, none, none}, 4,
             std::vector<batch::Report>{report(3), report(1)});
  const io::Plot plot = curves.plot("title");
  EXPECT_EQ(series_named(plot, "median").x, (std::vector<double>{0, 1, 2}));
  expect_near(series_named(plot, "largest").y, {1, 1, 1});
  expect_near(series_named(plot, "median").y, {1, 0.1, 0.1});
  expect_near(series_named(plot, "smallest").y, {1, 0.1, 0.001});
}

TEST(ConvergenceCurves, ZerosAndWhatIsNotFinite) {
  ConvergenceCurves curves;
  EXPECT_TRUE(curves.plot("empty").series.front().x.empty());
  curves.add(std::vector<double>{0, std::numeric_limits<double>::infinity()}, 2, std::vector<batch::Report>{report(0)});
  expect_near(series_named(curves.plot(""), "median").y, {1e-20});
}

}  // namespace
}  // namespace phpc::cli
