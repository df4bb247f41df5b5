#include <gtest/gtest.h>

#include "support/process.hpp"
#include "support/site_row_files.hpp"

namespace phpc::test {
namespace {

ProgramResult explain(const std::string& guide, const std::string& site, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"casoff", "--explain", guide, site};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program(arguments);
}

TEST(CasoffExplain, DrawsMismatches) {
  const ProgramResult result =
      explain("GGCCGACCTGTCGCTGACGC", "gcCCGACCgGTCGCTGcCGCAGG", {"--pattern", "NNNNNNNNNNNNNNNNNNNNNRG"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            "           1   5    10   15   20\n"
            "guide      GGCCGACCTGTCGCTGACGCNNN\n"
            "           |*||||||*|||||||*|||:::\n"
            "site       GCCCGACCGGTCGCTGCCGCAGG\n"
            "\n"
            "strand     + (the site as given)\n"
            "mismatches 3: G2C, T9G, A17C\n"
            "bulges     none\n"
            "pattern    NNNNNNNNNNNNNNNNNNNNNRG, which the site fits\n"
            "CFD        0.0756303 of 1\n"
            "MIT        0.764011 of 100\n");
}

TEST(CasoffExplain, DrawsBulges) {
  const ProgramResult result =
      explain("GG-CCGACCTGTCGCTGACGCNNN", "-GTCCGAC-TGTCGCTGtCGCTGA", {"--pattern", "NNNNNNNNNNNNNNNNNNNNNRG"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            "           1    5    10   15   20\n"
            "guide      GG-CCGACCTGTCGCTGACGCNNN\n"
            "           ^|^|||||^||||||||*|||:::\n"
            "site       -GTCCGAC-TGTCGCTGTCGCTGA\n"
            "\n"
            "strand     + (the site as given)\n"
            "mismatches 1: A17T\n"
            "bulges     RNA 1: the site lacks G at 1; DNA 1: the site has T more behind 2; RNA 1: the site lacks C at 8\n"
            "pattern    NNNNNNNNNNNNNNNNNNNNNRG, which the site does not fit: G23A\n");
}

TEST(CasoffExplain, TurnsTheSiteWhereThatFitsBetter) {
  const ProgramResult result = explain("GACCTGATTACAGATTACATNNN", "CCACTGTAATCTGTAATCAGGTC");
  const std::vector<std::string> lines = lines_of(result.out);
  ASSERT_GT(lines.size(), 6U);
  EXPECT_EQ(lines[3], "site       GACCTGATTACAGATTACAGTGG");
  EXPECT_EQ(lines[5], "strand     - (the reverse complement of the site is shown)");
  EXPECT_EQ(lines[6], "mismatches 1: T20G");
}

TEST(CasoffExplain, PutsThePamWhereThePatternHasIt) {
  const ProgramResult result =
      explain("TATGTGCACTTCTAGCCCGGCAA", "TTTATATGTGCACTTCTAGCCCGGCAA", {"--pattern", "TTTVNNNNNNNNNNNNNNNNNNNNNNN"});
  EXPECT_NE(result.out.find("guide      NNNNTATGTGCACTTCTAGCCCGGCAA\n"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("mismatches 0\n"), std::string::npos);
  EXPECT_EQ(result.out.find("CFD"), std::string::npos) << "a score for another enzyme";
}

TEST(CasoffExplain, FollowsTheAmbiguity) {
  EXPECT_NE(explain("ARG", "ANG").out.find("mismatches 0"), std::string::npos);
  EXPECT_NE(explain("ARG", "ANG", {"--ambiguity", "strict"}).out.find("mismatches 1: R2N"), std::string::npos);
}

TEST(CasoffExplain, TakesGuidesOfRna) {
  const ProgramResult result = explain("GUUACG", "GTTACGTGG", {"--pattern", "NNNNNNNGG"});
  EXPECT_NE(result.out.find("guide      GTTACGNNN\n"), std::string::npos) << result.out << result.err;
  EXPECT_NE(explain("GUUACG", "GTAACGTGG").out.find("mismatches 1: T3A"), std::string::npos);
}

TEST(CasoffExplain, TellsRowsFromOptions) {
  EXPECT_NE(explain("--ACG", "TTACG", {"-q"}).out.find("guide      --ACG\n"), std::string::npos);
  EXPECT_NE(explain("TTACG", "--acG", {"--ambiguity", "any"}).out.find("site       --ACG\n"), std::string::npos);
  EXPECT_NE(run_program({"casoff", "--explain", "AC", "--quiet"}).err.find("needs 2 values, GUIDE SITE, and has 1"),
            std::string::npos);
  EXPECT_NE(run_program({"casoff", "--explain", "AC", "-q"}).err.find("needs 2 values, GUIDE SITE, and has 1"),
            std::string::npos);
}

TEST(CasoffExplain, RefusesWhatDoesNotFit) {
  const auto expect_usage = [](const ProgramResult& result, const std::string& text) {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find(text), std::string::npos) << result.err;
  };
  expect_usage(explain("A-", "A_"), "both rows have a - at column 2");
  expect_usage(explain("ACG", "AC"), "has 3 letters and the site's 2");
  expect_usage(explain("A1", "AC"), "'A1' is no row of the guide");
  expect_usage(explain("AC", ""), "the site is empty");
  expect_usage(explain("AC", "AC", {"--pattern", "NGG"}), "2 letters and the pattern 3");
  expect_usage(run_program({"casoff", "input.txt", "--explain", "AC", "AC"}), "both --explain and an input file");
  expect_usage(run_program({"casoff", "--explain", "AC"}), "--explain");
}

}  // namespace
}  // namespace phpc::test
