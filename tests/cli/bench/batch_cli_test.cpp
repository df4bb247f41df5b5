// portable-hpc batch --bench.
#include <nlohmann/json.hpp>

#include "cli/commands/batch_cli_fixture.hpp"

namespace phpc::test {
namespace {

class BatchBench : public BatchCommand {
 protected:
  static nlohmann::json bench(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--bench", "--repeats", "2", "--device", "host", "--format", "json"});
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out);
  }
};

TEST_F(BatchBench, SweepsOverRowsByDefault) {
  const auto json = bench({"--values", "16,50", "--systems", "300"});
  EXPECT_EQ(json["meta"]["bench"]["sweep"], "rows");
  ASSERT_EQ(json["rows"].size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto& row = json["rows"][i];
    EXPECT_EQ(row["solver"], i < 2 ? "cg" : "bicgstab");
    EXPECT_EQ(row["preconditioner"], "none");
    EXPECT_EQ(row["rows"], i % 2 == 0 ? 16 : 50);
    EXPECT_EQ(row["entries"], i % 2 == 0 ? 46 : 148);
    EXPECT_EQ(row["systems"], 300);
    EXPECT_EQ(row["unconverged"], 0);
    EXPECT_GT(row["iterations_mean"], 3);
    EXPECT_GT(row["gb_per_s"], 0);
    EXPECT_GE(row["median_ms"], row["fastest_ms"]);
  }
}

TEST_F(BatchBench, TellsOperationsAndHowManyForEachByte) {
  const auto json = bench({"--values", "32,64", "--systems", "300", "--solver", "cg"});
  for (const auto& row : json["rows"]) {
    const double flops = row["flops"];
    // A product, three more operations on vectors and two sums an iteration, and a little around them.
    const double iteration = 2 * row["entries"].get<double>() + 10 * row["rows"].get<double>();
    EXPECT_GT(flops, row["iterations_mean"].get<double>() * iteration);
    EXPECT_LT(flops, (row["iterations_mean"].get<double>() + 4) * iteration);
    EXPECT_NEAR(row["gflop_per_s"].get<double>() * 1e6 * row["median_ms"].get<double>(), 300 * flops, 300 * flops * 1e-3);
    const double bytes = flops / row["flop_per_memory_byte"].get<double>();
    EXPECT_NEAR(bytes, (row["entries"].get<double>() + 3 * row["rows"].get<double>()) * 8, 0.05 * bytes);
    EXPECT_LT(row["flop_per_cache_byte"].get<double>(), row["flop_per_memory_byte"].get<double>());
    EXPECT_TRUE(row["flop_per_scratch_byte"].is_null()) << "scratch is ordinary memory on a host";
  }
  const auto reports = nlohmann::json::parse(
      run({"--problem", "stencil3:32", "--systems", "300", "--solver", "cg", "--precond", "none", "--format", "json"}).out);
  const auto& work = reports["meta"]["batch"]["work_of_a_system"];
  EXPECT_NEAR(work["flops"].get<double>(), json["rows"][0]["flops"].get<double>(), 0.01 * work["flops"].get<double>());
  EXPECT_GT(work["cache_bytes"], work["memory_bytes"]);
}

TEST_F(BatchBench, NarrowNumbersAreHalfTheBytes) {
  const std::vector<std::string> problem{"--problem", "stencil3:50", "--systems", "300", "--solver", "cg", "--tol", "1e-4"};
  const auto in = [&](const std::string& precision) {
    std::vector<std::string> arguments = problem;
    arguments.insert(arguments.end(), {"--precision", precision});
    return bench(arguments)["rows"][0];
  };
  const auto wide = in("f64");
  const auto narrow = in("f32");
  EXPECT_EQ(narrow["unconverged"], 0);
  EXPECT_NEAR(narrow["iterations_mean"].get<double>(), wide["iterations_mean"].get<double>(), 1);
  const auto bytes = [](const nlohmann::json& row) { return row["gb_per_s"].get<double>() * row["median_ms"].get<double>(); };
  EXPECT_NEAR(bytes(narrow), bytes(wide) / 2, bytes(wide) * 0.01);
  EXPECT_NEAR(narrow["flop_per_memory_byte"].get<double>(), 2 * wide["flop_per_memory_byte"].get<double>(),
              0.3 * wide["flop_per_memory_byte"].get<double>());
}

TEST_F(BatchBench, SweepsOverSystemsOfAFolder) {
  write_systems(5);
  const auto json = bench({in_, "--values", "3,40,9000"});
  ASSERT_EQ(json["rows"].size(), 6U);
  EXPECT_EQ(json["rows"][0]["solver"], "lu");
  EXPECT_EQ(json["rows"][0]["preconditioner"], "none");
  EXPECT_EQ(json["rows"][5]["solver"], "bicgstab");
  EXPECT_EQ(json["rows"][5]["preconditioner"], "jacobi");
  for (const auto& row : json["rows"]) {
    EXPECT_EQ(row["unconverged"], 0) << "matrices and right-hand sides were mixed";
  }
  EXPECT_EQ(json["rows"][2]["systems"], 9000);
  // What is solved is what batch solves: a folder whose systems take different numbers of iterations.
  const auto reports = nlohmann::json::parse(run({in_, "--systems", "9000", "--format", "json"}).out);
  const double mean = reports["meta"]["batch"]["iterations_mean"];
  EXPECT_NEAR(json["rows"][5]["iterations_mean"], mean, 1e-3 * mean);
}

TEST_F(BatchBench, SweepsOverTeamsAndOtherProblems) {
  const auto teams = bench({"--problem", "chemistry:22", "--sweep", "team-size", "--systems", "100", "--solver", "bicgstab"});
  ASSERT_EQ(teams["rows"].size(), 1U) << "a host's systems have one thread";
  EXPECT_EQ(teams["rows"][0]["team_size"], 1);
  const auto spd =
      bench({"--problem", "random-spd:20,60", "--sweep", "rows", "--values", "10,40", "--systems", "100", "--solver", "auto"});
  ASSERT_EQ(spd["rows"].size(), 2U);
  EXPECT_EQ(spd["rows"][0]["solver"], "lu");
  EXPECT_EQ(spd["rows"][1]["entries"], 120);
  EXPECT_EQ(spd["rows"][1]["solver"], "cg");
}

TEST_F(BatchBench, SweepsOverMatrixFormats) {
  const auto json = bench({"--problem", "stencil3:20", "--sweep", "matrix-format", "--systems", "100", "--solver", "cg"});
  ASSERT_EQ(json["rows"].size(), 3U);
  const std::vector<std::string> names{"csr", "ell", "dense"};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& row = json["rows"][i];
    EXPECT_EQ(row["matrix_format"], names[i]);
    EXPECT_EQ(row["unconverged"], 0);
    EXPECT_EQ(row["iterations_mean"], json["rows"][0]["iterations_mean"]);
    const double values = i == 0 ? 58 : i == 1 ? 60 : 400;
    EXPECT_NEAR(row["gb_per_s"].get<double>() * row["median_ms"].get<double>() * 1e6, 100 * 8 * (values + 60), 1e3);
  }
  const auto full = bench({"--problem", "random-spd:4,16", "--systems", "10", "--solver", "cg"});
  EXPECT_EQ(full["rows"][0]["matrix_format"], "dense") << "all elements are entries";
}

