// Messages are lines that a terminal can show, and sentences of the program's own, whatever a file or a command line holds.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "support/process.hpp"

namespace phpc::test {
namespace {

/// Every byte of a message is a letter of a terminal, a blank or the end of a line; lines have an end.
void expect_plain(const ProgramResult& result, const std::string& told) {
  EXPECT_FALSE(result.err.empty()) << told;
  for (const char letter : result.err) {
    EXPECT_TRUE(letter == '\n' || (letter >= ' ' && letter != '\x7f') || letter < 0) << told << result.err;
  }
  std::size_t start = 0;
  while (start < result.err.size()) {
    const std::size_t end = result.err.find('\n', start);
    ASSERT_NE(end, std::string::npos) << told;
    EXPECT_LT(end - start, 10000u) << told;
    EXPECT_TRUE(result.err.substr(start).starts_with("portable-hpc")) << told << result.err;
    start = end + 1;
  }
  for (const char* const raw : {"json.exception", "filesystem error", "std::", "vector::", "basic_string", "what():"}) {
    EXPECT_EQ(result.err.find(raw), std::string::npos) << told << result.err;
  }
}

const std::string escapes =
    "\x1b]0;owned\x07\x1b[2J\r\n\xc2\x9b"
    "2J\xff\x7f";

TEST(Messages, WordsOfFilesCannotDriveTheTerminal) {
  const TemporaryDirectory dir;
  write_file(dir / "guides.txt", "GG" + escapes + "CC 3\n");
  write_file(dir / "input.txt", dir / "genome.fa" + std::string("\nNNNNRG\nACGTNN ") + escapes + "\n");
  write_file(dir / "genome.fa", ">chr1\nACGTACGTAGGACGT\n>" + escapes + "\nACGT\x1b[1mACGT\n");
  write_file(dir / "array.npy", "\x93NUMPY\x01" + std::string(1, '\0') + std::string("\x16\0", 2) + "{'descr': '\x1b[31m<q8'}\n");
  write_file(dir / "0/A.mtx", "%%MatrixMarket matrix \x1b[31m real general\n1 1 1\n1 1 1\n");
  write_file(dir / "list.txt", dir / ("missing" + escapes) + "\n");
  write_file(dir / "sites.part", "#" + escapes);
  const std::vector<std::vector<std::string>> runs = {
      {"casoff", "--genome", dir / "genome.fa", "--pattern", "NNNNRG", "--guides-from", dir / "guides.txt", "-o", dir / "o"},
      {"casoff", dir / "input.txt", "-o", dir / "o"},
      {"casoff", "--genome", dir / "genome.fa", "--pattern", "NNNNRG", "--guide", "ACGTNN:" + escapes, "-o", dir / "o"},
      {"casoff", "--genome", dir / "genome.fa", "--pattern", "NNNNRG", "--guide", "ACGT:1", "--region", "chr" + escapes, "-o",
       dir / "o"},
      {"fft", dir / "array.npy", "-o", dir / "o"},
      {"fft", "--files-from", dir / "list.txt", "-o", dir / "o"},
      {"fft", dir / escapes, "-o", dir / "o"},
      {"fft", dir / "array.npy", "--axes", escapes, "-o", dir / "o"},
      {"batch", dir.path().string(), "-o", dir / "o"},
      {"batch", "--problem", escapes, "-o", dir / "o"},
      {"merge", dir / "sites.part", "-o", dir / "o"},
      {"devices", "--device", escapes, "--format", escapes},
      {escapes},
      {"fft", "--" + escapes},
  };
  for (const auto& run : runs) {
    const auto result = run_program(run);
    EXPECT_NE(result.exit_code, 0) << testing::PrintToString(run);
    expect_plain(result, testing::PrintToString(run));
  }
}

TEST(Messages, LongWordsOfFilesAreCut) {
  const TemporaryDirectory dir;
  const std::string word(2000000, 'Z');
  write_file(dir / "guides.txt", "GGCC " + word + "\n");
  write_file(dir / "0/A.mtx", "%%MatrixMarket matrix " + word + " real general\n1 1 1\n1 1 1\n");
  write_file(dir / "genome.fa", ">chr1\nACGTACGTAGGACGT\n");
  const std::vector<std::vector<std::string>> runs = {
      {"casoff", "--genome", dir / "genome.fa", "--pattern", "NNNNRG", "--guides-from", dir / "guides.txt", "-o", dir / "o"},
      {"batch", dir.path().string(), "-o", dir / "o"},
      {"fft", "--" + word.substr(0, 100000)},
      {"fft", "x.npy", "--norm", word.substr(0, 100000)},
  };
  for (const auto& run : runs) {
    const auto result = run_program(run);
    EXPECT_NE(result.exit_code, 0);
    EXPECT_LT(result.err.size(), 5000u);
    EXPECT_NE(result.err.find("..."), std::string::npos) << result.err;
    expect_plain(result, run[0] + run[1].substr(0, 100));
  }
}

TEST(Messages, AZeroByteDoesNotCutOne) {
  const TemporaryDirectory dir;
  write_file(dir / "A.mtx",
             std::string("%%MatrixMarket matrix co") + std::string(1, '\0') + "ordinate real general\n1 1 1\n1 1 1\n");
  const auto result = run_program({"batch", dir / "A.mtx", "--rhs", "ones", "-o", dir / "o"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.err.find("co\\x00ordinate"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("are read\n"), std::string::npos) << result.err;
  expect_plain(result, "");
}

// JSON cannot hold what is no UTF-8: names in the meta block, in parts and in rows have other letters there.
TEST(Messages, NamesThatAreNoUtf8AreNoFailure) {
  const TemporaryDirectory dir;
  const std::string name = dir /
                           "sp\xff"
                           "ec";
  const auto listed = run_program({"devices", "--format", "json", "--device", "\xff"});
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_TRUE(nlohmann::json::accept(listed.out)) << listed.out;
  const std::vector<std::string> share = {"batch", "--problem", "stencil3:8", "--systems", "4",  "--solver", "cg",
                                          "-o",    name,        "--shard",    "0/2",       "-q", "--resume"};
  for (int run = 0; run < 2; ++run) {  // the second finds the first one's part
    const auto result = run_program(share);
    EXPECT_EQ(result.exit_code, 0) << result.err;
  }
  auto second = share;
  second[10] = "1/2";
  EXPECT_EQ(run_program(second).exit_code, 0);
  const auto merged = run_program({"merge", name + ".part-00000-of-00002", name + ".part-00001-of-00002", "-o", name});
  EXPECT_EQ(merged.exit_code, 0) << merged.err;
}

TEST(Messages, AFolderThatMayNotBeReadIsNamed) {
  if (geteuid() == 0) {
    GTEST_SKIP() << "root may read every folder";
  }
  const TemporaryDirectory dir;
  write_file(dir / "closed/0/A.mtx", "");
  chmod((dir / "closed").c_str(), 0);
  const auto result = run_program({"batch", dir / "closed/0", "-o", dir / "o"});
  chmod((dir / "closed").c_str(), 0700);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("Permission denied"), std::string::npos) << result.err;
  expect_plain(result, "");
}

// Root may read every folder: what a name of more than 255 letters gives instead is an error of the file system as well.
TEST(Messages, ANameThatNoFileCanHaveIsToldPlainly) {
  const TemporaryDirectory dir;
  const std::string name(300, 'n');
  const std::vector<std::vector<std::string>> runs = {
      {"batch", dir / name, "-o", dir / "o"},
      {"fft", dir / name, "-o", dir / "o"},
      {"merge", dir / name, "-o", dir / "o"},
      {"casoff", dir / name, "-o", dir / "o"},
      {"casoff", "--genome", dir / name, "--pattern", "NNNNRG", "--guide", "ACGT:1"},
      {"fft", "--files-from", dir / name, "-o", dir / "o"},
      {"casoff", "--pack", dir / name, "-o", dir / "o"}};
  for (const auto& run : runs) {
    const auto result = run_program(run);
    EXPECT_EQ(result.exit_code, 1) << testing::PrintToString(run) << result.err;
    EXPECT_NE(result.err.find("name too long"), std::string::npos) << result.err;
    expect_plain(result, testing::PrintToString(run));
  }
}

}  // namespace
}  // namespace phpc::test
