#include "jobs/casoff/genome_reader.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "phpc/core/error.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::jobs {
namespace {

class GenomeReaderTest : public testing::Test {
 protected:
  void write(const std::vector<std::pair<std::string, std::string>>& sequences) {
    std::string text;
    for (const auto& [name, letters] : sequences) {
      text += ">" + name + "\n" + letters + "\n";
    }
    test::write_file(directory_ / "g.fa", text);
  }

  io::GenomeSource source() {
    return {directory_ / "g.fa", [](const std::string&) {}};
  }

  test::TemporaryDirectory directory_;
};

/// All windows of `length` letters, by sequence and position, each of which must come once.
std::map<std::pair<index_t, index_t>, std::string> windows_of(GenomeReader& reader, int length) {
  std::map<std::pair<index_t, index_t>, std::string> windows;
  reader.for_each_chunk([&](const GenomeReader::Chunk& chunk) {
    for (const casoff::Piece& piece : chunk->pieces()) {
      EXPECT_LT(piece.contig, static_cast<index_t>(reader.names().size()));
      for (index_t i = 0; i + length <= piece.length; ++i) {
        std::string window;
        for (index_t k = 0; k < length; ++k) {
          window += chunk->letter(piece.offset + i + k);
        }
        EXPECT_TRUE(windows.insert({{piece.contig, piece.first + i}, window}).second);
      }
    }
  });
  return windows;
}

TEST_F(GenomeReaderTest, DeliversTheWindowsOfRegionsOnly) {
  constexpr unsigned seed = 12;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  for (int repeat = 0; repeat < 60; ++repeat) {
    std::vector<std::pair<std::string, std::string>> sequences;
    for (int i = 0; i < 4; ++i) {
      std::string letters(1 + random() % 600, ' ');
      for (char& letter : letters) {
        letter = "ACGTNRX"[random() % (repeat % 2 == 0 ? 6 : 7)];
      }
      sequences.emplace_back("s" + std::to_string(i) + " and more", letters);
    }
    write(sequences);
    GenomeReaderOptions options{
        .chunk_bases = 128, .overlap = 4, .threads = 1 + repeat % 3, .names = SequenceNames::first_word, .regions = {}};
    std::vector<std::set<index_t>> wanted(sequences.size());
    for (std::size_t region = 0; region < static_cast<std::size_t>(repeat) % 5; ++region) {
      const std::size_t sequence = random() % sequences.size();
      const auto length = static_cast<index_t>(sequences[sequence].second.size());
      const auto from = 1 + static_cast<index_t>(random() % static_cast<std::uint64_t>(length));
      const auto to = from + static_cast<index_t>(random() % 300);
      options.regions.push_back("s" + std::to_string(sequence) + ":" + std::to_string(from) + "-" + std::to_string(to));
      for (index_t base = from - 1; base < std::min(to, length); ++base) {
        wanted[sequence].insert(base);
      }
    }
    std::map<std::pair<index_t, index_t>, std::string> expected;
    index_t bases = 0;
    for (std::size_t sequence = 0; sequence < sequences.size(); ++sequence) {
      const std::string& letters = sequences[sequence].second;
      for (std::size_t at = 0; at < letters.size(); ++at) {
        const auto is_wanted = [&](std::size_t base) {
          return options.regions.empty() || wanted[sequence].contains(static_cast<index_t>(base));
        };
        bases += is_wanted(at) ? 1 : 0;
        bool whole = at + 5 <= letters.size();
        for (std::size_t base = at; whole && base < at + 5; ++base) {
          whole = is_wanted(base);
        }
        if (whole) {
          expected[{static_cast<index_t>(sequence), static_cast<index_t>(at)}] = letters.substr(at, 5);
        }
      }
    }
    const io::GenomeSource genome = source();
    GenomeReader reader(genome, options);
    EXPECT_EQ(windows_of(reader, 5), expected);
    EXPECT_EQ(reader.bases(), bases);
    EXPECT_EQ(reader.names(), (std::vector<std::string>{"s0", "s1", "s2", "s3"}));
    ASSERT_EQ(reader.lengths().size(), sequences.size());
    for (std::size_t sequence = 0; sequence < sequences.size(); ++sequence) {
      EXPECT_EQ(reader.lengths()[sequence], static_cast<index_t>(sequences[sequence].second.size()));
    }
  }
}

TEST_F(GenomeReaderTest, ThrowsWhatReadingThrewAfterWhatCameBefore) {
  write({{"a", std::string(1000, 'A')}, {"b", "AC7"}});
  const io::GenomeSource genome = source();
  GenomeReader reader(genome, {.chunk_bases = 128, .overlap = 0, .threads = 2, .regions = {}});
  index_t bases = 0;
  EXPECT_THROW(reader.for_each_chunk([&](const GenomeReader::Chunk& chunk) { bases += chunk->new_bases(); }), Error);
  EXPECT_LE(bases, 1000);
}

TEST_F(GenomeReaderTest, StopsWhenNobodyWantsMore) {
  write({{"a", std::string(3'000'000, 'A')}});
  const io::GenomeSource genome = source();
  {
    const GenomeReader unread(genome, {.chunk_bases = 128, .overlap = 0, .threads = 2, .regions = {}});
  }
  GenomeReader reader(genome, {.chunk_bases = 128, .overlap = 0, .threads = 2, .regions = {}});
  EXPECT_THROW(reader.for_each_chunk([](const GenomeReader::Chunk&) { throw std::runtime_error("enough"); }), std::runtime_error);
}

TEST_F(GenomeReaderTest, LetsOneChunkBeKept) {
  write({{"s", std::string(5000, 'A')}});
  const io::GenomeSource genome = source();
  std::vector<GenomeReader::Chunk> kept;
  index_t bases = 0;
  {
    GenomeReader reader(genome, {.chunk_bases = 128, .overlap = 4, .threads = 1, .regions = {}});
    reader.for_each_chunk([&](const GenomeReader::Chunk& chunk) {
      EXPECT_EQ(chunk->letter(0), 'A');
      if (!kept.empty()) {
        EXPECT_EQ(kept.front()->letter(0), 'A');
        EXPECT_NE(kept.front(), chunk);
        kept.clear();
      }
      kept.push_back(chunk);
      bases += chunk->new_bases();
    });
  }
  EXPECT_EQ(bases, 5000);
  EXPECT_EQ(kept.front()->letter(0), 'A');  // chunks outlive the reader
}

}  // namespace
}  // namespace phpc::jobs
