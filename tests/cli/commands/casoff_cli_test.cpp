#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <sstream>

#include "support/devices.hpp"
#include "support/process.hpp"

namespace phpc::test {
namespace {

namespace fs = std::filesystem;

/// Device arguments to run with: what the drop-in form offers here.
std::vector<std::vector<std::string>> device_arguments() {
  std::vector<std::vector<std::string>> arguments = {{"C"}};
  for (const exec::Device device : devices()) {
    if (device.kind() == exec::DeviceKind::x86_64) {
      arguments.push_back({"A"});
      arguments.push_back({"A0:2"});
    } else if (device.is_gpu()) {
      arguments.push_back({"G0"});
    }
  }
  return arguments;
}

std::string sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  std::string sorted;
  for (const std::string& line : lines) {
    sorted += line + "\n";
  }
  return sorted;
}

std::string data_folder() {
  const char* const data = std::getenv("PHPC_DATA");
  return data != nullptr ? data : "data";
}

class CasoffCli : public testing::Test {
 protected:
  /// A genome and an input file in directory_, the input's first line without folder.
  void make_case(const std::string& genome, const std::string& queries) {
    write_file(directory_ / "genome.fa", genome);
    write_file(directory_ / "input.txt", "genome.fa\n" + queries);
  }

  ProgramResult run(std::vector<std::string> arguments, ProgramSetting setting = {}) {
    arguments.insert(arguments.begin(), "casoff");
    setting.directory = directory_.path().string();
    return run_program(arguments, setting);
  }

  /// Expects exit code and a single line on standard error that holds `text`, no rows, and no file left behind.
  void expect_failure(const std::vector<std::string>& arguments, int exit_code, const std::string& text) {
    const std::vector<std::string> before = directory_.entries();
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_NE(result.err.find(text), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(directory_.entries(), before);
  }

  TemporaryDirectory directory_;
};

TEST_F(CasoffCli, GivesTheRowsOfTheSmallCaseInOrder) {
  for (const std::string suffix : {"", "_cas12a"}) {
    const std::string expected = read_file(data_folder() + "/casoff/expected" + suffix + ".tsv");
    // The file's genome path is for the repository's root, which need not be where the test's data lies.
    std::string input = read_file(data_folder() + "/casoff/input" + suffix + ".txt");
    input.replace(0, input.find('\n'), data_folder() + "/casoff/genome.fa");
    write_file(directory_ / "input.txt", input);
    for (std::vector<std::string> arguments : device_arguments()) {
      arguments.insert(arguments.begin(), "input.txt");
      arguments.emplace_back("out.txt");
      const ProgramResult result = run(arguments);
      EXPECT_EQ(result.exit_code, 0) << result.err;
      EXPECT_EQ(result.out, "");
      EXPECT_EQ(read_file(directory_ / "out.txt"), expected) << arguments[1];
      EXPECT_NE(result.err.find("33100 bases of 5 sequences"), std::string::npos) << result.err;
    }
  }
}

TEST_F(CasoffCli, GivesTheGoldenRowsOfTheSharedCases) {
  const char* const shared = std::getenv("PHPC_SHARED");
  const fs::path cases = fs::path(shared != nullptr ? shared : "") / "cases/casoff";
  if (!fs::is_directory(cases)) {
    return;  // the small case above is the same check
  }
  int checked = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(cases)) {
    for (const std::string version : {"v2", "v3"}) {
      const fs::path input = entry.path() / ("input." + version + ".txt");
      if (!fs::exists(input) || !fs::exists(entry.path() / "golden.v2.tsv")) {
        continue;
      }
      for (std::vector<std::string> arguments : device_arguments()) {
        arguments.insert(arguments.begin(), {"casoff", input.string()});
        for (const bool strict : {false, true}) {
          if (strict) {
            arguments.insert(arguments.end(), {"--ambiguity", "strict"});
          }
          const ProgramResult result = run_program(arguments, {.directory = entry.path().string()});
          EXPECT_EQ(result.exit_code, 0) << result.err;
          EXPECT_EQ(sorted_lines(result.out),
                    read_file((entry.path() / (strict ? "golden.strict.v2.tsv" : "golden.v2.tsv")).string()))
              << input << ' ' << arguments[2];
          ++checked;
        }
      }
    }
  }
  EXPECT_GT(checked, 40);
}

TEST_F(CasoffCli, TakesItsArgumentsInEveryForm) {
  make_case(">chr 1\r\nACGTTGGT\r\nNNCCAACGT\r\n", "NNNNNRG\nacgtaNN 1 x\nACGTTNN 0 y\n");
  const std::string rows =
      "ACGTANN\tchr 1\t0\tACGTtGG\t+\t1\tx\nACGTTNN\tchr 1\t0\tACGTTGG\t+\t0\ty\n"
      "ACGTANN\tchr 1\t10\tACGTtGG\t-\t1\tx\nACGTTNN\tchr 1\t10\tACGTTGG\t-\t0\ty\n";
  const std::string input = read_file(directory_ / "input.txt");
  EXPECT_EQ(run({"input.txt"}).out, rows);
  EXPECT_EQ(run({"input.txt", "--device", "host"}).out, rows);
  EXPECT_EQ(run({"input.txt", "C"}).out, rows);
  EXPECT_EQ(run({"input.txt", "C0", "-"}).out, rows);
  EXPECT_EQ(run({"-", "C0:1", "-"}, {.input = input}).out, rows);
  EXPECT_EQ(run({"-"}, {.input = input}).out, rows);
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"input.txt", "C", "one.txt"}, {"input.txt", "two.txt"}, {"input.txt", "-o", "three.txt"}}) {
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(read_file(directory_ / arguments.back()), rows);
  }
  EXPECT_EQ(run({"input.txt", "C", "--quiet"}).err, "");
}

