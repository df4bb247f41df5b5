#include "phpc/casoff/genome.hpp"

#include <gtest/gtest.h>

#include <map>

#include "phpc/core/error.hpp"
#include "support/casoff_oracle.hpp"

namespace phpc::casoff {
namespace {

std::string upper(std::string text) {
  for (char& letter : text) {
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  }
  return text;
}

/// Packs contigs in appended blocks of `block` letters, and checks every chunk against them.
void check_packing(const std::vector<Contig>& contigs, index_t chunk_bases, int overlap, std::size_t block) {
  SCOPED_TRACE(testing::Message() << "chunk " << chunk_bases << " overlap " << overlap << " block " << block);
  index_t new_bases = 0;
  // For each contig and start, how many chunks hold the window of overlap + 1 letters there.
  std::map<std::pair<index_t, index_t>, int> windows;
  GenomePacker packer(chunk_bases, overlap, [&](const GenomeChunk& chunk) {
    new_bases += chunk.new_bases();
    index_t end = 0;
    for (const Piece& piece : chunk.pieces()) {
      EXPECT_EQ(piece.offset % bases_per_word, 0);
      EXPECT_GE(piece.offset, end);
      end = piece.offset + piece.length;
      const std::string expected = upper(contigs[static_cast<std::size_t>(piece.contig)].letters);
      std::string held;
      for (index_t i = 0; i < piece.length; ++i) {
        held += chunk.letter(piece.offset + i);
      }
      EXPECT_EQ(held, expected.substr(static_cast<std::size_t>(piece.first), static_cast<std::size_t>(piece.length)));
      EXPECT_TRUE(piece.next_chunks == 0 || piece.next_chunks == overlap);
      for (index_t i = 0; i + overlap < piece.length; ++i) {
        EXPECT_LT(i, piece.length - piece.next_chunks);
        ++windows[{piece.contig, piece.first + i}];
      }
      const index_t end_in_contig = piece.first + piece.length;
      EXPECT_EQ(piece.next_chunks > 0, overlap > 0 && end_in_contig < static_cast<index_t>(expected.size()));
    }
    EXPECT_LE(end, std::max<index_t>(128, ceil_div(chunk_bases, 64) * 64));
    EXPECT_EQ(static_cast<index_t>(chunk.words().size()), ceil_div(end, bases_per_word) + 1);
  });
  index_t bases = 0;
  std::size_t expected_windows = 0;
  for (const Contig& contig : contigs) {
    packer.begin_contig();
    for (std::size_t at = 0; at < contig.letters.size(); at += block) {
      const std::string_view letters = std::string_view(contig.letters).substr(at, block);
      std::vector<BaseWord> words(static_cast<std::size_t>(base_words(static_cast<index_t>(letters.size()))));
      if (pack_bases(letters, words.data()) == 0 && at % 2 == 0) {
        packer.append(words, static_cast<index_t>(letters.size()));
      } else {
        packer.append(letters);
      }
    }
    bases += static_cast<index_t>(contig.letters.size());
    expected_windows += contig.letters.size() > static_cast<std::size_t>(overlap) ? contig.letters.size() - overlap : 0;
  }
  packer.finish();
  EXPECT_EQ(new_bases, bases);
  EXPECT_EQ(packer.bases(), bases);
  EXPECT_EQ(packer.contigs(), static_cast<index_t>(contigs.size()));
  EXPECT_EQ(windows.size(), expected_windows);
  for (const auto& [window, times] : windows) {
    EXPECT_EQ(times, 1) << "contig " << window.first << " position " << window.second;
  }
}

TEST(GenomePacker, KeepsEveryLetterAndEveryWindowOnce) {
  constexpr unsigned seed = 7;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const auto contigs = test::random_genome(random, 8, 700, test::GenomeLetters::ambiguous);
    for (const index_t chunk : {1, 128, 192, 1000, 100000}) {
      check_packing(contigs, chunk, static_cast<int>(random() % 64), 1 + random() % 300);
    }
  }
}

TEST(GenomePacker, TakesContigsThatEndWithTheChunk) {
  const std::vector<Contig> contigs = {{"a", std::string(128, 'A')}, {"b", std::string(256, 'C')}, {"c", "G"}, {"d", ""}};
  for (const int overlap : {0, 1, 22, 63}) {
    check_packing(contigs, 128, overlap, 64);
    check_packing(contigs, 256, overlap, 1000);
  }
}

TEST(GenomePacker, LeavesOutWhatIsSkipped) {
  std::vector<std::pair<index_t, std::string>> pieces;
  GenomePacker packer(128, 22, [&](const GenomeChunk& chunk) {
    for (const Piece& piece : chunk.pieces()) {
      std::string held;
      for (index_t i = 0; i < piece.length; ++i) {
        held += chunk.letter(piece.offset + i);
      }
      pieces.emplace_back(piece.first, held);
    }
  });
  packer.begin_contig();
  packer.skip(1000);
  packer.append("ACGT");
  packer.append("AX");
  packer.skip(1);
  packer.append(std::string(64, 'G'));
  packer.skip(5);
  packer.append("T");
  packer.finish();
  using Pieces = std::vector<std::pair<index_t, std::string>>;
  EXPECT_EQ(pieces, (Pieces{{1000, "ACGTAX"}, {1007, std::string(64, 'G')}, {1076, "T"}}));
  EXPECT_EQ(packer.bases(), 71);
}

TEST(GenomePacker, LetsAChunkBeKept) {
  std::vector<GenomeChunk> kept;
  GenomePacker packer(128, 10, [&](GenomeChunk& chunk) { std::swap(kept.emplace_back(), chunk); });
  packer.begin_contig();
  packer.append(std::string(128, 'A') + std::string(118, 'X') + "G");
  packer.finish();
  ASSERT_EQ(kept.size(), 3U);
  EXPECT_EQ(kept[0].letter(127), 'A');
  EXPECT_EQ(kept[1].letter(9), 'A');
  EXPECT_EQ(kept[1].letter(127), 'X');
  EXPECT_EQ(kept[2].letter(10), 'G');
  EXPECT_EQ(kept[2].new_bases(), 1);
}

TEST(GenomePacker, DeliversNothingForNoLetters) {
  int chunks = 0;
  GenomePacker packer(1000, 22, [&](const GenomeChunk&) { ++chunks; });
  packer.begin_contig();
  packer.append("");
  packer.finish();
  EXPECT_EQ(chunks, 0);
}

/// RNA: a chunk that would keep too many letters without a code ends early, and the next one goes on.
TEST(GenomePacker, ManyLettersWithoutACodeEndAChunk) {
  std::string letters;
  for (int i = 0; i < 1'200'000; ++i) {
    letters += "AU";
  }
  constexpr int overlap = 22;
  index_t chunks = 0;
  index_t next = 0;
  GenomePacker packer(index_t{1} << 26, overlap, [&](const GenomeChunk& chunk) {
    ++chunks;
    ASSERT_EQ(chunk.pieces().size(), 1U);
    const Piece& piece = chunk.pieces()[0];
    EXPECT_EQ(piece.first, next);
    for (index_t i = 0; i < piece.length; ++i) {
      ASSERT_EQ(chunk.letter(piece.offset + i), (piece.first + i) % 2 == 0 ? 'A' : 'U') << piece.first + i;
    }
    next = piece.first + piece.length - piece.next_chunks;
  });
  packer.begin_contig();
  packer.append(letters);
  packer.finish();
  EXPECT_EQ(chunks, 2);
  EXPECT_EQ(next, static_cast<index_t>(letters.size()));
}

/// Words that break the promise of append() (some bit is set): an error in every build, not a read before the letters noted.
TEST(GenomePacker, ABaseWithoutACodeThatWasNotNotedIsAnError) {
  BaseWord word{};
  pack_bases("ACGTACGT", &word);
  for (std::uint64_t& plane : word.may_be) {
    plane &= ~(std::uint64_t{1} << 3);
  }
  GenomePacker packer(1000, 22, [](const GenomeChunk& chunk) {
    EXPECT_EQ(chunk.letter(0), 'X');
    EXPECT_EQ(chunk.letter(3), 'G');
    EXPECT_THROW(static_cast<void>(chunk.letter(4)), Error);
  });
  packer.begin_contig();
  packer.append("X");
  packer.append(std::span(&word, 1), 8);
  packer.finish();
}

}  // namespace
}  // namespace phpc::casoff
