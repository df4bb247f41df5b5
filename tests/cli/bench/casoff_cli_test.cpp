// portable-hpc casoff --bench.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "support/devices.hpp"
#include "support/process.hpp"
#include "support/tsv.hpp"

namespace phpc::test {
namespace {

constexpr unsigned genome_seed = 2129;
const std::vector<std::string> all_comparers{"base", "opt1", "opt2", "opt3", "opt4", "ours"};

class CasoffBench : public testing::Test {
 protected:
  CasoffBench() {
    std::mt19937_64 random(genome_seed);
    std::string genome = ">one\n";
    for (int i = 0; i < 400000; ++i) {
      genome += "ACGTACGTACGTACGTNRYK"[random() % 20];
      genome += i % 60 == 59 ? "\n" : "";
    }
    write_file(directory_ / "genome.fa", genome + "\n");
    write_file(directory_ / "input.txt", "genome.fa\nNNNNNNNNNNRG\nACGTRCGTNYNN 5 one\nTTTGACWSACNN 4 two\n");
  }

  ProgramResult run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"casoff", "--bench", "--device", "host"});
    return run_program(arguments, {.directory = directory_.path().string()});
  }

  TemporaryDirectory directory_;
};

TEST_F(CasoffBench, TimesEveryComparerOnEveryDevice) {
  std::string devices_option;
  std::set<std::string> labels;
  for (const exec::Device device : devices()) {
    if (!device.is_host()) {
      devices_option += (devices_option.empty() ? "" : ",") + device.label();
    }
    labels.insert(device.label());
  }
  const ProgramResult result =
      run_program({"casoff", "--bench", "--opt", "base,opt1,opt2,opt3,opt4,ours", "--repeats", "2", "--device",
                   devices_option.empty() ? "host" : devices_option, "--with-host", "input.txt", "-o", "times.json"},
                  {.directory = directory_.path().string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  const auto table = nlohmann::json::parse(read_file(directory_ / "times.json"));
  EXPECT_EQ(table["meta"]["bench"]["queries"], 2);
  const auto& rows = table["rows"];
  ASSERT_EQ(rows.size(), all_comparers.size() * labels.size());
  const std::string found =
      run_program({"casoff", "input.txt", "--device", "host"}, {.directory = directory_.path().string()}).out;
  std::set<std::string> measured;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& row = rows[i];
    SCOPED_TRACE(testing::Message() << "seed " << genome_seed << ", " << row.dump());
    EXPECT_EQ(row["comparer"], all_comparers[i % all_comparers.size()]);
    measured.insert(row["device"]);
    EXPECT_EQ(row["bases"], 400000);
    EXPECT_EQ(row["sites"], std::count(found.begin(), found.end(), '\n'));
    EXPECT_GT(row["comparer_s"], 0);
    EXPECT_EQ(row["finder_s"] > 0, row["comparer"] != "ours");
    EXPECT_GE(row["elapsed_median_s"], row["elapsed_s"]);
    EXPECT_GE(row["elapsed_first_s"], row["elapsed_s"]);
    double phases = 0;
    for (const char* const phase :
         {"set_up_s", "waiting_s", "upload_s", "finder_s", "comparer_s", "download_s", "sites_s", "rows_s"}) {
      EXPECT_GE(row[phase], 0) << phase;
      phases += row[phase].get<double>();
    }
    const double elapsed = row["elapsed_s"];
    EXPECT_LE(phases, elapsed + 1e-5) << "phases follow one another";
    EXPECT_NEAR(row["comparer_of_elapsed_percent"].get<double>(), 100 * row["comparer_s"].get<double>() / elapsed, 0.02);
    EXPECT_LE(row["comparer_of_kernels_percent"], 100);
  }
  EXPECT_EQ(measured, labels);
}

TEST_F(CasoffBench, MeasuresOursByDefault) {
  const ProgramResult result = run({"input.txt", "--repeats", "1"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto cells = cells_of(result.out);
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0][1], "comparer");
  EXPECT_EQ(cells[1][0], "host");
  EXPECT_EQ(cells[1][1], "ours");
}

TEST_F(CasoffBench, TakesTheDeviceClassAndTheOutputOfCasOffinder) {
  const ProgramResult result = run_program({"casoff", "--bench", "--opt", "opt4", "--repeats", "1", "input.txt", "C", "out.tsv"},
                                           {.directory = directory_.path().string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(cells_of(read_file(directory_ / "out.tsv")).size(), 2U);
}

TEST_F(CasoffBench, RefusesWhatItCannotDo) {
  const auto before = directory_.entries();
  struct Bad {
    std::vector<std::string> arguments;
    std::string text;
  };
  for (const Bad& bad :
       std::vector<Bad>{{{"--opt", "opt5", "input.txt"}, "opt5"},
                        {{"--opt", "", "input.txt"}, "--opt"},
                        {{"--opt", "base;ours", "input.txt"}, "base;ours"},
                        {{"--opt", "ours,base", "--dna-bulge", "1", "input.txt"}, "'base' knows no bulges"},
                        {{"--opt", "opt2", "--rna-bulge", "2", "input.txt"}, "'opt2' knows no bulges"},
                        {{"--opt", "opt1", "--ambiguity", "any", "input.txt"}, "'opt1' takes ambiguous letters"},
                        {{"--repeats", "0", "input.txt"}, "--repeats"},
                        {{"--format", "tsv", "input.txt"}, "--format"},
                        {{"--summary", "x.tsv", "input.txt"}, "--summary"},
                        {{"--plot", "x.svg", "input.txt"}, "--plot"},
                        {{"--score", "input.txt"}, "--score"},
                        {{"--shard", "0/2", "input.txt", "-o", "x.tsv"}, "--shard"},
                        {{"--pack", "genome.fa", "-o", "x.phg"}, "--pack"},
                        {{"--explain", "ACGT", "ACGT"}, "--explain"},
                        {{"input.txt", "-o", "x.bed"}, "give a name that ends in .tsv or .json\n"},
                        {{"input.txt", "-o", "genome.fa"}, "genome.fa"},
                        {{"input.txt", "-o", "nowhere/x.tsv"}, "nowhere"},
                        {{"absent.txt"}, "absent.txt"},
                        {{"--genome", "-", "--pattern", "NNGG", "--guide", "AANN:0"}, "--bench reads the genome"},
                        {{}, "there is no input"}}) {
    const ProgramResult result = run(bad.arguments);
    const std::string first = bad.arguments.empty() ? "nothing" : bad.arguments.front() + " ...";
    EXPECT_NE(result.exit_code, 0) << first;
    EXPECT_NE(result.err.find(bad.text), std::string::npos) << first << ": " << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(result.out, "") << first;
    EXPECT_EQ(directory_.entries(), before) << first;
  }
  for (const std::vector<std::string>& alone : {std::vector<std::string>{"--opt", "base"}, {"--repeats", "3"}}) {
    std::vector<std::string> arguments{"casoff", "input.txt"};
    arguments.insert(arguments.end(), alone.begin(), alone.end());
    const ProgramResult result = run_program(arguments, {.directory = directory_.path().string()});
    EXPECT_EQ(result.exit_code, 2) << alone.front();
    EXPECT_NE(result.err.find("--bench"), std::string::npos) << result.err;
  }
}

}  // namespace
}  // namespace phpc::test
