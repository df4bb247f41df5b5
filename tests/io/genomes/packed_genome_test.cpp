#include "phpc/io/packed_genome.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <functional>
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

template <class T>
T number_at(const std::string& bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

void put_at(std::string& bytes, std::size_t at, const auto& value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

std::uint32_t sum_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

/// A file of one section with other data, of the same size, and sums that fit them.
std::string with_data(std::string file, const std::function<void(std::string& data)>& change) {
  constexpr std::size_t header = 16;
  const auto index = static_cast<std::size_t>(number_at<std::uint64_t>(file, file.size() - 32));
  const auto index_bytes = static_cast<std::size_t>(number_at<std::uint64_t>(file, file.size() - 24));
  std::string data = file.substr(header, index - header);
  change(data);
  file.replace(header, data.size(), data);
  put_at(file, index + 16 + 12, sum_of(data));
  put_at(file, file.size() - 16, sum_of(file.substr(index, index_bytes)));
  return file;
}

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

/// Ambiguous bases without a plane, the sums right: a bit after the last base must not make up for them.
TEST_F(PackedGenome, RefusesBasesWithoutALetterWhateverFollowsThem) {
  const std::string whole = pack({{"a", std::string(63, 'R') + std::string(7, 'Y')}});
  EXPECT_EQ(read(with_data(whole, [](std::string&) {})).size(), 1U);
  for (const std::size_t base : {0U, 63U, 64U, 69U}) {
    for (const std::size_t padding : {70U, 127U}) {
      const std::string crafted = with_data(whole, [&](std::string& data) {
        ASSERT_EQ(data.size(), 64U);
        for (std::size_t plane = 0; plane < 4; ++plane) {
          const std::size_t at = base / 64 * 32 + plane * 8 + base % 64 / 8;
          data[at] = static_cast<char>(data[at] & ~(1 << base % 8));
        }
        const std::size_t at = padding / 64 * 32 + padding % 64 / 8;
        data[at] = static_cast<char>(data[at] | 1 << padding % 8);
      });
      EXPECT_NE(error_of(crafted).find("no bases"), std::string::npos) << base << ' ' << padding;
    }
  }
}

/// Runs of N that cover each other would cost their number times the section.
TEST_F(PackedGenome, RefusesRunsOfNThatOverlap) {
  const std::string whole = pack({{"a", "NNACGTACGTNN" + std::string(500, 'A') + "N"}});
  const auto with_run = [&](std::size_t number, std::uint32_t first, std::uint32_t length) {
    return with_data(whole, [&](std::string& data) {
      ASSERT_EQ(data.size(), 9 * 16 + 3 * 8U);
      put_at(data, 9 * 16 + 8 * number, first);
      put_at(data, 9 * 16 + 8 * number + 4, length);
    });
  };
  EXPECT_EQ(error_of(with_run(1, 2, 3)), "");
  EXPECT_NE(error_of(with_run(1, 1, 3)).find("overlap"), std::string::npos);
  EXPECT_NE(error_of(with_run(2, 9, 504)).find("overlap"), std::string::npos);
  EXPECT_NE(error_of(with_run(2, 512, 2)).find("beyond"), std::string::npos);
  EXPECT_NE(error_of(with_run(2, 512, 0xffffffffU)).find("beyond"), std::string::npos);
}

}  // namespace
}  // namespace phpc::io
