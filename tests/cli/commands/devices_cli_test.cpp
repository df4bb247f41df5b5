// portable-hpc devices: a table for people, and one for programs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "support/process.hpp"

namespace phpc::test {
namespace {

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> parts;
  std::istringstream stream(line);
  for (std::string part; std::getline(stream, part, '\t');) {
    parts.push_back(part);
  }
  return parts;
}

// A table without its sizes and the width of its columns: the free memory changes from one run to the next.
std::string without_sizes(const std::string& table) {
  return std::regex_replace(std::regex_replace(table, std::regex("[0-9.]+ [KMGT]?i?B"), "SIZE"), std::regex(" +"), " ");
}

TEST(Devices, TextIsAlignedAndMarksWhatAutoTakes) {
  const auto result = run_program({"devices"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  const auto rows = lines(result.out);
  ASSERT_GE(rows.size(), 3u) << result.out;
  EXPECT_EQ(result.out.find('\t'), std::string::npos) << result.out;
  EXPECT_EQ(without_sizes(result.out), without_sizes(run_program({"devices", "--format", "text"}).out));
  const std::size_t kind = rows[0].find("kind");
  const std::size_t name = rows[0].find("name");
  ASSERT_NE(kind, std::string::npos) << result.out;
  ASSERT_NE(name, std::string::npos) << result.out;
  EXPECT_EQ(rows.back(), "* is what --device auto takes");
  int marked = 0;
  bool past_choices = false;
  for (std::size_t row = 1; row + 1 < rows.size(); ++row) {
    for (const std::size_t column : {kind, name}) {
      ASSERT_GT(rows[row].size(), column) << rows[row];
      EXPECT_EQ(rows[row][column - 1], ' ') << rows[row];
      EXPECT_NE(rows[row][column], ' ') << rows[row];
    }
    marked += rows[row].starts_with("*") ? 1 : 0;
    // What is for tests alone is said to be, and stands last.
    const bool is_for_tests = rows[row].substr(kind).starts_with("x86_64");
    EXPECT_EQ(is_for_tests, rows[row].find("for tests") != std::string::npos) << rows[row];
    EXPECT_FALSE(past_choices && !is_for_tests) << result.out;
    past_choices = past_choices || is_for_tests;
  }
  EXPECT_EQ(marked, 1) << result.out;
  EXPECT_NE(rows[1].find("host"), std::string::npos) << result.out;
}

TEST(Devices, WithoutAGpuAutoTakesTheHost) {
  const ProgramSetting without_gpu{.environment = {{"CUDA_VISIBLE_DEVICES", "-1"}, {"ROCR_VISIBLE_DEVICES", "-1"}}};
  const auto rows = lines(run_program({"devices"}, without_gpu).out);
  ASSERT_GE(rows.size(), 2u);
  EXPECT_TRUE(rows[1].starts_with("*  host ")) << rows[1];
  const ProgramSetting mandatory{
      .environment = {{"OMP_TARGET_OFFLOAD", "MANDATORY"}, {"CUDA_VISIBLE_DEVICES", "-1"}, {"ROCR_VISIBLE_DEVICES", "-1"}}};
  EXPECT_EQ(run_program({"devices"}, mandatory).out.find('*'), std::string::npos);
}

TEST(Devices, AGpuWithoutAnImageIsNamedWithTheWayToGetOne) {
  const char* const driver = std::getenv("PHPC_ONE_GPU_DRIVER");
  if (driver == nullptr) {
    GTEST_SKIP() << "no driver made for this test";
  }
  // Whatever GPUs the machine has, OpenMP shows none.
  const ProgramSetting with_gpu{.environment = {{"LD_LIBRARY_PATH", driver}, {"OMP_TARGET_OFFLOAD", "DISABLED"}}};
  const std::string expected = "no image for Example K40 (sm_30) in this program (it holds ";
  const std::string way = "); `make gpu ARCH=sm_30` builds one";
  const auto table = run_program({"devices"}, with_gpu);
  EXPECT_EQ(table.exit_code, 0);
  EXPECT_TRUE(lines(table.out).back().starts_with(expected) && lines(table.out).back().ends_with(way)) << table.out;
  const std::vector<std::string> job = {"batch", "--problem", "stencil3:4", "--systems", "2"};
  const auto told = run_program(job, with_gpu);
  EXPECT_EQ(told.exit_code, 0);
  EXPECT_NE(told.err.find("running on the host"), std::string::npos) << told.err;
  EXPECT_NE(told.err.find(expected), std::string::npos) << told.err;
  const auto refused = run_program({"batch", "--problem", "stencil3:4", "--systems", "2", "--device", "gpu"}, with_gpu);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_EQ(lines(refused.err).size(), 1u) << refused.err;
  EXPECT_NE(refused.err.find(expected), std::string::npos) << refused.err;
}

TEST(Devices, TableHasTheHostFirstAndEqualColumns) {
  const auto result = run_program({"devices", "--format", "tsv"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  const auto rows = lines(result.out);
  ASSERT_GE(rows.size(), 2u);
  const auto header = fields(rows[0]);
  ASSERT_GE(header.size(), 3u);
  EXPECT_EQ(header[0], "device");
  EXPECT_EQ(header[1], "kind");
  EXPECT_EQ(fields(rows[1])[0], "host");
  for (std::size_t row = 1; row < rows.size(); ++row) {
    EXPECT_EQ(fields(rows[row]).size(), header.size()) << rows[row];
  }
}

TEST(Devices, JsonHoldsTheTableAndTheRun) {
  const auto result = run_program({"devices", "--format", "json"}, {.environment = {{"OMP_NUM_THREADS", "3"}}});
  EXPECT_EQ(result.exit_code, 0);
  const auto document = nlohmann::json::parse(result.out);
  const auto& meta = document.at("meta");
  EXPECT_EQ(meta.at("program"), "portable-hpc");
  EXPECT_EQ(meta.at("command").size(), 4u);
  EXPECT_EQ(meta.at("environment").at("OMP_NUM_THREADS"), "3");
  EXPECT_TRUE(meta.contains("version"));
  EXPECT_EQ(document.at("rows").at(0).at("device"), "host");
  EXPECT_EQ(document.at("rows").at(0).at("compute_units"), 3);
}

TEST(Devices, AFullDiskIsAFailure) {
  const auto result = run_program({"devices"}, {.output_path = "/dev/full"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("No space left"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace phpc::test
