#include "jobs/batch/report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace phpc::jobs {
namespace {

constexpr double no_residual = std::numeric_limits<double>::quiet_NaN();

batch::Report report(double residual_norm, double rhs_norm) {
  return {.residual_norm = residual_norm, .rhs_norm = rhs_norm, .iterations = 1, .status = batch::Status::converged};
}

TEST(BatchSummary, HasTheWorstResidual) {
  BatchSummary summary;
  summary.add(std::vector{report(1e-3, 10), report(1e-5, 1e-3), report(1e-6, 1)});
  summary.add(std::vector{report(1e-9, 1)});
  EXPECT_EQ(summary.worst_residual(), 1e-3);
  EXPECT_EQ(summary.worst_relative_residual(), 1e-5 / 1e-3);
}

TEST(BatchSummary, OfASystemWithoutAResidualIsNotForgotten) {
  for (const auto& reports :
       {std::vector{report(no_residual, 1), report(1e-9, 1)}, std::vector{report(1e-9, 1), report(no_residual, 1)}}) {
    BatchSummary summary;
    summary.add(reports);
    summary.add(std::vector{report(1e-6, 1)});
    EXPECT_TRUE(std::isnan(summary.worst_residual()));
    EXPECT_TRUE(std::isnan(summary.worst_relative_residual()));
  }
}

}  // namespace
}  // namespace phpc::jobs
