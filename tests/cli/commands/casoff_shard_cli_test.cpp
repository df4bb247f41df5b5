// casoff --shard: parts that merge makes the same bytes of as one run writes.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>

#include "support/compressed.hpp"
#include "support/genome_files.hpp"
#include "support/process.hpp"

namespace phpc::test {
namespace {

class CasoffShards : public testing::Test {
 protected:
  ProgramResult run(std::vector<std::string> arguments, ProgramSetting setting = {}) {
    setting.directory = directory_.path().string();
    return run_program(arguments, setting);
  }

  ProgramResult search(const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"casoff",  "--device",   "host",    "--pattern", "NNNNNNRG",
                                       "--guide", "ACGTAC:3:g", "--guide", "TTGACA:2:h"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  static std::string part(int index, int count) {
    char name[40];
    std::snprintf(name, sizeof name, "rows.part-%05d-of-%05d", index, count);
    return name;
  }

  ProgramResult merge(int count, const std::string& output) {
    std::vector<std::string> arguments{"merge"};
    for (int i = 0; i < count; ++i) {
      arguments.push_back(part(i, count));
    }
    arguments.insert(arguments.end(), {"-o", output});
    return run(arguments);
  }

  /// Searches all shares of `count`, merges them and compares with one run of the whole.
  void expect_equal(std::vector<std::string> arguments, const std::vector<int>& counts, std::size_t least_rows = 20) {
    // A file's header tells the command line, and so the output is called the same.
    arguments.insert(arguments.end(), {"-o", "rows"});
    const ProgramResult one = search(arguments);
    ASSERT_EQ(one.exit_code, 0) << one.err;
    const std::string whole = read_file(directory_ / "rows");
    EXPECT_GE(static_cast<std::size_t>(std::count(whole.begin(), whole.end(), '\n')), least_rows);
    for (const int count : counts) {
      for (int i = 0; i < count; ++i) {
        std::vector<std::string> share = arguments;
        share.insert(share.end(), {"--shard", std::to_string(i) + "/" + std::to_string(count)});
        const ProgramResult result = search(share);
        ASSERT_EQ(result.exit_code, 0) << result.err;
      }
      const ProgramResult merged = merge(count, "merged");
      ASSERT_EQ(merged.exit_code, 0) << merged.err;
      EXPECT_EQ(read_file(directory_ / "merged"), whole) << count << " shares";
      for (int i = 0; i < count; ++i) {
        std::filesystem::remove(directory_ / part(i, count));
      }
    }
  }

  using Sequences = std::vector<std::pair<std::string, std::string>>;

  static Sequences random_genome(unsigned seed, std::string_view alphabet = "ACGTACGTacgtN") {
    std::mt19937_64 random(seed);
    Sequences sequences;
    for (const int length : {900, 3, 0, 2100, 1, 700}) {
      sequences.emplace_back("seq" + std::to_string(sequences.size()) + " of the test", "");
      for (int i = 0; i < length; ++i) {
        sequences.back().second += alphabet[random() % alphabet.size()];
      }
    }
    sequences.emplace_back("seq3 again", sequences[3].second);
    return sequences;
  }

  static std::string fasta(const Sequences& sequences) {
    std::string text;
    for (const auto& [name, letters] : sequences) {
      text += ">" + name + "\n" + letters + "\n";
    }
    return text;
  }

  TemporaryDirectory directory_;
};

TEST_F(CasoffShards, MakeTheWholeInEveryFormat) {
  write_file(directory_ / "g.fa", fasta(random_genome(1)));
  write_file(directory_ / "f.bed", "seq0\t100\t700\tone\nseq3\t0\t1500\ttwo\n");
  for (const std::string format : {"cas-offinder", "cas-offinder3", "tsv", "bed", "sam", "vcf", "jsonl"}) {
    SCOPED_TRACE(format);
    expect_equal({"--genome", "g.fa", "--format", format, "--annotate", "f.bed"}, {1, 3, 4, 7});
  }
}

TEST_F(CasoffShards, MakeTheWholeOfAllAlignments) {
  constexpr unsigned seed = 2;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  write_file(directory_ / "g.fa", fasta(random_genome(seed)));
  for (const std::string mode : {"single", "mixed"}) {
    expect_equal({"--genome", "g.fa", "--dna-bulge", "2", "--rna-bulge", "1", "--bulge-mode", mode}, {2, 5});
    expect_equal({"--genome", "g.fa", "--dna-bulge", "2", "--rna-bulge", "1", "--bulge-mode", mode, "--best-per-locus"}, {3, 11});
  }
}

TEST_F(CasoffShards, MakeTheWholeOfRegions) {
  write_file(directory_ / "g.fa", fasta(random_genome(3)));
  // Twice a sequence of that name; regions that touch and that lie apart.
  expect_equal({"--genome", "g.fa", "--region", "seq3:100-420", "--region", "seq3:421-600", "--region", "seq3:900-1000",
                "--region", "seq0:500", "--region", "seq2", "--chrom-name", "first-word"},
               {1, 2, 5, 9});
  const ProgramResult unknown = search({"--genome", "g.fa", "--region", "seq9", "-o", "rows", "--shard", "0/2"});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_NE(unknown.err.find("no sequence for the region 'seq9'"), std::string::npos) << unknown.err;
}

TEST_F(CasoffShards, MakeTheWholeOfEveryKindOfFile) {
  const Sequences genome = random_genome(4);
  const std::string text = fasta(genome);
  write_file(directory_ / "g.fa.gz", gzip(text));
  write_file(directory_ / "g.bgz", bgzip(text, 1000));
  write_file(directory_ / "g.2bit", make_twobit(genome, ByteOrder::big));
  ASSERT_EQ(run({"casoff", "--pack", "g.bgz", "-o", "g.phg"}).exit_code, 0);
  for (const std::string name : {"g.fa.gz", "g.bgz", "g.2bit", "g.phg"}) {
    SCOPED_TRACE(name);
    expect_equal({"--genome", name}, {2, 5});
  }
  std::filesystem::create_directory(directory_ / "folder");
  write_file(directory_ / "folder/a.2bit", make_twobit(genome, ByteOrder::little));
  write_file(directory_ / "folder/b.fa", text);
  std::filesystem::copy(directory_ / "g.phg", directory_ / "folder/c.phg");
  expect_equal({"--genome", "folder", "--threads", "1"}, {1, 4});
  expect_equal({"--genome", "folder", "--threads", "3"}, {7});
}

/// Sections of packed genomes are not read where nobody wants them: one that is damaged is noticed by its own share alone.
TEST_F(CasoffShards, ReadTheirOwnPartOfPackedGenomes) {
  std::string letters(5'000'000, 'A');
  for (std::size_t i = 0; i < letters.size(); i += 100'000) {
    letters.replace(i, 8, "ACGTACGG");
  }
  write_file(directory_ / "g.fa", fasta({{"a", letters}, {"b", letters}}));
  ASSERT_EQ(run({"casoff", "--pack", "g.fa", "-o", "g.phg"}).exit_code, 0);
  expect_equal({"--genome", "g.phg"}, {3, 10}, 100);
  std::string bytes = read_file(directory_ / "g.phg");
  bytes[2'000'000] ^= 1;  // in the second sequence
  write_file(directory_ / "g.phg", bytes);
  EXPECT_EQ(search({"--genome", "g.phg", "-o", "rows", "--shard", "0/2"}).exit_code, 0);
  EXPECT_EQ(search({"--genome", "g.phg", "-o", "rows", "--shard", "1/2"}).exit_code, 1);
}

TEST_F(CasoffShards, AreEmptyWhereThereIsNothingLeft) {
  write_file(directory_ / "g.fa", ">a\nACGTACGGACGTACGG\n>b\n\n>c\nACGTACAG\n");
  expect_equal({"--genome", "g.fa"}, {24, 40}, 3);
}

TEST_F(CasoffShards, AreRefusedWhereThereIsNoShare) {
  write_file(directory_ / "g.fa", ">a\nACGTACGGACGTACGG\n");
  const std::vector<std::string> before = directory_.entries();
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& why) {
    const ProgramResult result = search(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.err.find(why), std::string::npos) << result.err;
  };
  refused({"--genome", "g.fa", "--shard", "0/2"}, "give -o FILE");
  refused({"--genome", "-", "-o", "rows", "--shard", "0/2"}, "standard input");
  refused({"--genome", "/dev/null", "-o", "rows", "--shard", "0/2"}, "a pipe");
  refused({"--genome", "g.fa", "-o", "rows", "--shard", "0/2", "--summary", "s"}, "--summary and --plot");
  refused({"--genome", "g.fa", "-o", "rows", "--shard", "0/2", "--plot", "s"}, "--summary and --plot");
  refused({"--genome", "g.fa", "-o", "rows", "--shard", "2/2"}, "is no share");
  EXPECT_EQ(run({"casoff", "--pack", "g.fa", "-o", "rows", "--shard", "0/2"}).exit_code, 2);
  EXPECT_EQ(directory_.entries(), before);
}

TEST_F(CasoffShards, OfOtherSearchesAreForeign) {
  write_file(directory_ / "g.fa", fasta(random_genome(5)));
  ASSERT_EQ(search({"--genome", "g.fa", "-o", "rows", "--shard", "0/2"}).exit_code, 0);
  const std::vector<std::string> second{"--genome", "g.fa", "-o", "rows", "--shard", "1/2", "--resume"};
  ASSERT_EQ(search(second).exit_code, 0);
  EXPECT_NE(search(second).err.find("nothing to do"), std::string::npos);
  for (const std::vector<std::string>& other :
       std::vector<std::vector<std::string>>{{"--dna-bulge", "1"}, {"--guide", "AAAAAA:1:i"}, {"--format", "bed"}}) {
    std::vector<std::string> arguments = second;
    arguments.insert(arguments.end(), other.begin(), other.end());
    EXPECT_EQ(search(arguments).err.find("nothing to do"), std::string::npos);
    const ProgramResult merged = merge(2, "merged");
    EXPECT_EQ(merged.exit_code, 1);
    EXPECT_NE(merged.err.find("are no parts of one job"), std::string::npos) << merged.err;
  }
  // Another genome of the same size.
  std::string text = read_file(directory_ / "g.fa");
  text[200] = text[200] == 'A' ? 'C' : 'A';
  write_file(directory_ / "g.fa", text);
  ASSERT_EQ(search(second).exit_code, 0);
  EXPECT_NE(merge(2, "merged").err.find("genome: "), std::string::npos);
}

/// SIGUSR1 between two chunks of a genome.
TEST_F(CasoffShards, AreStoppedAndGoOn) {
  constexpr index_t bases = index_t{5} << 26;
  // One sequence of Ts, which take no place on the disk, and among them random bases, at the chunks' ends too.
  std::string head("\x43\x27\x41\x1a\0\0\0\0\x01\0\0\0\0\0\0\0\x01t\x16\0\0\0", 22);
  for (const index_t number : {bases, index_t{0}, index_t{0}, index_t{0}}) {
    for (int byte = 0; byte < 4; ++byte) {
      head += static_cast<char>(number >> 8 * byte & 0xff);
    }
  }
  write_file(directory_ / "g.2bit", head);
  std::filesystem::resize_file(directory_ / "g.2bit", head.size() + bases / 4);
  std::mt19937_64 random(7);
  std::fstream file(directory_ / "g.2bit", std::ios::in | std::ios::out | std::ios::binary);
  for (index_t at = 0; at + 8192 < bases / 4; at += (index_t{1} << 22) - 777) {
    file.seekp(static_cast<std::streamoff>(head.size()) + at);
    for (int i = 0; i < 2000; ++i) {
      file.put(static_cast<char>(random()));
    }
  }
  file.close();
  ASSERT_EQ(search({"--genome", "g.2bit", "-o", "whole"}).exit_code, 0);
  const std::vector<std::string> arguments{"casoff",     "--device", "host",       "--pattern", "NNNNNNRG",  "--guide",
                                           "ACGTAC:3:g", "--guide",  "TTGACA:2:h", "--genome",  "g.2bit",    "-o",
                                           "rows",       "--shard",  "0/1",        "--resume",  "--threads", "1"};
  const std::vector<std::string> before = directory_.entries();
  Process first(arguments, {.directory = directory_.path().string()});
  // A temporary is there once the signal is caught.
  while (first.running() && directory_.entries().size() == before.size()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  first.send_signal(SIGUSR1);
  const ProgramResult stopped = first.wait();
  ASSERT_EQ(stopped.exit_code, 75) << stopped.err;
  EXPECT_NE(stopped.err.find("go on with --resume"), std::string::npos) << stopped.err;
  EXPECT_TRUE(std::filesystem::exists(directory_ / (part(0, 1) + ".checkpoint")));
  EXPECT_EQ(directory_.entries().size(), before.size() + 1);
  const ProgramResult resumed = run(arguments);
  EXPECT_EQ(resumed.exit_code, 0);
  EXPECT_NE(resumed.err.find("goes on at bases "), std::string::npos) << resumed.err;
  ASSERT_EQ(merge(1, "merged").exit_code, 0);
  EXPECT_EQ(read_file(directory_ / "merged"), read_file(directory_ / "whole"));
}

}  // namespace
}  // namespace phpc::test
