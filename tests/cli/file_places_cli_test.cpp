// No result replaces an input or another result, whatever names they go by.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "support/array_files.hpp"
#include "support/process.hpp"

namespace phpc::test {
namespace {

namespace fs = std::filesystem;

/// Command lines in a folder of small inputs; "$P" is the program.
class FilePlaces : public ::testing::Test {
 protected:
  FilePlaces() {
    write_file(directory_ / "x.npy", signal_);
    write_file(directory_ / "y.npy", signal_);
    std::string letters;
    for (int i = 0; i < 100; ++i) {
      letters += "ACGTTGCAAC";
    }
    write_file(directory_ / "genome.fa", ">one\n" + letters + "\n");
    write_file(directory_ / "genomes/one.fa", ">one\n" + letters + "\n");
    write_file(directory_ / "input.txt", "genome.fa\nNNNNRG\nACGTNN 3\nTTGCNN 3\n");
    write_file(directory_ / "guides.txt", "ACGT 3\n");
    write_file(directory_ / "genes.bed", "one\t10\t20\tgene\n");
    const std::string matrix = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 2\n2 2 4\n";
    const std::string rhs = "%%MatrixMarket matrix array real general\n2 1\n1\n1\n";
    for (const char* const folder : {"systems/0/", "systems/1/", ""}) {
      write_file(directory_ / (std::string(folder) + "A.mtx"), matrix);
      write_file(directory_ / (std::string(folder) + "b.mtx"), rhs);
    }
    fs::create_symlink("genome.fa", directory_ / "link.fa");
    // Names that choose no format.
    fs::create_symlink("genome.fa", directory_ / "genome-link");
    fs::create_symlink("A.mtx", directory_ / "matrix-link");
    fs::create_symlink("x.npy", directory_ / "array-link");
    fs::create_symlink("none", directory_ / "to-none");
    fs::create_directory_symlink(".", directory_ / "here");
    fs::create_hard_link(directory_ / "genome.fa", directory_ / "hard.fa");
    fs::create_hard_link(directory_ / "genome.fa", directory_ / "hard.phg");
    fs::create_hard_link(directory_ / "genomes/one.fa", directory_ / "one.phg");
    fs::create_hard_link(directory_ / "systems/1/b.mtx", directory_ / "hard.mtx");
    fs::create_hard_link(directory_ / "y.npy", directory_ / "hard.npy");
  }

  ProgramResult shell(const std::string& line) const {
    return run_program({"-c", line}, {.environment = {{"P", std::string(std::getenv("PHPC_BINARY"))}},
                                      .directory = directory_.path().string(),
                                      .program = "/bin/bash"});
  }

  /// All files and what they hold.
  [[nodiscard]] std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(directory_.path())) {
      if (entry.is_regular_file()) {
        all[entry.path().string()] = read_file(entry.path().string());
      }
    }
    return all;
  }

