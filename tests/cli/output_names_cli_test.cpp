// The names of outputs choose their formats, and a name that no output can live up to is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/process.hpp"

namespace phpc::test {
namespace {

class OutputNames : public testing::Test {
 protected:
  void SetUp() override {
    write_file(directory_ / "genome.fa", ">chr1\nTTTGACCTGATTACAGATTACATTGGTTT\n");
    write_file(directory_ / "input.txt", "genome.fa\nNNNNNNNNNNNNNNNNNNNNNRG\nGACCTGATTACAGATTACATNNN 2\n");
    write_file(directory_ / "zeros", std::string(256, '\0'));
  }

  ProgramResult run(const std::string& words) {
    std::vector<std::string> arguments;
    std::istringstream stream(words);
    for (std::string word; stream >> word;) {
      arguments.push_back(word);
    }
    arguments.insert(arguments.end(), {"--device", "host"});
    return run_program(arguments, {.directory = directory_.path().string()});
  }

  /// What the command writes to a file of that name.
  std::string written(const std::string& words, const std::string& name) {
    const ProgramResult result = run(words);
    EXPECT_EQ(result.exit_code, 0) << words << "\n" << result.err;
    return std::filesystem::exists(directory_ / name) ? read_file(directory_ / name) : "";
  }

  /// Exit code 2, one line that holds `part`, and nothing written.
  void expect_refusal(const std::string& words, const std::string& part) {
    const std::vector<std::string> before = directory_.entries();
    const ProgramResult result = run(words);
    EXPECT_EQ(result.exit_code, 2) << words << "\n" << result.err;
    EXPECT_EQ(result.out, "") << words;
    EXPECT_NE(result.err.find(part), std::string::npos) << words << "\n" << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << words << "\n" << result.err;
    EXPECT_EQ(directory_.entries(), before) << words;
  }

