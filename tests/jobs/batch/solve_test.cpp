#include "jobs/batch/solve.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "phpc/core/error.hpp"
#include "support/recording_caller.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::jobs {
namespace {

TEST(SolveBatch, WritesAReportAndTellsItsCaller) {
  const test::TemporaryDirectory directory;
  test::RecordingCaller caller;
  BatchOptions options;
  options.problem = "stencil3:8";
  options.systems = 4;
  options.report = directory / "report.tsv";
  solve_batch(caller, options, test::RecordingCaller::choose_host);
  const std::string report = test::read_file(options.report);
  EXPECT_EQ(std::count(report.begin(), report.end(), '\n'), 5) << report;
  ASSERT_FALSE(caller.infos.empty());
  EXPECT_EQ(caller.infos.front().find("4 systems of 8 rows and 22 entries; "), 0U) << caller.infos.front();
  EXPECT_FALSE(caller.debugs.empty());
}

TEST(SolveBatch, ChoosesTheTableByItsName) {
  const test::TemporaryDirectory directory;
  test::RecordingCaller caller;
  BatchOptions options;
  options.problem = "stencil3:8";
  options.systems = 4;
  options.report = directory / "report.json";
  solve_batch(caller, options, test::RecordingCaller::choose_host);
  const auto json = nlohmann::json::parse(test::read_file(options.report));
  EXPECT_EQ(json["meta"]["program"], "a test");
  options.table_format = "tsv";
  solve_batch(caller, options, test::RecordingCaller::choose_host);
  EXPECT_EQ(test::read_file(options.report).find("system\titerations\t"), 0U);
}

TEST(SolveBatch, NamesTheWorstResidualAsTheToleranceHoldsIt) {
  for (const std::string kind : {"rhs", "absolute"}) {
    test::RecordingCaller caller;
    const test::TemporaryDirectory directory;
    BatchOptions options;
    options.problem = "stencil3:8";
    options.systems = 4;
    options.report = directory / "report.tsv";
    options.tolerance_kind = kind;
    solve_batch(caller, options, test::RecordingCaller::choose_host);
    const auto line = std::find_if(caller.infos.begin(), caller.infos.end(), [](const std::string& info) {
      return info.find("4 of 4 converged; worst true residual ") == 0;
    });
    ASSERT_NE(line, caller.infos.end()) << kind;
    EXPECT_EQ(line->find(" of ||b||") == std::string::npos, kind == "absolute") << *line;
  }
}

TEST(SolveBatch, NeedsSystems) {
  test::RecordingCaller caller;
  EXPECT_THROW(solve_batch(caller, {}, test::RecordingCaller::choose_host), Error);
}

}  // namespace
}  // namespace phpc::jobs
