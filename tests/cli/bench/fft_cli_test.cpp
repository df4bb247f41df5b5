// portable-hpc fft --bench.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/commands/fft_cli_fixture.hpp"

namespace phpc {
namespace {

using test::FftCommand;
using test::ProgramResult;

class FftBench : public FftCommand {};

TEST_F(FftBench, TimesAndComparesEachLength) {
  const ProgramResult result =
      fft({"--bench", "--lengths", "1,8,100,2048", "--iterations", "20", "--format", "json", "--histogram"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["meta"]["bench"]["iterations"], 20);
  EXPECT_EQ(json["meta"]["devices"][0]["label"], "host");
  ASSERT_EQ(json["rows"].size(), 4U);
  for (const auto& row : json["rows"]) {
    EXPECT_GT(row["total_optimal_us"], 0);
    EXPECT_LE(row["total_optimal_us"], row["total_median_us"]);
    EXPECT_LE(row["total_optimal_us"], row["total_mean_us"]);
    EXPECT_GE(row["kernel_median_us"], 0);
    EXPECT_LE(row["relative_error"], test::tolerance<float>(row["length"])) << row["length"];
    EXPECT_LE(row["round_trip_error"], 2 * test::tolerance<float>(row["length"])) << row["length"];
    EXPECT_LT(row["chi2_per_ndf"], 0.1);
    EXPECT_GT(row["p_value"], 0.99);
  }
  const auto& series = json["meta"]["bench"]["series"];
  ASSERT_EQ(series.size(), 4U);
  for (std::size_t i = 0; i < series.size(); ++i) {
    EXPECT_EQ(series[i]["length"], json["rows"][i]["length"]);
    EXPECT_GT(series[i]["warm_up_us"], 0);
    const std::vector<double> pairs = series[i]["pairs_us"];
    ASSERT_EQ(pairs.size(), 20U);
    EXPECT_EQ(*std::min_element(pairs.begin(), pairs.end()), json["rows"][i]["total_optimal_us"]);
  }
  EXPECT_NE(result.err.find("length 100: pairs by total time"), std::string::npos) << result.err;
}

TEST_F(FftBench, WritesATableAndAPlot) {
  const std::string table = directory_ / "times.tsv";
  const std::string plot = directory_ / "times.svg";
  const ProgramResult result = fft({"--bench", "--lengths", "17,32", "--iterations", "3", "--precision", "f64", "--batch", "5",
                                    "-o", table, "--plot", plot, "-q"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out + result.err, "");
  const auto rows = test::cells_of(test::read_file(table));
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[1][0], "17");
  const auto column = std::find(rows[0].begin(), rows[0].end(), "relative_error") - rows[0].begin();
  EXPECT_LE(std::stod(rows[1][static_cast<std::size_t>(column)]), test::tolerance<double>(17));
  const std::string picture = test::read_file(plot);
  EXPECT_NE(picture.find("time: median, fastest to 90th percentile [us]"), std::string::npos);
}

TEST_F(FftBench, RefusesWhatItCannotDo) {
  const std::string in = array<float>("x.npy", {2}, {1, 2});
  for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{{in},
                                                                                       {"--inverse"},
                                                                                       {"--norm", "ortho"},
                                                                                       {"--spectrum"},
                                                                                       {"--memory", "1GB"},
                                                                                       {"--lengths", "0"},
                                                                                       {"--lengths", "8,,9"},
                                                                                       {"--iterations", "0"},
                                                                                       {"--batch", "0"},
                                                                                       {"--precision", "f16"}}) {
    std::vector<std::string> arguments{"--bench"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    EXPECT_EQ(fft(arguments).exit_code, 2) << options.front();
  }
}

}  // namespace
}  // namespace phpc
