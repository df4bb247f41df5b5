#include "phpc/io/twobit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <fstream>
#include <random>

#include "phpc/core/error.hpp"
#include "support/genome_files.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::io {
namespace {

using test::ByteOrder;
using Sequences = std::vector<std::pair<std::string, std::string>>;

Sequences upper(Sequences sequences) {
  for (auto& [name, letters] : sequences) {
    for (char& letter : letters) {
      letter = static_cast<char>(std::toupper(letter));
    }
  }
  return sequences;
}

class Twobit : public testing::Test {
 protected:
  Sequences read(std::string_view bytes) {
    const std::string path = directory_ / "genome.2bit";
    test::write_file(path, bytes);
    const InputFile file(path);
    test::CollectingConsumer consumer;
    read_twobit(file, consumer, threads_);
    return consumer.sequences;
  }

  /// The error's text, or "" when the file was read.
  std::string error_of(std::string_view bytes) {
    try {
      read(bytes);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return error.what();
    }
    return "";
  }

  Sequences random_sequences(unsigned seed) {
    std::mt19937_64 random(seed);
    Sequences sequences;
    for (int i = 0; i < 6; ++i) {
      std::string letters(random() % 300, ' ');
      for (char& letter : letters) {
        letter = "ACGTACGTacgtNNn"[random() % 15];
      }
      sequences.emplace_back("chr" + std::to_string(i), letters);
    }
    sequences.emplace_back("chromosome without letters", "");
    sequences.emplace_back(std::string(255, 'x'), "ACGTN");
    return sequences;
  }

  test::TemporaryDirectory directory_;
  int threads_ = 1;
};

TEST_F(Twobit, ReadsBothByteOrdersAndVersions) {
  for (unsigned seed = 0; seed < 8; ++seed) {
    const Sequences sequences = random_sequences(seed);
    for (const ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
      for (const std::uint32_t version : {0U, 1U}) {
        threads_ = 1 + static_cast<int>(seed % 4);
        EXPECT_EQ(read(make_twobit(sequences, order, version)), upper(sequences)) << "seed " << seed << ", version " << version;
      }
    }
  }
}

TEST_F(Twobit, ReadsNBlocksThatCrossTheReadersBlocks) {
  std::string letters(2'500'003, 'G');
  letters.replace(1'048'000, 1'100'000, std::string(1'100'000, 'N'));
  letters.replace(2'400'000, 100'003, std::string(100'003, 'N'));
  letters.replace(0, 5, "NNNNN");
  const Sequences sequences = {{"long", letters}};
  EXPECT_TRUE(read(make_twobit(sequences, ByteOrder::little)) == sequences);
}

/// `whole`, a file of one sequence of one letter in its name and no N, with these N blocks (start, size).
std::string with_blocks(std::string whole, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& blocks) {
  constexpr std::size_t count_at = 16 + 1 + 1 + 4 + 4;
  std::string text(4 + 8 * blocks.size(), '\0');
  const auto put = [&text](std::size_t number, std::size_t value) {
    const auto small = static_cast<std::uint32_t>(value);
    std::memcpy(text.data() + 4 * number, &small, sizeof small);
  };
  put(0, blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    put(1 + i, blocks[i].first);
    put(1 + blocks.size() + i, blocks[i].second);
  }
  return whole.replace(count_at, 4, text);
}

TEST_F(Twobit, ReadsNBlocksInAnyOrderThatOverlap) {
  constexpr unsigned seed = 3;
  std::mt19937_64 random(seed);
  for (int round = 0; round < 50; ++round) {
    std::string letters(random() % 300 + 1, 'C');
    const std::string whole = make_twobit({{"a", letters}}, ByteOrder::little);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> blocks(random() % 12);
    for (auto& [start, size] : blocks) {
      start = static_cast<std::uint32_t>(random() % letters.size());
      size = static_cast<std::uint32_t>(random() % std::min<std::size_t>(letters.size() - start + 1, 40));
      letters.replace(start, size, std::string(size, 'N'));
    }
    EXPECT_EQ(read(with_blocks(whole, blocks)), (Sequences{{"a", letters}})) << "round " << round;
  }
}

/// 400 000 blocks of 3.7 MB that all cover the sequence cost no more than one.
TEST_F(Twobit, ReadsManyNBlocksThatOverlapInNoTime) {
  constexpr std::uint32_t bases = 1 << 21;
  const std::string letters(bases, 'G');
  std::vector<std::pair<std::uint32_t, std::uint32_t>> blocks;
  for (std::uint32_t i = 0; i < 400'000; ++i) {
    blocks.emplace_back(i, bases - i);
  }
  const std::string file = with_blocks(make_twobit({{"a", letters}}, ByteOrder::little), blocks);
  const std::clock_t before = std::clock();
  EXPECT_TRUE(read(file) == (Sequences{{"a", std::string(bases, 'N')}}));
  EXPECT_LT(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC, 5);
}

