#include "jobs/casoff/searched_genome.hpp"

#include <gtest/gtest.h>

#include <random>

#include "support/temporary_directory.hpp"

namespace phpc::jobs {
namespace {

/// Against a list of all searched bases, base by base; the stretches of all shares together hold each of them once, and a margin.
TEST(SearchedGenomeTest, NumbersWhatRegionsHold) {
  constexpr unsigned seed = 31;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  const test::TemporaryDirectory directory;
  for (int repeat = 0; repeat < 30; ++repeat) {
    std::string text;
    std::vector<index_t> lengths;
    for (int i = 0; i < 4; ++i) {
      lengths.push_back(i == 2 ? 0 : static_cast<index_t>(1 + random() % 90));
      text += ">s" + std::to_string(i) + "\n" + std::string(static_cast<std::size_t>(lengths.back()), 'C') + "\n";
    }
    test::write_file(directory / "g.fa", text);
    std::vector<std::string> regions;
    std::vector<std::vector<bool>> held(4);
    for (std::size_t i = 0; i < 4; ++i) {
      held[i].resize(static_cast<std::size_t>(lengths[i]), repeat % 3 == 0);
    }
    for (int region = 0; region < repeat % 3; ++region) {
      const std::size_t sequence = std::vector<std::size_t>{0, 1, 3}[random() % 3];
      const auto from = static_cast<index_t>(random() % static_cast<std::uint64_t>(lengths[sequence]));
      const auto to = std::min(lengths[sequence], from + static_cast<index_t>(1 + random() % 40));
      regions.push_back("s" + std::to_string(sequence) + ":" + std::to_string(from + 1) + "-" + std::to_string(to));
      std::fill(held[sequence].begin() + from, held[sequence].begin() + to, true);
    }
    const io::GenomeSource source(directory / "g.fa", [](const std::string&) {});
    const SearchedGenome genome(source, SequenceNames::whole_header, regions, 1 + repeat % 2);
    EXPECT_EQ(genome.lengths(), lengths);
    EXPECT_EQ(genome.names(), (std::vector<std::string>{"s0", "s1", "s2", "s3"}));

    std::vector<std::pair<index_t, index_t>> all;
    for (index_t contig = 0; contig < 4; ++contig) {
      for (index_t at = 0; at < lengths[static_cast<std::size_t>(contig)]; ++at) {
        ASSERT_EQ(genome.bases_before(contig, at), static_cast<index_t>(all.size()));
        if (held[static_cast<std::size_t>(contig)][static_cast<std::size_t>(at)]) {
          all.emplace_back(contig, at);
        }
      }
    }
    const auto bases = static_cast<index_t>(all.size());
    ASSERT_EQ(genome.bases(), bases);
    EXPECT_TRUE(genome.stretches(0, 0, 5).empty());
    const auto begin = static_cast<index_t>(random() % static_cast<std::uint64_t>(bases));
    const auto end = begin + 1 + static_cast<index_t>(random() % static_cast<std::uint64_t>(bases - begin));
    const auto margin = static_cast<index_t>(random() % 6);
    std::vector<std::pair<index_t, index_t>> expected;
    // A base of the margin hangs together with one of the share.
    for (index_t i = 0; i < bases; ++i) {
      const index_t inside = std::clamp(i, begin, end - 1);
      const auto [contig, at] = all[static_cast<std::size_t>(i)];
      const auto [inner_contig, inner_at] = all[static_cast<std::size_t>(inside)];
      if (contig == inner_contig && at - inner_at == i - inside && std::abs(i - inside) <= margin) {
        expected.emplace_back(contig, at);
      }
    }
    std::vector<std::pair<index_t, index_t>> given;
    for (const GenomeStretch& stretch : genome.stretches(begin, end, margin)) {
      for (index_t at = stretch.begin; at < stretch.end; ++at) {
        given.emplace_back(stretch.contig, at);
      }
    }
    EXPECT_EQ(given, expected) << repeat;
  }
}

}  // namespace
}  // namespace phpc::jobs