TEST_F(BatchBench, WhatIsNamedIsMeasuredAndNothingElse) {
  const auto one = bench({"--problem", "stencil3:56", "--systems", "200"});
  ASSERT_EQ(one["rows"].size(), 2U) << "by two methods";
  for (const auto& row : one["rows"]) {
    EXPECT_EQ(row["rows"], 56);
    EXPECT_EQ(row["systems"], 200);
  }
  const auto several = bench({"--problem", "stencil3:24", "--sweep", "systems", "--values", "10,20"});
  ASSERT_EQ(several["rows"].size(), 4U);
  EXPECT_EQ(several["rows"][1]["systems"], 20);
  EXPECT_EQ(several["rows"][1]["rows"], 24);
  write_systems(3);
  const auto folder = bench({in_, "--systems", "7"});
  ASSERT_EQ(folder["rows"].size(), 2U);
  EXPECT_EQ(folder["rows"][0]["systems"], 7);
}

TEST_F(BatchBench, WritesATableAndAPlot) {
  const std::string plot = directory_ / "times.svg";
  const ProgramResult result = run({"--bench", "--values", "8,16", "--systems", "100", "--repeats", "1", "--device", "host", "-q",
                                    "--report", report_, "--plot", plot});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out + result.err, "");
  EXPECT_EQ(cells_of(read_file(report_)).size(), 5U);
  const std::string picture = read_file(plot);
  EXPECT_NE(picture.find("bicgstab, 1 device"), std::string::npos);
  EXPECT_NE(picture.find("time: median, fastest to 90th percentile [ms]"), std::string::npos);
  EXPECT_NE(picture.find(">8</text>"), std::string::npos) << "ticks at powers of two";
}

TEST_F(BatchBench, RefusesWhatItCannotDo) {
  write_systems(2);
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"-o", x_},
                                             {"--memory", "1GB"},
                                             {"--shard", "0/2"},
                                             {"--values", "0"},
                                             {"--values", "1,,2"},
                                             {"--repeats", "0"},
                                             {"--sweep", "columns"},
                                             {"--sweep", "matrix-format", "--values", "1"},
                                             {in_, "--sweep", "rows"},
                                             {"--sweep", "team-size", "--values", "33"},
                                             {"--sweep", "team-size", "--values", "1,32"},
                                             {"--problem", "stencil3:8", "--values", "4"},
                                             {"--sweep", "systems"},
                                             {"--problem", "poisson:4"}}) {
    std::vector<std::string> arguments{"--bench", "--device", "host", "--systems", "10"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    EXPECT_EQ(run(arguments).exit_code, 2) << options.front();
  }
  EXPECT_EQ(run({in_, "-o", x_, "--shard", "0/2", "--plot", directory_ / "x.svg"}).exit_code, 2);
}

}  // namespace
}  // namespace phpc::test