  TemporaryDirectory directory_;
};

constexpr const char* small_batch = "batch --problem stencil3:4 --systems 2 ";
constexpr const char* spectrum = "fft zeros --dtype f32 --spectrum ";
constexpr const char* transform = "fft zeros --dtype f32 ";

TEST_F(OutputNames, ChooseTheFormatOfRows) {
  for (const auto& [suffix, beginning] : std::vector<std::pair<std::string, std::string>>{{"tsv", "id\t"},
                                                                                          {"bed", "#chrom\t"},
                                                                                          {"sam", "@HD\t"},
                                                                                          {"vcf", "##fileformat=VCF"},
                                                                                          {"jsonl", "{"},
                                                                                          {"JSONL", "{"},
                                                                                          {"txt", "GACCTG"},
                                                                                          {"out", "GACCTG"},
                                                                                          {"dat", "GACCTG"}}) {
    EXPECT_TRUE(written("casoff input.txt -o sites." + suffix, "sites." + suffix).starts_with(beginning)) << suffix;
  }
  EXPECT_TRUE(written("casoff input.txt second.bed", "second.bed").starts_with("#chrom\t")) << "as an argument";
  EXPECT_TRUE(written("casoff input.txt -o sites.csv --format bed", "sites.csv").starts_with("#chrom\t")) << "what is said wins";
  EXPECT_TRUE(written("casoff input.txt -o sites.bed --format cas-offinder", "sites.bed").starts_with("GACCTG"));
  ASSERT_EQ(run("casoff input.txt -o shared.bed --shard 0/1").exit_code, 0);
  EXPECT_EQ(run_program({"merge", directory_ / "shared.bed.part-00000-of-00001"}).out.substr(0, 7), "#chrom\t");
}

TEST_F(OutputNames, ChooseTheFormatOfTables) {
  EXPECT_TRUE(nlohmann::json::parse(written(std::string(spectrum) + "-o s.json", "s.json")).contains("rows"));
  EXPECT_TRUE(written(std::string(spectrum) + "-o s.tsv", "s.tsv").starts_with("frequency\t"));
  EXPECT_TRUE(written(std::string(spectrum) + "-o s.csv --format tsv", "s.csv").starts_with("frequency\t"));
  EXPECT_TRUE(nlohmann::json::parse(written(std::string(spectrum) + "-o {stem}.json", "zeros.json")).contains("rows"));
  std::filesystem::create_directory(directory_ / "all.json");
  EXPECT_TRUE(written("fft zeros input.txt --dtype u8 --spectrum -o all.json", "all.json/zeros.tsv").starts_with("frequency\t"))
      << "the name of a folder says nothing";
  EXPECT_TRUE(nlohmann::json::parse(written(std::string(small_batch) + "--report r.json", "r.json")).contains("rows"));
  EXPECT_TRUE(written(std::string(small_batch) + "--report r2.json --format tsv", "r2.json").starts_with("system\t"));
  const std::string bench = "fft --bench --lengths 8 --iterations 1 -o times.json";
  EXPECT_TRUE(nlohmann::json::parse(written(bench, "times.json")).contains("rows"));
  const std::string batch_bench = "batch --bench --problem stencil3:4 --systems 4 --repeats 1 --report b.json";
  EXPECT_TRUE(nlohmann::json::parse(written(batch_bench, "b.json")).contains("rows"));
  EXPECT_TRUE(nlohmann::json::parse(written("casoff input.txt -o rows --summary n.json", "n.json")).contains("rows"));
  EXPECT_TRUE(written("casoff input.txt -o rows --summary n.tsv", "n.tsv").starts_with("id\tguide"));
  EXPECT_TRUE(written("casoff input.txt -o rows --summary n.txt", "n.txt").starts_with("id  guide"));
}

TEST_F(OutputNames, ChooseTheFormatOfArrays) {
  EXPECT_TRUE(written(std::string(transform) + "-o x.npy", "x.npy").starts_with("\x93NUMPY"));
  EXPECT_EQ(written(std::string(transform) + "-o x.raw", "x.raw").size(), 64U * 8);
  EXPECT_EQ(written(std::string(transform) + "-o x.C64", "x.C64").size(), 64U * 8);
  EXPECT_EQ(written(std::string(transform) + "-o x.csv --output-format raw", "x.csv").size(), 64U * 8);
  EXPECT_TRUE(written(std::string(small_batch) + "-o x.mtx", "x.mtx").starts_with("%%MatrixMarket"));
  EXPECT_TRUE(written(std::string(small_batch) + "-o y.npy", "y.npy").starts_with("\x93NUMPY"));
}

TEST_F(OutputNames, ThatNameAnotherFormatAreRefused) {
  for (const std::string suffix : {"csv", "json", "npy", "svg", "phg", "png", "xlsx", "bed.gz", "bam"}) {
    expect_refusal("casoff input.txt -o sites." + suffix, "which rows of sites are not written as");
  }
  expect_refusal("casoff input.txt sites.csv", "give a name that ends in .tsv, .bed, .sam, .vcf or .jsonl, or say");
  expect_refusal("casoff input.txt -o sites.csv --shard 0/2", "names a file of CSV");
  expect_refusal("casoff input.txt -o rows --summary n.csv", "--summary 'n.csv'");
  expect_refusal("casoff input.txt -o rows --summary n.jsonl", "--summary 'n.jsonl'");
  for (const std::string suffix : {"csv", "npy", "jsonl", "svg", "json.gz"}) {
    expect_refusal(spectrum + ("-o s." + suffix), "which tables are not written as; give a name that ends in .tsv or .json");
    expect_refusal(small_batch + ("--report s." + suffix), "--report 's." + suffix + "'");
  }
  for (const std::string suffix : {"csv", "tsv", "json", "txt", "wav", "mat", "h5", "npz", "npy.gz"}) {
    expect_refusal(transform + ("-o t." + suffix), "--spectrum for a table");
    expect_refusal(small_batch + ("-o t." + suffix), "give a name that ends in .npy or .mtx");
  }
  expect_refusal(std::string(small_batch) + "-o t.raw", "names a file of raw");
  expect_refusal(std::string(transform) + "-o t.csv --shard 0/2", "names a file of CSV");
  expect_refusal("fft --bench --lengths 8 -o t.csv", "names a file of CSV");
  expect_refusal("batch --bench --report t.csv", "names a file of CSV");
}

TEST_F(OutputNames, OfMergedPartsAreTheirs) {
  ASSERT_EQ(run("casoff input.txt -o rows.bed --shard 0/1").exit_code, 0);
  ASSERT_EQ(run("casoff input.txt -o plain.tsv --format cas-offinder --shard 0/1").exit_code, 0);
  const auto merge = [&](const std::string& part, const std::string& output) {
    return run_program({"merge", part, "-o", output}, {.directory = directory_.path().string()});
  };
  const ProgramResult refused = merge("rows.bed.part-00000-of-00001", "rows.sam");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("names a file of sam, which these parts are not written as; give a name that ends in .bed"),
            std::string::npos)
      << refused.err;
  EXPECT_FALSE(std::filesystem::exists(directory_ / "rows.sam"));
  EXPECT_EQ(merge("rows.bed.part-00000-of-00001", "other.bed").exit_code, 0);
  EXPECT_EQ(merge("rows.bed.part-00000-of-00001", "other.txt").exit_code, 0);
  EXPECT_EQ(merge("plain.tsv.part-00000-of-00001", "plain.tsv").exit_code, 0) << "the name that was given with --format";
  EXPECT_EQ(merge("plain.tsv.part-00000-of-00001", "plain.bed").exit_code, 2);
}

TEST_F(OutputNames, OfElementTypesAreKept) {
  for (const std::string suffix : {"f32", "c128", "f64", "cf64"}) {
    const ProgramResult result = run(transform + ("-o t." + suffix + " -q"));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.err.find("the result is complex64; name it .c64"), std::string::npos) << result.err;
    EXPECT_FALSE(std::filesystem::exists(directory_ / ("t." + suffix)));
    EXPECT_EQ(run(transform + ("-o t." + suffix + " --output-format raw")).exit_code, 0) << "what is said wins";
  }
  EXPECT_EQ(run(std::string(transform) + "-o t.cf32").exit_code, 0);
}

TEST_F(OutputNames, OfPackedGenomes) {
  const ProgramResult result =
      run_program({"casoff", "--pack", "genome.fa", "-o", "genome.2bit"}, {.directory = directory_.path().string()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("give a name that ends in .phg"), std::string::npos) << result.err;
  EXPECT_FALSE(std::filesystem::exists(directory_ / "genome.2bit"));
}

}  // namespace
}  // namespace phpc::test