/// 15 million sites of 20 000 guides in 400 bases: 625 MB where all are held at once.
TEST_F(CasoffCli, HoldsFewSitesHoweverDenseTheyAre) {
  constexpr unsigned seed = 7;
  std::mt19937_64 random(seed);
  std::string letters(400, ' ');
  for (char& letter : letters) {
    letter = "ACGT"[random() % 4];
  }
  write_file(directory_ / "genome.fa", ">a\n" + letters + "\n");
  std::string guides;
  for (int guide = 0; guide < 20'000; ++guide) {
    guides += "ACGTACGTACGTACGTACGTNNN 23 g" + std::to_string(guide) + "\n";
  }
  write_file(directory_ / "guides.txt", guides);
  const ProgramResult result = run({"--genome", "genome.fa", "--pattern", std::string(23, 'N'), "--guides-from", "guides.txt",
                                    "-o", "/dev/null", "--device", "host", "--threads", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("15120000 sites of 20000 queries in 400 bases"), std::string::npos) << result.err;
#if !defined(PHPC_SANITIZED)
  EXPECT_LT(result.peak_kib, 400'000);
#endif
}

TEST_F(CasoffCli, SucceedsWithoutHits) {
  make_case(">a\nAAAAAAAAAA\n>b\n", "NGG\nNNN 0\n");
  const ProgramResult result = run({"input.txt", "C", "out.txt"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read_file(directory_ / "out.txt"), "");
}

TEST_F(CasoffCli, SaysWhatIsUnusual) {
  make_case(">a\tb\nACGTUGG\n", "NNNNNGG\nACGUXNN 5\n");
  const ProgramResult result = run({"input.txt", "C"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "ACGUXNN\ta\tb\t0\tACGTUGG\t+\t0\n");
  EXPECT_NE(result.err.find("input.txt:3: 'ACGUXNN' has U, which matches everything"), std::string::npos);
  EXPECT_NE(result.err.find("holds a tab"), std::string::npos);
}

/// A guide written as RNA: U is T, but in Cas-OFFinder's files, where it matches everything and is warned of.
TEST_F(CasoffCli, TakesGuidesOfRna) {
  make_case(">a\nACGTACAGG\n>b\nACGAACAGG\n", "NNNNNNNGG\nACGUACNNN 0\nACGUUCNNN 1\nACXTACNNN 0\n");
  write_file(directory_ / "guides.txt", "acguac 0\n");
  const std::string row = "ACGTACNNN\ta\t0\tACGTACAGG\t+\t0\n";
  const std::vector<std::string> genome{"--genome", "genome.fa", "--pattern", "NNNNNNNGG", "--device", "host"};
  for (const std::vector<std::string>& guide :
       std::vector<std::vector<std::string>>{{"--guide", "ACGUAC:0"}, {"--guides-from", "guides.txt"}}) {
    std::vector<std::string> arguments = genome;
    arguments.insert(arguments.end(), guide.begin(), guide.end());
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, row);
    EXPECT_EQ(result.err.find("matches everything"), std::string::npos) << result.err;
  }
  const ProgramResult peer = run({"input.txt", "C"});
  EXPECT_EQ(peer.exit_code, 0) << peer.err;
  EXPECT_NE(peer.out.find("ACGUACNNN\tb\t0\tACGAACAGG\t+\t0\n"), std::string::npos) << peer.out;
  EXPECT_NE(peer.err.find("input.txt:3: 'ACGUACNNN' has U, which matches everything, as in Cas-OFFinder; write T for a guide of "
                          "RNA (and 2 more such)"),
            std::string::npos)
      << peer.err;
}

TEST_F(CasoffCli, RefusesBadArguments) {
  make_case(">a\nACGT\n", "NGG\nNNN 0\n");
  expect_failure({}, 2, "input");
  expect_failure({"input.txt", "Q", "out.txt"}, 2, "'Q' is no device class");
  expect_failure({"input.txt", "C1"}, 1, "there is no host 1");
  expect_failure({"input.txt", "C0,0"}, 2, "twice");
  expect_failure({"input.txt", "C:"}, 2, "no device argument");
  expect_failure({"input.txt", "C3:1"}, 2, "no device argument");
  expect_failure({"input.txt", "C0:9:0"}, 2, "no device argument");
  expect_failure({"input.txt", "G4000"}, 1, "there is no GPU");
  expect_failure({"input.txt", "A99"}, 1, "there is no other device");
  expect_failure({"input.txt", "C", "--device", "host"}, 2, "both --device");
  expect_failure({"input.txt", "C", "out.txt", "-o", "out2.txt"}, 2, "two outputs");
  expect_failure({"input.txt", "C", "--ambiguity", "some"}, 2, "--ambiguity");
  expect_failure({"input.txt", "C", "absent/out.txt"}, 1, "cannot write 'absent/out.txt'");
  expect_failure({"absent.txt", "C"}, 1, "cannot open 'absent.txt'");
  expect_failure({".", "C"}, 1, "Is a directory");
}

TEST_F(CasoffCli, RefusesBadFiles) {
  const std::string queries = "NGG\nNNN 0\n";
  make_case("", queries);
  expect_failure({"input.txt", "C", "out.txt"}, 1, "it is empty");
  make_case(">a\n", queries);
  expect_failure({"input.txt", "C", "out.txt"}, 1, "has no sequence");
  make_case(">a\nACGT\nAC9T\n", queries);
  expect_failure({"input.txt", "C", "out.txt"}, 1, "genome.fa:3: '9'");
  make_case("ACGT\n", queries);
  expect_failure({"input.txt", "C", "out.txt"}, 1, "begins neither like FASTA");
  make_case(">a\nACGT\n", "NGG\nNNN x\n");
  expect_failure({"input.txt", "C", "out.txt"}, 1, "input.txt:3: 'x'");
  make_case(">a\nACGT\n", std::string(65, 'N') + "\n" + std::string(65, 'A') + " 1\n");
  expect_failure({"input.txt", "C", "out.txt"}, 1, "input.txt:2: a sequence of 65 letters");
  write_file(directory_ / "input.txt", "absent.fa\n" + queries);
  expect_failure({"input.txt", "C", "out.txt"}, 1, "cannot open 'absent.fa'");
  fs::create_directory(directory_ / "empty");
  write_file(directory_ / "input.txt", "empty\n" + queries);
  expect_failure({"input.txt", "C", "out.txt"}, 1, "there is no genome in the folder 'empty'");
}

TEST_F(CasoffCli, FailsWhenTheDiskIsFull) {
  make_case(">a\nACGTTGG\n", "NGG\nNNN 0\n");
  const ProgramResult result = run({"input.txt", "C"}, {.output_path = "/dev/full"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("No space left"), std::string::npos) << result.err;
  EXPECT_EQ(run({"input.txt", "C", "/dev/full"}).exit_code, 1);
}

}  // namespace
}  // namespace phpc::test
