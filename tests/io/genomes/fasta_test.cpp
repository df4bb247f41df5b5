#include "phpc/io/fasta.hpp"

#include <gtest/gtest.h>

#include <random>

#include "io/genomes/fasta_reader.hpp"
#include "phpc/core/error.hpp"
#include "support/fasta_oracle.hpp"
#include "support/genome_files.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::io {
namespace {

using test::CollectingConsumer;
using Sequences = std::vector<std::pair<std::string, std::string>>;

class Fasta : public testing::Test {
 protected:
  Sequences read(std::string_view text) {
    const std::string path = directory_ / "genome.fa";
    test::write_file(path, text);
    CollectingConsumer consumer;
    read_fasta(path, consumer, threads_);
    return consumer.sequences;
  }

  std::string error_of(std::string_view text) {
    try {
      read(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return error.what();
    }
    return "no error";
  }

  test::TemporaryDirectory directory_;
  int threads_ = 1;
};

TEST_F(Fasta, ReadsSequencesOfAnyLayout) {
  EXPECT_EQ(read(">a\nACGT\nacgt\n>b c\td\nNNN\n"), (Sequences{{"a", "ACGTACGT"}, {"b c\td", "NNN"}}));
  EXPECT_EQ(read(">a\r\nAC\r\nGT\r\n"), (Sequences{{"a", "ACGT"}}));
  EXPECT_EQ(read(">a x\rAC\rGT\r;no\r\r>b\rC"), (Sequences{{"a x", "ACGT"}, {"b", "C"}}));
  EXPECT_EQ(read("\n;comment\n\n>a\nAC\n; ACGT\n\nGT"), (Sequences{{"a", "ACGT"}}));
  EXPECT_EQ(read(">a\nAC GT \n\tA*-.\n"), (Sequences{{"a", "ACGTA*-."}}));
  EXPECT_EQ(read(">a\n>b\n\n>c"), (Sequences{{"a", ""}, {"b", ""}, {"c", ""}}));
  EXPECT_EQ(read(">\nA"), (Sequences{{"", "A"}}));
  EXPECT_EQ(read(""), Sequences{});
  EXPECT_EQ(read(";nothing\n\n"), Sequences{});
  const std::string name(300, 'n');
  EXPECT_EQ(read(">" + name + "\nA"), (Sequences{{name, "A"}}));
}

TEST_F(Fasta, ReadsLinesThatCrossBlocks) {
  constexpr unsigned seed = 3;
  std::mt19937_64 random(seed);
  for (const std::size_t width : {7U, 60U, 100'000U, 5'000'000U}) {
    threads_ = 1 + static_cast<int>(width % 4);
    std::string letters(3'500'000, 'A');
    for (char& letter : letters) {
      letter = "ACGTN"[random() % 5];
    }
    std::string text;
    Sequences expected;
    for (const std::string name : {"first", "second"}) {
      text += ">" + name + "\r\n";
      for (std::size_t at = 0; at < letters.size(); at += width) {
        text += letters.substr(at, width) + "\r\n";
      }
      expected.emplace_back(name, letters);
    }
    EXPECT_TRUE(read(text) == expected) << "width " << width;
  }
}

TEST_F(Fasta, NamesFileAndLineOfWhatIsMalformed) {
  EXPECT_NE(error_of("ACGT\n").find("genome.fa:1: sequence before the first header"), std::string::npos);
  EXPECT_NE(error_of("\n\nAC\n>a\n").find("genome.fa:3:"), std::string::npos);
  EXPECT_NE(error_of(">a\nAC\nA7C\n").find("genome.fa:3: '7'"), std::string::npos);
  EXPECT_NE(error_of(std::string(">a\nAC\n\nA\0C\n", 11)).find("genome.fa:4: byte 0x00"), std::string::npos);
  EXPECT_NE(error_of(">a\rACGT\r>b\rAC9T\r").find("genome.fa:4: '9'"), std::string::npos);
  EXPECT_NE(error_of(">a\nACGT\nAC>b\n").find("genome.fa:3: '>'"), std::string::npos);
  EXPECT_NE(error_of(std::string(">a\0b\nACGT", 9)).find("genome.fa:1: a zero byte"), std::string::npos);
  EXPECT_NE(error_of(">" + std::string(3 << 20, 'x')).find("longer than 1 MiB"), std::string::npos);
  std::mt19937_64 random(1);
  std::string rubbish = ">";
  for (int i = 0; i < 100'000; ++i) {
    rubbish += static_cast<char>(random());
  }
  EXPECT_NE(error_of(rubbish).find("genome.fa:"), std::string::npos);
}

TEST(FastaBlocks, GiveTheSameWhereverTheyAreCut) {
  constexpr unsigned seed = 17;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  int wrong = 0;
  for (int repeat = 0; repeat < 5000; ++repeat) {
    std::string text = random() % 4 == 0 ? "" : ">a\n";
    const std::size_t length = random() % 300;
    const bool malformed = random() % 3 == 0;
    while (text.size() < length) {
      const char* const parts[] = {"\n", "\r\n", "\r", ">", "\n>name\n", "\n;", " ", "\t", "\n\n", "ACGTN", "acgtx-*."};
      text += malformed && random() % 50 == 0 ? std::string(1, static_cast<char>(random()))
              : random() % 4 == 0             ? parts[random() % 11]
                                              : std::string(random() % 90, "ACGTNXacgtn"[random() % 11]);
      if (!malformed && text.ends_with('>') && text.size() > 1 && text[text.size() - 2] != '\n' &&
          text[text.size() - 2] != '\r') {
        text.pop_back();
      }
    }
    const test::FastaContent expected = test::oracle_fasta(text);
    wrong += expected.wrong_line > 0 ? 1 : 0;
    test::MemoryText source(text, 1 + random() % (text.size() + 1));
    CollectingConsumer consumer;
    try {
      read_fasta(source, consumer, 1 + repeat % 3);
      EXPECT_EQ(expected.wrong_line, 0U) << text;
      EXPECT_EQ(consumer.sequences, expected.sequences) << text;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find("memory.fa:" + std::to_string(expected.wrong_line) + ":"), 0U)
          << error.what() << '\n'
          << text;
    }
  }
  EXPECT_GT(wrong, 500);
  EXPECT_LT(wrong, 4500);
}

}  // namespace
}  // namespace phpc::io
