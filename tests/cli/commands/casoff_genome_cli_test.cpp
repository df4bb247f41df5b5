// Genomes and queries in every form that the command line takes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <random>
#include <thread>

#include "support/compressed.hpp"
#include "support/process.hpp"

namespace phpc::test {
namespace {

class CasoffGenome : public testing::Test {
 protected:
  ProgramResult run(std::vector<std::string> arguments, ProgramSetting setting = {}) {
    arguments.insert(arguments.begin(), {"casoff"});
    arguments.insert(arguments.end(), {"--device", "host"});
    setting.directory = directory_.path().string();
    return run_program(arguments, setting);
  }

  /// What a search for one guide finds in a genome.
  ProgramResult search(const std::string& genome, std::vector<std::string> more = {}, const std::string& input = {}) {
    more.insert(more.begin(), {"--genome", genome, "--pattern", "NNNNNNRG", "--guide", "ACGTAC:3:g"});
    return run(more, {.input = input});
  }

  void expect_failure(const std::vector<std::string>& arguments, int exit_code, const std::string& text) {
    const std::vector<std::string> before = directory_.entries();
    const ProgramResult result = run(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_NE(result.err.find(text), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(directory_.entries(), before);
  }

  static std::string random_fasta(std::string_view alphabet, unsigned seed) {
    std::mt19937_64 random(seed);
    std::string text;
    for (int sequence = 0; sequence < 3; ++sequence) {
      text += ">seq" + std::to_string(sequence) + " of the test\n";
      for (int i = 0; i < 3000; ++i) {
        text += alphabet[random() % alphabet.size()];
        text += i % 60 == 59 ? "\n" : "";
      }
    }
    return text;
  }

  TemporaryDirectory directory_;
};

TEST_F(CasoffGenome, IsTheSameInEveryFile) {
  // Letters of no code as well: packed genomes keep them.
  for (const std::string_view alphabet : {"ACGTacgt", "ACGTNACGTNRYACGT", "ACGTACGTACGTNX-*U"}) {
    const std::string fasta = random_fasta(alphabet, 21);
    write_file(directory_ / "g.fa", fasta);
    write_file(directory_ / "g.fa.gz", gzip(fasta));
    write_file(directory_ / "g.bgz", bgzip(fasta, 1000));
    const ProgramResult expected = search("g.fa");
    EXPECT_EQ(expected.exit_code, 0) << expected.err;
    EXPECT_GT(std::count(expected.out.begin(), expected.out.end(), '\n'), 20);
    const ProgramResult packed = run({"--pack", "g.fa", "-o", "g.phg"});
    EXPECT_EQ(packed.exit_code, 0) << packed.err;
    EXPECT_EQ(packed.out, "");
    for (const std::string genome : {"g.fa.gz", "g.bgz", "g.phg"}) {
      for (const std::string threads : {"1", "3"}) {
        EXPECT_EQ(search(genome, {"--threads", threads}).out, expected.out) << genome;
      }
    }
    for (const std::string name : {"g.fa", "g.fa.gz", "g.bgz"}) {
      EXPECT_EQ(search("-", {}, read_file(directory_ / name)).out, expected.out) << name;
    }
    write_file(directory_ / "input.txt", "g.phg\nNNNNNNRG\nACGTACNN 3 g\n");
    EXPECT_EQ(run({"input.txt"}).out, expected.out);
    write_file(directory_ / "repacked.phg", "");
    EXPECT_EQ(run({"--pack", "g.phg", "-o", "repacked.phg"}).exit_code, 0);
    EXPECT_EQ(read_file(directory_ / "repacked.phg"), read_file(directory_ / "g.phg"));
  }
}

TEST_F(CasoffGenome, IsSearchedByRegions) {
  write_file(directory_ / "g.fa", ">one x\nACGTACGGACGTACAG\n>two\nACGTACGG\n");
  const std::string first = "ACGTACNN\tone x\t0\tACGTACGG\t+\t0\tg\n";
  const std::string second = "ACGTACNN\tone x\t8\tACGTACAG\t+\t0\tg\n";
  const std::string third = "ACGTACNN\ttwo\t0\tACGTACGG\t+\t0\tg\n";
  const auto rows = [this](std::vector<std::string> more) {
    more.insert(more.end(), {"--guide", "ACGTAC:0:g", "--genome", "g.fa", "--pattern", "NNNNNNRG"});
    return run(more).out;
  };
  EXPECT_EQ(rows({}), first + second + third);
  EXPECT_EQ(rows({"--region", "one"}), first + second);
  EXPECT_EQ(rows({"--region", "one:1-8"}), first);
  EXPECT_EQ(rows({"--region", "one:2-16"}), second);
  EXPECT_EQ(rows({"--region", "one:9-16", "--region", "two"}), second + third);
  EXPECT_EQ(rows({"--region", "one:10-16"}), "");
  EXPECT_EQ(rows({"--region", "one:9", "--chrom-name", "first-word"}), "ACGTACNN\tone\t8\tACGTACAG\t+\t0\tg\n");
  const std::vector<std::string> base = {"--guide", "ACGTAC:0", "--genome", "g.fa", "--pattern", "NNNNNNRG", "--region"};
  const auto with = [&](const std::string& region) {
    std::vector<std::string> arguments = base;
    arguments.push_back(region);
    return arguments;
  };
  const auto said = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--guide", "ACGTAC:0", "--genome", "g.fa", "--pattern", "NNNNNNRG"});
    return run(more).err;
  };
  EXPECT_NE(said({}).find("3 sites of 1 query in 24 bases of 2 sequences, "), std::string::npos) << said({});
  EXPECT_NE(said({"--region", "two"}).find("1 site of 1 query in 8 bases of 1 sequence, "), std::string::npos);
  EXPECT_NE(said({"--region", "one:1-1"}).find("0 sites of 1 query in 1 base of 1 sequence, "), std::string::npos);
  expect_failure(with("three"), 1, "no sequence for the region 'three'");
  expect_failure(with("two:9-10"), 1, "beyond the end");
  expect_failure(with("two:5-2"), 2, "ends before it begins");
}

TEST_F(CasoffGenome, IsSearchedForGuidesOfTheCommandLine) {
  write_file(directory_ / "g.fa", ">a\nACGTACGGTTTTTT\n");
  write_file(directory_ / "guides.txt", "ACGTACNN 1\r\nACGTTC\n\n");
  const std::string row = "\ta\t0\tACGTACGG\t+\t0\n";
  const std::vector<std::string> genome = {"--genome", "g.fa", "--pattern", "NNNNNNRG"};
  const auto rows = [&](std::vector<std::string> more) {
    more.insert(more.end(), genome.begin(), genome.end());
    const ProgramResult result = run(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  EXPECT_EQ(rows({"--guide", "ACGTAC", "--mismatches", "0"}), "ACGTACNN" + row);
  EXPECT_EQ(rows({"--guide", "acgtacnn:0", "--guide", "ACGTAC:2"}), "ACGTACNN" + row + "ACGTACNN" + row);
  EXPECT_EQ(rows({"--guides-from", "guides.txt", "--mismatches", "1"}), "ACGTACNN" + row + "ACGTTCNN\ta\t0\tACGTaCGG\t+\t1\n");
  const auto fails = [&](std::vector<std::string> more, int exit_code, const std::string& text) {
    more.insert(more.end(), genome.begin(), genome.end());
    expect_failure(more, exit_code, text);
  };
  fails({}, 2, "no guide");
  fails({"--guide", "ACGTAC"}, 2, "no number of mismatches");
  fails({"--guide", "ACGTAC:x"}, 2, "--guide 'ACGTAC:x': 'x' is no number");
  fails({"--guide", "ACGTACGGG:1"}, 2, "9 letters where the pattern has 8");
  fails({"--guide", "ACGTAC:1:a", "--guide", "ACGTAC:1"}, 2, "an id is missing");
  fails({"--guides-from", "guides.txt"}, 1, "guides.txt:2: there is no number of mismatches");
  fails({"--guide", "ACGTAC:1", "--mismatches", "-1"}, 2, "--mismatches");
  write_file(directory_ / "input.txt", "g.fa\nNNNNNNRG 0 0\nACGTACNN 3 g\n");
  fails({"input.txt"}, 2, "both the input file 'input.txt' and --genome");
  expect_failure({"input.txt", "--dna-bulge", "1"}, 2, "both at input.txt:2 and as options");
  expect_failure({"--pattern", "NGG", "--guide", "NNN:0"}, 2, "there is no input");
  expect_failure({"--pack", "g.fa"}, 2, "-o");
  expect_failure({"--pack", "g.fa", "-o", "x.phg", "--region", "a"}, 2, "--pack");
}

TEST_F(CasoffGenome, IsRefusedWhenItIsDamaged) {
  const std::string fasta = random_fasta("ACGT", 5);
  write_file(directory_ / "cut.fa.gz", gzip(fasta).substr(0, 1000));
  write_file(directory_ / "cut.bgz", bgzip(fasta, 1000).substr(0, 900));
  write_file(directory_ / "g.fa", fasta);
  EXPECT_EQ(run({"--pack", "g.fa", "-o", "g.phg"}).exit_code, 0);
  const std::string packed = read_file(directory_ / "g.phg");
  write_file(directory_ / "cut.phg", packed.substr(0, packed.size() - 40));
  std::string changed = packed;
  changed[100] = static_cast<char>(changed[100] ^ 1);
  write_file(directory_ / "changed.phg", changed);
  const auto fails = [this](const std::string& genome, const std::string& text) {
    expect_failure({"--genome", genome, "--pattern", "NNNNNNRG", "--guide", "ACGTAC:3", "-o", "out.txt"}, 1, text);
  };
  fails("cut.fa.gz", "'cut.fa.gz' is cut short");
  fails("cut.bgz", "'cut.bgz' is cut short");
  fails("cut.phg", "'cut.phg' is damaged");
  fails("changed.phg", "'changed.phg' is damaged");
  fails("absent.fa", "cannot open 'absent.fa'");
}

TEST_F(CasoffGenome, MayConsistOfManySmallSequences) {
  std::string text;
  std::string expected;
  for (int i = 0; i < 700; ++i) {
    const std::string name = i == 350 ? std::string(300, 'n') : "scaffold_" + std::to_string(i);
    text += ">" + name + "\n" + (i % 3 == 0 ? "A" : i % 3 == 1 ? "acgtacGG" : "") + "\n";
    if (i % 3 == 1) {
      expected += "ACGTACNN\t" + name + "\t0\tACGTACGG\t+\t0\tg\n";
    }
  }
  write_file(directory_ / "g.fa", text);
  EXPECT_EQ(search("g.fa", {"--threads", "4"}).out, expected);
  EXPECT_EQ(run({"--pack", "g.fa", "-o", "g.phg"}).exit_code, 0);
  EXPECT_EQ(search("g.phg").out, expected);
}

/// A pipe that gives some of a genome and then stays open, as from a program that waits itself: an error ends the search at once.
TEST_F(CasoffGenome, ErrorsDoNotWaitForAnOpenPipe) {
  std::string letters;
  for (int line = 0; line < 20'000; ++line) {
    letters += std::string(79, "ACGT"[line % 4]) + "\n";
  }
  const std::string fine = ">a\n" + letters;
  const std::string malformed = ">a\nAC9T\n" + letters;
  const std::vector<std::string> search_words{"--pattern", "NNNNNNRG", "--guide", "ACGTAC:3", "--genome", "pipe"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), search_words.begin(), search_words.end());
    return more;
  };
  struct Case {
    std::string text;
    std::vector<std::string> arguments;
    std::string message;
  };
  for (const Case& one : std::vector<Case>{
           {fine, with({"--device", "4000"}), "4000"},
           {fine, with({"--device", "host", "--summary", "absent/summary"}), "absent/summary"},
           {malformed, with({"--device", "host", "--threads", "4"}), "pipe:2: '9'"},
           {malformed, with({"--device", "host", "--threads", "1"}), "pipe:2: '9'"},
           {gzip(malformed) + std::string(1'000'000, 'x'), with({"--device", "host", "--threads", "4"}), "pipe:2: '9'"},
           {malformed, {"--pack", "pipe", "-o", "g.phg", "--threads", "4"}, "pipe:2: '9'"},
       }) {
    SCOPED_TRACE(testing::PrintToString(one.arguments));
    ASSERT_EQ(mkfifo((directory_ / "pipe").c_str(), 0600), 0);
    std::vector<std::string> arguments{"casoff"};
    arguments.insert(arguments.end(), one.arguments.begin(), one.arguments.end());
    Process process(arguments, {.directory = directory_.path().string()});
    std::atomic<bool> has_ended = false;
    std::thread writer([&] {
      sigset_t pipe_signal;
      sigemptyset(&pipe_signal);
      sigaddset(&pipe_signal, SIGPIPE);
      pthread_sigmask(SIG_BLOCK, &pipe_signal, nullptr);
      const int descriptor = open((directory_ / "pipe").c_str(), O_RDWR | O_NONBLOCK);
      for (std::size_t done = 0; !has_ended;) {
        const ssize_t count = done == one.text.size() ? 0 : write(descriptor, one.text.data() + done, one.text.size() - done);
        done += count > 0 ? static_cast<std::size_t>(count) : 0;
        if (count <= 0) {
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
      }
      close(descriptor);
    });
    for (int tick = 0; tick < 6000 && process.running(); ++tick) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    const bool hangs = process.running();
    EXPECT_FALSE(hangs);
    if (hangs) {
      process.send_signal(SIGKILL);
    }
    const ProgramResult result = process.wait();
    has_ended = true;
    writer.join();
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_NE(result.err.find(one.message), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    std::filesystem::remove(directory_ / "pipe");
  }
}

}  // namespace
}  // namespace phpc::test
