#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "casoff/comparer.hpp"
#include "casoff/finder.hpp"
#include "casoff/query_masks.hpp"
#include "phpc/exec/buffer.hpp"
#include "phpc/exec/launch.hpp"
#include "support/casoff_oracle.hpp"
#include "support/devices.hpp"
#include "support/launch_in_team.hpp"

namespace phpc::casoff {
namespace {

constexpr unsigned seed = 20261121;

/// Finder and comparer launched as they are, over one contig that is one chunk.
template <int TeamSize>
std::vector<test::OracleSite> run_kernels(exec::Device device, int host_team_size, const std::string& letters,
                                          const Pattern& pattern, const std::vector<Guide>& guides, Ambiguity ambiguity) {
  std::optional<GenomeChunk> chunk;
  GenomePacker packer(static_cast<index_t>(letters.size()) + 64, pattern.size() - 1,
                      [&](const GenomeChunk& full) { chunk = full; });
  packer.begin_contig();
  packer.append(letters);
  packer.finish();
  std::vector<Tile> tiles;
  const index_t starts = static_cast<index_t>(letters.size()) - pattern.size() + 1;
  for (index_t first = 0; first < starts; first += tile_words * bases_per_word) {
    tiles.push_back({static_cast<std::uint32_t>(first / bases_per_word),
                     static_cast<std::uint32_t>(std::min<index_t>(tile_words * bases_per_word, starts - first))});
  }
  const exec::LaunchShape shape{.groups = static_cast<index_t>(tiles.size())};
  const exec::Buffer<BaseWord> words(device, chunk->words());
  const exec::Buffer<Tile> device_tiles(device, std::span<const Tile>(tiles));
  const std::vector<PatternLetter> plus = pattern_letters(pattern, Strand::plus, ambiguity);
  const exec::Buffer<PatternLetter> device_plus(device, std::span<const PatternLetter>(plus));
  const exec::Buffer<PatternLetter> device_minus(device, pattern_letters(pattern, Strand::minus, ambiguity));
  exec::Buffer<StartWord> fitting(device, words.size());
  test::launch_in_team(device, shape, host_team_size,
                       FinderKernel<test::kernel_team_size(TeamSize)>{
                           words.data(), device_tiles.data(), device_plus.data(), device_minus.data(), fitting.data(), 0,
                           match_rule(ambiguity, ~std::uint64_t{0}), static_cast<int>(plus.size())});
  const exec::Buffer<GuideBlock> blocks(device, guide_blocks(guides, ambiguity));
  const index_t capacity = 2 * starts * static_cast<index_t>(guides.size());
  exec::Buffer<Hit> hits(device, capacity);
  exec::Buffer<std::uint64_t> count(device, 1);
  std::uint64_t found = 0;
  count.copy_from(std::span(&found, 1));
  test::launch_in_team(device, shape, host_team_size,
                       ComparerKernel<test::kernel_team_size(TeamSize)>{
                           words.data(), device_tiles.data(), fitting.data(), blocks.data(), hits.data(), count.data(),
                           static_cast<std::uint64_t>(capacity), 0, match_rule(ambiguity, window_bits(pattern.size())),
                           static_cast<int>(guides.size())});
  count.copy_to(std::span(&found, 1));
  std::vector<Hit> own(found);
  hits.copy_to(own);
  std::vector<test::OracleSite> sites;
  for (const Hit& hit : own) {
    sites.push_back({0, hit.offset, hit.strand == 0 ? '+' : '-', static_cast<int>(hit.guide), hit.mismatches, ""});
  }
  std::sort(sites.begin(), sites.end(), [](const test::OracleSite& a, const test::OracleSite& b) {
    return std::tie(a.position, a.strand, a.guide) < std::tie(b.position, b.strand, b.guide);
  });
  return sites;
}

class CasoffKernels : public testing::TestWithParam<exec::Device> {
 protected:
  template <int TeamSize>
  void check(int host_team_size) {
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", team size " << TeamSize << ", host team " << host_team_size);
    std::mt19937_64 random(seed);
    for (const Ambiguity ambiguity : {Ambiguity::cas_offinder, Ambiguity::strict, Ambiguity::any}) {
      for (const std::size_t guide_count : {1U, 9U}) {
        const std::string genome = test::random_letters(random, "ACGTacgtACGTACGTNRYX", 2048 + 70 + random() % 200);
        const std::string pattern = "NNNNNNRG";
        std::vector<test::OracleGuide> guides;
        for (std::size_t guide = 0; guide < guide_count; ++guide) {
          guides.push_back({test::random_letters(random, "ACGTRN", 6) + "NN", static_cast<index_t>(random() % 5)});
        }
        const Contig contig{"one", genome};
        std::vector<test::OracleSite> expected = test::oracle_search(std::span(&contig, 1), pattern, guides, ambiguity);
        for (test::OracleSite& site : expected) {
          site.letters.clear();
        }
        EXPECT_EQ(run_kernels<TeamSize>(GetParam(), host_team_size, genome, Pattern(pattern), test::as_guides(guides), ambiguity),
                  expected);
      }
    }
  }
};

TEST_P(CasoffKernels, AgreeWithTheOracleForEveryTeamSize) {
  check<1>(1);
  check<3>(3);
  check<32>(4);
  check<65>(5);
  check<256>(2);
}

INSTANTIATE_TEST_SUITE_P(Devices, CasoffKernels, testing::ValuesIn(test::devices()),
                         [](const auto& instance) { return test::test_name(instance.param); });

}  // namespace
}  // namespace phpc::casoff
