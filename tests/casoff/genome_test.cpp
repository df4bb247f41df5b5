#include "phpc/casoff/genome.hpp"

#include <gtest/gtest.h>

#include <map>

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
      for (index_t i = 0; i + overlap < piece.length; ++i) {
        ++windows[{piece.contig, piece.first + i}];
      }
    }
    EXPECT_LE(end, std::max<index_t>(128, ceil_div(chunk_bases, 64) * 64));
    EXPECT_EQ(static_cast<index_t>(chunk.words().size()), ceil_div(end, bases_per_word) + 1);
  });
  index_t bases = 0;
  std::size_t expected_windows = 0;
  for (const Contig& contig : contigs) {
    packer.begin_contig();
    for (std::size_t at = 0; at < contig.letters.size(); at += block) {
      packer.append(std::string_view(contig.letters).substr(at, block));
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

TEST(GenomePacker, DeliversNothingForNoLetters) {
  int chunks = 0;
  GenomePacker packer(1000, 22, [&](const GenomeChunk&) { ++chunks; });
  packer.begin_contig();
  packer.append("");
  packer.finish();
  EXPECT_EQ(chunks, 0);
}

}  // namespace
}  // namespace phpc::casoff
