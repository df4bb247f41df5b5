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
  std::vector<nlohmann::json> ours;
  for (const auto& row : json["rows"]) {
    EXPECT_EQ(row["device"], "host");
    if (row["library"] == "portable-hpc") {
      EXPECT_TRUE(row["difference"].is_null());
      ours.push_back(row);
    } else {
      EXPECT_EQ(row["library"], "FFTW");
      EXPECT_LE(row["difference"], 2 * test::tolerance<float>(row["length"])) << row["length"];
    }
    EXPECT_GT(row["total_optimal_us"], 0);
    EXPECT_LE(row["total_optimal_us"], row["total_median_us"]);
    EXPECT_LE(row["total_optimal_us"], row["total_mean_us"]);
    EXPECT_GE(row["kernel_median_us"], 0);
    EXPECT_LE(row["relative_error"], test::tolerance<float>(row["length"])) << row["length"];
    EXPECT_LE(row["round_trip_error"], 2 * test::tolerance<float>(row["length"])) << row["length"];
    EXPECT_LT(row["chi2_per_ndf"], 0.1);
    EXPECT_GT(row["p_value"], 0.99);
  }
  // FFTW where it is here; else it is said that it is not.
  const auto& beside = json["meta"]["bench"]["libraries"];
  ASSERT_EQ(beside.size(), 1U);
  const bool has_fftw = beside[0].contains("library");
  EXPECT_EQ(has_fftw, result.err.find("nothing to compare with on device host: FFTW was not found") == std::string::npos);
  EXPECT_NE(has_fftw, beside[0].contains("missing"));
  ASSERT_EQ(ours.size(), 4U);
  EXPECT_EQ(json["rows"].size(), has_fftw ? 8U : 4U);
  const auto& series = json["meta"]["bench"]["series"];
  ASSERT_EQ(series.size(), json["rows"].size());
  for (std::size_t i = 0; i < series.size(); ++i) {
    EXPECT_EQ(series[i]["length"], json["rows"][i]["length"]);
    EXPECT_EQ(series[i]["library"], json["rows"][i]["library"]);
    EXPECT_GT(series[i]["warm_up_us"], 0);
    const std::vector<double> pairs = series[i]["pairs_us"];
    ASSERT_EQ(pairs.size(), 20U);
    EXPECT_EQ(*std::min_element(pairs.begin(), pairs.end()), json["rows"][i]["total_optimal_us"]);
  }
  EXPECT_NE(result.err.find("portable-hpc, length 100: pairs by total time"), std::string::npos) << result.err;
}

TEST_F(FftBench, WritesATableAndAPlot) {
  const std::string table = directory_ / "times.tsv";
  const std::string plot = directory_ / "times.svg";
  const ProgramResult result = fft({"--bench", "--lengths", "17,32", "--iterations", "3", "--precision", "f64", "--batch", "5",
                                    "-o", table, "--plot", plot, "-q"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out + result.err, "");
  const auto rows = test::cells_of(test::read_file(table));
  ASSERT_GE(rows.size(), 3U);
  EXPECT_EQ((std::vector<std::string>(rows[1].begin(), rows[1].begin() + 3)),
            (std::vector<std::string>{"host", "portable-hpc", "17"}));
  const auto column = std::find(rows[0].begin(), rows[0].end(), "relative_error") - rows[0].begin();
  EXPECT_LE(std::stod(rows[1][static_cast<std::size_t>(column)]), test::tolerance<double>(17));
  const std::string picture = test::read_file(plot);
  EXPECT_NE(picture.find("time: median, fastest to 90th percentile [us]"), std::string::npos);
}

/// f(x) = x, 17 numbers: the spectrum of frequency k > 0 has the real part -17 / 2.
TEST_F(FftBench, WritesSpectraByFrequency) {
  const std::string spectra = directory_ / "spectra.tsv";
  const ProgramResult result = fft({"--bench", "--lengths", "4,17", "--iterations", "1", "--spectra", spectra});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto rows = test::cells_of(test::read_file(spectra));
  ASSERT_TRUE(rows.size() == 1 + 21 || rows.size() == 1 + 42) << rows.size();
  EXPECT_EQ(rows[0], (std::vector<std::string>{"device", "library", "length", "frequency", "re", "im", "exact_re", "exact_im"}));
  int seen = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i][2] == "17") {
      const bool is_first = rows[i][3] == "0";
      EXPECT_NEAR(std::stod(rows[i][4]), is_first ? 136 : -8.5, 1e-4);
      EXPECT_NEAR(std::stod(rows[i][6]), is_first ? 136 : -8.5, 1e-12);
      ++seen;
    }
  }
  EXPECT_EQ(seen % 17, 0);
  EXPECT_NE(fft({"--bench", "--lengths", "4", "--spectra", "-o", "t.tsv"}).exit_code, 0);
  EXPECT_NE(fft({"--bench", "--lengths", "4", "--spectra", spectra, "-o", spectra}).exit_code, 0);
}

/// The host's rows follow those of the device that the fixture names, and are there once where that is the host.
TEST_F(FftBench, TimesTheHostToo) {
  const ProgramResult result = fft({"--bench", "--lengths", "8,9", "--iterations", "2", "--with-host", "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  const auto& devices = json["meta"]["devices"];
  EXPECT_EQ(devices[devices.size() - 1]["label"], "host");
  std::vector<std::string> labels;
  for (const auto& row : json["rows"]) {
    if (row["library"] == "portable-hpc") {
      labels.push_back(row["device"]);
      EXPECT_LE(row["relative_error"], test::tolerance<float>(row["length"])) << row;
    }
  }
  ASSERT_EQ(labels.size(), 2 * devices.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    EXPECT_EQ(devices[i / 2]["label"], labels[i]);
    EXPECT_EQ(json["meta"]["bench"]["libraries"][i / 2]["device"], labels[i]);
  }
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