  void expect_refused(const std::string& arguments, const std::string& part) const {
    const auto before = contents();
    const ProgramResult result = shell("$P " + arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments << '\n' << result.err;
    EXPECT_NE(result.err.find(part), std::string::npos) << arguments << '\n' << result.err;
    EXPECT_EQ(contents(), before) << arguments;
  }

  TemporaryDirectory directory_;
  std::string signal_ = npy_bytes("{'descr': '<c8', 'fortran_order': False, 'shape': (4,), }", std::string(32, '\x3f'));
};

TEST_F(FilePlaces, AnInputIsNotReplaced) {
  const std::string search = "casoff -q --device host --pattern NNNNRG ";
  const std::string solve = "batch -q --device host ";
  for (const std::string& arguments : std::vector<std::string>{
           "casoff -q --device host input.txt -o input.txt",
           "casoff -q input.txt C here/input.txt",
           "casoff -q --device host input.txt --format cas-offinder -o genome.fa",
           search + "--genome genome.fa --guide ACGT:3 --format cas-offinder -o genome.fa",
           search + "--genome genome.fa --guide ACGT:3 --format cas-offinder -o here/./genome.fa",
           search + "--genome genome.fa --guide ACGT:3 --format cas-offinder -o hard.fa",
           search + "--genome link.fa --guide ACGT:3 --format cas-offinder -o genome.fa",
           search + "--genome genome.fa --guide ACGT:3 --format cas-offinder -o link.fa",
           search + "--genome genome.fa --guide ACGT:3 -o rows --summary-format text --summary hard.fa",
           search + "--genome genome.fa --guide ACGT:3 -o rows --plot genome-link",
           search + "--genome genomes --guide ACGT:3 --format cas-offinder -o genomes/one.fa",
           search + "--genome genome.fa --guides-from guides.txt -o guides.txt",
           search + "--genome genome.fa --guide ACGT:3 --format tsv --annotate genes.bed -o genes.bed",
           search + "--genome genome.fa --guide ACGT:3 --shard 0/1 --format cas-offinder -o genome.fa",
           search + "--genome genome.fa --guide ACGT:3 1<> genome.fa",
           search + "--genome genome.fa --guide ACGT:3 -o /dev/stdout >> hard.fa",
           "casoff -q --pack genome.fa -o hard.phg",
           "casoff -q --pack genomes -o one.phg",
           solve + "systems -o systems/1/A.mtx",
           solve + "systems -o hard.mtx",
           solve + "systems --format tsv --report systems/0/b.mtx",
           solve + "A.mtx -o b.mtx",
           solve + "A.mtx -o x.mtx --plot matrix-link",
           solve + "A.mtx --rhs b.mtx --shard 0/1 -o b.mtx",
           solve + "A.mtx --rhs ones --bench --values 4 --repeats 1 --format tsv --report A.mtx",
           "fft -q --device host x.npy y.npy -o 'here/{stem}.npy'",
           "fft -q --device host x.npy --spectrum --format tsv -o x.npy",
           "fft -q --device host x.npy -o x.npy --plot x.svg",
           "fft -q --device host x.npy -o z.npy --plot array-link",
           "fft -q --device host x.npy --shard 0/1 -o x.npy",
       }) {
    expect_refused(arguments, "would replace the input");
  }
}

TEST_F(FilePlaces, AResultDoesNotReplaceAnother) {
  const std::string search = "casoff -q --device host input.txt ";
  const std::string solve = "batch -q --device host A.mtx ";
  for (const std::string& arguments : std::vector<std::string>{
           search + "-o r --summary ./r",
           search + "-o r --plot here/r",
           search + "--summary r --plot r",
           search + "-o none --summary to-none",
           search + "-o - --summary -",
           search + "--plot /dev/stdout | cat; exit ${PIPESTATUS[0]}",
           search + "-o /dev/fd/1 --summary /proc/self/fd/1 > /dev/null",
           search + "-o - --summary /dev/stderr > both 2>&1; cat both >&2; rm both; exit 2",
           solve + "-o x --plot x",
           solve + "-o x --report here/x",
           solve + "--report - --plot -",
           solve + "-o x --report ./x --shard 0/1",
           solve + "-o x --report x.part-00000-of-00001 --shard 0/1",
           "batch -q --device host --problem stencil3:4 --bench --sweep rows --values 4 --repeats 1 --report t --plot ./t",
           "fft -q --device host x.npy -o - --plot -",
           "fft -q --device host x.npy --spectrum -o s --plot ./s",
           "fft -q --device host --bench --lengths 4 --iterations 1 -o t --plot here/t",
           "fft -q --device host x.npy here/x.npy -o 'out-{stem}'",
           "fft -q --device host x.npy y.npy --spectrum -o 'out-{stem}' --plot './out-{stem}'",
       }) {
    expect_refused(arguments, "would both go to one place");
  }
}

TEST_F(FilePlaces, WhatTakesAllMayBeNamedTwice) {
  for (const std::string line : {"$P casoff -q --device host input.txt -o /dev/null --summary /dev/null --plot /dev/null",
                                 "$P casoff -q --device host input.txt -o - --summary /dev/null > /dev/null",
                                 "$P batch -q --device host A.mtx -o /dev/null --report /dev/null"}) {
    const ProgramResult result = shell(line);
    EXPECT_EQ(result.exit_code, 0) << line << '\n' << result.err;
  }
}

TEST_F(FilePlaces, MergeDoesNotReplaceAPart) {
  ASSERT_EQ(shell("$P fft -q --device host x.npy -o s --shard 0/1").exit_code, 0);
  expect_refused("merge -q s.part-00000-of-00001 -o here/s.part-00000-of-00001", "would replace the input");
  EXPECT_EQ(shell("$P merge -q s.part-00000-of-00001 -o s").exit_code, 0);
}

TEST_F(FilePlaces, FftReplacesItsInputWhereThatIsAskedFor) {
  ASSERT_EQ(shell("$P fft -q --device host x.npy -o expected").exit_code, 0);
  for (const std::string line : {"$P fft --device host x.npy -o here/x.npy", "$P fft --device host y.npy -o hard.npy"}) {
    const ProgramResult result = shell(line);
    EXPECT_EQ(result.exit_code, 0) << line << '\n' << result.err;
    EXPECT_NE(result.err.find("the transform replaces its input"), std::string::npos) << result.err;
  }
  for (const char* const name : {"x.npy", "y.npy", "hard.npy"}) {
    EXPECT_EQ(read_file(directory_ / name), read_file(directory_ / "expected")) << name;
  }
}

TEST_F(FilePlaces, StandardOutputUnderAnotherNameIsNoFileToReplace) {
  ASSERT_EQ(shell("$P fft -q --device host x.npy -o expected").exit_code, 0);
  const std::string expected = read_file(directory_ / "expected");
  for (const std::string name : {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    const ProgramResult kept = shell("{ printf before; $P fft -q --device host x.npy -o " + name + "; printf after; } > out");
    EXPECT_EQ(read_file(directory_ / "out"), "before" + expected + "after") << name << kept.err;
    shell("printf before > out; $P fft -q --device host x.npy -o " + name + " >> out");
    EXPECT_EQ(read_file(directory_ / "out"), "before" + expected) << name;
    EXPECT_EQ(shell("$P fft -q --device host x.npy -o " + name + " | cat").out, expected) << name;
    fs::remove(directory_ / "out");
  }
  shell("$P fft -q --device host x.npy -o /dev/fd/7 7> out");
  EXPECT_EQ(read_file(directory_ / "out"), expected);
}

TEST_F(FilePlaces, APartsNameThatIsTooLongIsToldAtOnce) {
  const std::string name(255 - 21, 'n');  // fits with ".part-00000-of-00001", and without ".checkpoint"
  const ProgramResult result = shell("$P fft -q --device host x.npy --shard 0/1 -o " + name);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find(".checkpoint' (File name too long)"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace phpc::test
