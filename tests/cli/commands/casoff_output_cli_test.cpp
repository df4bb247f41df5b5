// What `casoff` writes beside Cas-OFFinder's rows: formats, scores, summaries.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/process.hpp"
#include "support/site_row_files.hpp"

namespace phpc::test {
namespace {

const std::string target = "GACCTGATTACAGATTACAT";

class CasoffOutputCli : public testing::Test {
 protected:
  void SetUp() override {
    // Three sites of the first guide: its target, one with a mismatch at place 20 on the minus strand, one with NAG and a
    // mismatch at place 1; none of the second. "ATGTAATCTGTAATCAGGTC" is the target's reverse complement.
    const std::string genome = ">chr1 first\n" + std::string("TTT") + target + "TGGTTTTTT" + "CCACTGTAATCTGTAATCAGGTC" + "TTT\n" +
                               ">chr2\nTT" + "CACCTGATTACAGATTACAT" + "GAGTTT\n";
    write_file(directory_ / "genome.fa", genome);
    write_file(directory_ / "input.txt",
               "genome.fa\nNNNNNNNNNNNNNNNNNNNNNRG\n" + target + "NNN 2 a\nCCCCCCCCCCCCCCCCCCCCNNN 1 b\n");
    write_file(directory_ / "input3.txt", "genome.fa\nNNNNNNNNNNNNNNNNNNNNNRG 0 0\n" + target + "NNN 2\n");
  }

  ProgramResult run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "casoff");
    return run_program(arguments, {.directory = directory_.path().string()});
  }

  std::vector<std::string> rows(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"input.txt", "C"});
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return lines_of(result.out);
  }

  TemporaryDirectory directory_;
};

TEST_F(CasoffOutputCli, TakesTheVersionOfTheRowsFromTheInput) {
  EXPECT_EQ(rows({}).front(), target + "NNN\tchr1 first\t3\t" + target + "TGG\t+\t0\ta");
  const std::vector<std::string> three = lines_of(run({"input3.txt", "C"}).out);
  ASSERT_EQ(three.size(), 5U);
  EXPECT_EQ(three[1], "#Id\tBulge Type\tcrRNA\tDNA\tChromosome\tLocation\tDirection\tMismatches\tBulge Size");
  EXPECT_EQ(three[2], "0\tX\t" + target + "NNN\t" + target + "TGG\tchr1 first\t3\t+\t0\t0");
  EXPECT_EQ(lines_of(run({"input3.txt", "C", "--format", "cas-offinder2"}).out).size(), 3U);
  EXPECT_EQ(rows({"--format", "cas-offinder3"}).size(), 5U);
}

TEST_F(CasoffOutputCli, GivesTheGoldenRowsOfVersionThree) {
  for (const std::string& folder : shared_casoff_cases()) {
    const ProgramResult result = run_program({"casoff", "input.v3.txt", "C", "--format", "cas-offinder3"}, {.directory = folder});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::vector<std::string> lines = lines_of(result.out);
    ASSERT_GE(lines.size(), 2U);
    lines.erase(lines.begin(), lines.begin() + 2);
    std::sort(lines.begin(), lines.end());
    EXPECT_EQ(lines, lines_of(read_file(folder + "/golden.v3.tsv"))) << folder;
  }
}

TEST_F(CasoffOutputCli, HasARowForEachSiteInEveryFormat) {
  for (const std::string format : {"tsv", "bed", "sam", "vcf", "jsonl"}) {
    std::vector<std::string> lines = rows({"--format", format});
    std::erase_if(lines, [](const std::string& line) { return line[0] == '#' || line[0] == '@' || line.starts_with("id\t"); });
    EXPECT_EQ(lines.size(), 3U) << format;
  }
  const std::vector<std::string> sam = rows({"--format", "sam"});
  EXPECT_EQ(sam[1], "@SQ\tSN:chr1\tLN:58");
  EXPECT_EQ(sam[2], "@SQ\tSN:chr2\tLN:28");
}

TEST_F(CasoffOutputCli, ScoresItsSites) {
  const std::vector<std::string> plain = rows({"--format", "jsonl"});
  const std::vector<std::string> scored = rows({"--format", "jsonl", "--score"});
  ASSERT_EQ(scored.size(), 3U);
  EXPECT_FALSE(nlohmann::json::parse(plain[0]).contains("cfd"));
  EXPECT_EQ(nlohmann::json::parse(scored[0])["cfd"], 1);
  EXPECT_EQ(nlohmann::json::parse(scored[0])["mit"], 100);
  // rU:dC at place 20, and the weight of place 20.
  EXPECT_EQ(nlohmann::json::parse(scored[1])["dna"], "GACCTGATTACAGATTACAgTGG");
  EXPECT_EQ(nlohmann::json::parse(scored[1])["cfd"], 0.176471);
  EXPECT_EQ(nlohmann::json::parse(scored[1])["mit"], 41.7);
  // rG:dG at place 1, NAG.
  EXPECT_NEAR(nlohmann::json::parse(scored[2])["cfd"], 0.714285714 * 0.259259259, 1e-6);
}

