#include "phpc/io/packed_genome.hpp"

#include <gtest/gtest.h>

#include <random>

#include "phpc/core/error.hpp"
#include "support/genome_files.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::io {
namespace {

using Sequences = std::vector<std::pair<std::string, std::string>>;

class PackedGenome : public testing::Test {
 protected:
  /// The file of sequences, given to the writer in blocks of random sizes, as letters or packed.
  std::string pack(const Sequences& sequences, unsigned seed = 0) {
    std::mt19937_64 random(seed);
    OutputFile out(directory_ / "g.phg");
    PackedGenomeWriter writer(out);
    for (const auto& [name, letters] : sequences) {
      writer.begin_sequence(name);
      for (std::size_t at = 0; at < letters.size();) {
        const std::string_view block = std::string_view(letters).substr(at, 1 + random() % 800'000);
        std::vector<BaseWord> words(static_cast<std::size_t>(base_words(static_cast<index_t>(block.size()))));
        if (pack_bases(block, words.data()) > 0 || random() % 2 == 0) {
          writer.letters(block);
        } else {
          writer.bases(words, static_cast<index_t>(block.size()));
        }
        at += block.size();
      }
      writer.end_sequence();
    }
    writer.finish();
    out.commit();
    return test::read_file(directory_ / "g.phg");
  }

  Sequences read(std::string_view bytes, int threads = 1) {
    test::write_file(directory_ / "h.phg", bytes);
    const InputFile file(directory_ / "h.phg");
    test::CollectingConsumer consumer;
    read_packed_genome(file, consumer, threads);
    return consumer.sequences;
  }

  std::string error_of(std::string_view bytes) {
    try {
      read(bytes);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_NE(std::string(error.what()).find("h.phg"), std::string::npos);
      return error.what();
    }
    return "";
  }

  test::TemporaryDirectory directory_;
};

Sequences random_sequences(unsigned seed, std::size_t longest, std::string_view alphabet) {
  std::mt19937_64 random(seed);
  Sequences sequences;
  for (int i = 0; i < 5; ++i) {
    std::string letters(random() % (longest + 1), ' ');
    for (char& letter : letters) {
      letter = alphabet[random() % alphabet.size()];
    }
    sequences.emplace_back("chr" + std::to_string(i) + "\tof tabs", letters);
  }
  sequences.emplace_back("", "A");
  sequences.emplace_back(std::string(300, 'n'), "");
  return sequences;
}

TEST_F(PackedGenome, KeepsEveryLetter) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    for (const std::string_view alphabet : {"ACGT", "ACGTN", "ACGTRYKMSWBDHVNUX-*."}) {
      const Sequences sequences = random_sequences(seed, seed % 4 == 0 ? 2'500'000 : 300, alphabet);
      EXPECT_TRUE(read(pack(sequences, seed), 1 + static_cast<int>(seed % 3)) == sequences) << "seed " << seed << ' ' << alphabet;
    }
  }
  EXPECT_EQ(read(pack({})), Sequences{});
}

TEST_F(PackedGenome, TakesAQuarterOfAByteABase) {
  const std::string file = pack({{"a", std::string(3'000'000, 'A')}, {"b", "GGG"}});
  EXPECT_LT(file.size(), 751'000U);
  std::string letters(3'000'000, 'A');
  for (std::size_t at = 50; at < letters.size(); at += 10'000) {
    letters.replace(at, 100, std::string(100, 'N'));
  }
  const std::string with_n = pack({{"a", letters}});
  EXPECT_LT(with_n.size(), 760'000U);
  EXPECT_TRUE(read(with_n) == (Sequences{{"a", letters}}));
}

TEST_F(PackedGenome, HoldsManyShortSequences) {
  Sequences sequences;
  for (int i = 0; i < 10'000; ++i) {
    sequences.emplace_back("scaffold" + std::to_string(i), std::string(static_cast<std::size_t>(i % 70), "ACGTN"[i % 5]));
  }
  const std::string file = pack(sequences);
  EXPECT_TRUE(read(file, 1) == sequences);
  EXPECT_TRUE(read(file, 3) == sequences);
}

TEST_F(PackedGenome, RefusesEveryTruncationAndEveryChange) {
  const std::string whole = pack({{"a", "ACGTNNNNACGTACGTACGT"}, {"b", "NNACGT"}, {"c", "ACGTUX"}, {"d", "ACGTACGT"}});
  for (std::size_t length = 8; length < whole.size(); ++length) {
    EXPECT_NE(error_of(whole.substr(0, length)), "") << length;
  }
  EXPECT_NE(error_of(whole + "x"), "");
  for (std::size_t at = 8; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    const bool means_nothing = (at >= 12 && at < 16) || (at >= whole.size() - 12 && at < whole.size() - 8);
    EXPECT_EQ(error_of(changed).empty(), means_nothing) << "byte " << at << " of " << whole.size();
  }
  std::string newer = whole;
  newer[8] = 2;
  EXPECT_NE(error_of(newer).find("version 2"), std::string::npos);
}

}  // namespace
}  // namespace phpc::io