TEST_F(Twobit, ReadsBeyondFourGigabytes) {
  // The record of the one sequence is moved behind a hole of 5 GiB, which takes no space on the disk.
  constexpr std::uint64_t far = std::uint64_t{5} << 30;
  const Sequences sequences = {{"far", "ACGTNNACGT"}};
  std::string whole = test::make_twobit(sequences, ByteOrder::little, 1);
  constexpr std::size_t offset_at = 16 + 1 + 3;
  constexpr std::size_t record_at = offset_at + 8;
  std::memcpy(whole.data() + offset_at, &far, sizeof far);
  const std::string path = directory_ / "far.2bit";
  {
    std::ofstream file(path, std::ios::binary);
    file << whole.substr(0, record_at);
    file.seekp(static_cast<std::streamoff>(far));
    file << whole.substr(record_at);
  }
  const InputFile file(path);
  test::CollectingConsumer consumer;
  read_twobit(file, consumer, 2);
  EXPECT_EQ(consumer.sequences, sequences);
}

TEST_F(Twobit, RefusesSequencesThatShareTheirBases) {
  std::string whole = test::make_twobit({{"a", std::string(400, 'A')}, {"b", "ACGT"}}, ByteOrder::little);
  whole.replace(16 + 6 + 2, 4, whole.substr(16 + 2, 4));  // b's offset is a's
  EXPECT_NE(error_of(whole).find("overlap"), std::string::npos);
}

TEST_F(Twobit, RefusesEveryTruncation) {
  const std::string whole = make_twobit({{"a", "ACGTNNNNacgtACGTACGT"}, {"b", "NNACGT"}}, ByteOrder::little);
  for (std::size_t length = 4; length < whole.size(); ++length) {
    EXPECT_NE(error_of(whole.substr(0, length)).find("genome.2bit"), std::string::npos) << "length " << length;
  }
}

TEST_F(Twobit, RefusesAnIndexThatLies) {
  const std::string whole = make_twobit({{"a", "ACGTNNNNacgtACGTACGT"}}, ByteOrder::little);
  std::string lying = whole;
  lying.replace(16 + 2, 4, std::string("\xff\xff\xff\x7f", 4));
  EXPECT_NE(error_of(lying).find("ends within"), std::string::npos);
  lying = whole;
  lying.replace(8, 4, std::string("\xff\xff\xff\xff", 4));
  EXPECT_NE(error_of(lying).find("the index"), std::string::npos);
  lying = whole;
  lying.replace(4, 4, std::string("\x05\0\0\0", 4));
  EXPECT_NE(error_of(lying).find("version 5"), std::string::npos);
  lying = whole;
  lying.replace(22, 4, std::string("\xff\xff\xff\xff", 4));  // the number of bases
  EXPECT_NE(error_of(lying), "");
  lying = whole;
  lying.replace(26, 4, std::string("\xff\xff\xff\xff", 4));  // the number of N blocks
  EXPECT_NE(error_of(lying).find("N blocks"), std::string::npos);
  lying = whole;
  lying.replace(34, 4, std::string("\xff\xff\0\0", 4));  // the size of the N block
  EXPECT_NE(error_of(lying).find("beyond the sequence"), std::string::npos);
}

TEST_F(Twobit, RefusesAnOffsetThatNoFileHas) {
  const std::string whole = test::make_twobit({{"a", "ACGT"}}, ByteOrder::little, 1);
  for (const char high : {'\x7f', '\xff', '\x01'}) {
    std::string lying = whole;
    lying[16 + 2 + 7] = high;
    EXPECT_NE(error_of(lying).find("ends within sequence 'a'"), std::string::npos);
  }
}

TEST_F(Twobit, SurvivesAnyChangedByte) {
  const std::string whole = make_twobit({{"a", "ACGTNNNNacgtACGTACGT"}, {"b", "NNACGT"}}, ByteOrder::big);
  constexpr unsigned seed = 11;
  std::mt19937_64 random(seed);
  for (int repeat = 0; repeat < 300; ++repeat) {
    std::string changed = whole;
    for (int change = 0; change < 3; ++change) {
      changed[4 + random() % (changed.size() - 4)] = static_cast<char>(random());
    }
    error_of(changed);  // read or refused, and nothing else
  }
}

}  // namespace
}  // namespace phpc::io