TEST_F(CasoffOutputCli, SaysWhenNothingHasAScore) {
  write_file(directory_ / "input.txt", "genome.fa\nTTTVNNN\nNNNNACG 2\n");
  const ProgramResult result = run({"input.txt", "C", "--score", "--format", "tsv"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.err.find("no site has a score: 'TTTVNNN'"), std::string::npos) << result.err;
  for (const std::string& line : lines_of(result.out)) {
    EXPECT_TRUE(line.ends_with("\tcfd\tmit") || line.ends_with("\t0\t\t")) << line;
  }
}

TEST_F(CasoffOutputCli, Summarises) {
  EXPECT_EQ(run({"input.txt", "C", "-o", "rows", "--summary", "-"}).out,
            "id  guide                    bulge  bulge_size  max_mm  sites  mm0  mm1  mm2\n"
            "a   GACCTGATTACAGATTACATNNN  X               0       2      3    1    2    0\n"
            "b   CCCCCCCCCCCCCCCCCCCCNNN  X               0       1      0    0    0    0\n");
  rows({"--summary", "summary.tsv", "--score"});
  const std::vector<std::string> table = lines_of(read_file(directory_ / "summary.tsv"));
  ASSERT_EQ(table.size(), 3U);
  EXPECT_EQ(table[0], "id\tguide\tbulge\tbulge_size\tmax_mm\tsites\tmm0\tmm1\tmm2\tcfd_specificity\tmit_specificity");
  const double off_targets = 0.176470588 + 0.714285714 * 0.259259259;
  EXPECT_NEAR(std::stod(fields_of(table[1])[9]), 100 / (1 + off_targets), 1e-9);
  EXPECT_NEAR(std::stod(fields_of(table[1])[10]), 10000 / (100 + 41.7 + 100), 1e-9);
  EXPECT_EQ(fields_of(table[2])[9], "100");
  rows({"--summary", "summary", "--summary-format", "json"});
  const nlohmann::json json = nlohmann::json::parse(read_file(directory_ / "summary"));
  EXPECT_EQ(json["meta"]["program"], "portable-hpc");
  EXPECT_EQ(json["rows"][0]["mm1"], 2);
}

TEST_F(CasoffOutputCli, DrawsItsSummary) {
  rows({"--plot", "sites.svg"});
  const std::string svg = read_file(directory_ / "sites.svg");
  EXPECT_TRUE(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
  EXPECT_NE(svg.find(">a<"), std::string::npos);
}

TEST_F(CasoffOutputCli, AddsFeatures) {
  write_file(directory_ / "genes.bed", "chr1\t0\t4\tfirst\nchr1\t4\t40\tsecond\nchr2\t25\t30\tbehind\n");
  std::vector<std::string> tsv = rows({"--format", "tsv", "--annotate", "genes.bed"});
  ASSERT_EQ(tsv.size(), 4U);
  EXPECT_TRUE(tsv[1].ends_with("\tfirst;second")) << tsv[1];
  EXPECT_TRUE(tsv[2].ends_with("\tsecond")) << tsv[2];
  EXPECT_TRUE(tsv[3].ends_with("\t.")) << tsv[3];
  // The same in GFF, where a sequence may also have its whole header for a name.
  write_file(directory_ / "genes.gff3",
             "chr1 first\tx\tgene\t1\t4\t.\t.\t.\tName=a\nchr1 first\tx\texon\t4\t5\t.\t.\t.\tName=b\n");
  tsv = rows({"--format", "tsv", "--annotate", "genes.gff3"});
  EXPECT_TRUE(tsv[1].ends_with("\tgene:a;exon:b")) << tsv[1];
  tsv = rows({"--format", "tsv", "--annotate", "genes.gff3", "--annotate-types", "exon,CDS"});
  EXPECT_TRUE(tsv[1].ends_with("\texon:b")) << tsv[1];
  write_file(directory_ / "genes.bed", "1\t0\t4\tfirst\n");
  const ProgramResult result = run({"input.txt", "C", "--format", "tsv", "--annotate", "genes.bed"});
  EXPECT_NE(result.err.find("no feature of 'genes.bed' lies on a sequence of the genome"), std::string::npos) << result.err;
}

/// Rows of 100 kB with a thousand features each: 380 MB in all, of which a few are held.
TEST_F(CasoffOutputCli, HoldsFewRowsHoweverLongTheyAre) {
  std::string letters;
  for (int i = 0; i < 475; ++i) {
    letters += "ACGT";
  }
  write_file(directory_ / "genome.fa", ">a\n" + letters + "\n");
  std::string features;
  for (int i = 0; i < 1000; ++i) {
    features += "a\t0\t5000\t" + std::string(95, 'x') + std::to_string(1000 + i) + "\n";
  }
  write_file(directory_ / "genes.bed", features);
  const ProgramResult result =
      run({"--genome", "genome.fa", "--pattern", "NNNN", "--guide", "ACGT:4", "--annotate", "genes.bed", "--format", "tsv",
           "--summary", "summary.tsv", "-o", "/dev/null", "--device", "host", "--threads", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(fields_of(lines_of(read_file(directory_ / "summary.tsv")).at(1)).at(5), "3794");
#if !defined(PHPC_SANITIZED)
  EXPECT_LT(result.peak_kib, 200'000);
#endif
}

TEST_F(CasoffOutputCli, RefusesWhatCannotBe) {
  const std::vector<std::string> before = directory_.entries();
  for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{{"--format", "xls"},
                                                                                       {"--summary", "-"},
                                                                                       {"--summary-format", "tsv"},
                                                                                       {"--plot", "-"},
                                                                                       {"--annotate", "x.txt"},
                                                                                       {"--annotate-types", "gene"}}) {
    std::vector<std::string> arguments{"input.txt", "C"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << options[0];
    EXPECT_EQ(result.out, "");
  }
  EXPECT_EQ(run({"input.txt", "C", "--summary", "absent/summary"}).exit_code, 1);
  EXPECT_EQ(run({"input.txt", "C", "--annotate", "absent.bed"}).exit_code, 1);
  EXPECT_EQ(directory_.entries(), before);
}

}  // namespace
}  // namespace phpc::test
