// The letterwise kernels in teams of several sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "casoff/letterwise/letter_comparer.hpp"
#include "casoff/letterwise/letter_maker.hpp"
#include "phpc/casoff/genome.hpp"
#include "phpc/exec/buffer.hpp"
#include "support/casoff_oracle.hpp"
#include "support/devices.hpp"
#include "support/launch_in_team.hpp"

namespace phpc::casoff {
namespace {

constexpr unsigned seed = 20261126;
constexpr int length = 8;

QueryLetters query_of(const std::string& plus) {
  QueryLetters query{};
  int count[2] = {};
  for (int strand = 0; strand < 2; ++strand) {
    for (int i = 0; i < length; ++i) {
      const char letter =
          strand == 0 ? plus[static_cast<std::size_t>(i)] : complement_letter(plus[static_cast<std::size_t>(length - 1 - i)]);
      query.letters[strand * length + i] = letter;
      if (letter != 'N') {
        query.places[strand * length + count[strand]++] = i;
      }
    }
    if (count[strand] < length) {
      query.places[strand * length + count[strand]] = -1;
    }
  }
  return query;
}

class LetterKernels : public testing::TestWithParam<exec::Device> {
 protected:
  template <Comparer Which>
  std::vector<test::OracleSite> sites_of(const std::string& genome, const std::string& pattern, const test::OracleGuide& guide,
                                         int host_team) {
    const exec::Device device = GetParam();
    GenomePacker packer(static_cast<index_t>(genome.size()) + 64, 63, [&](const GenomeChunk& full) { chunk_ = full; });
    packer.begin_contig();
    packer.append(genome);
    packer.finish();
    const exec::Buffer<BaseWord> words(device, chunk_->words());
    exec::Buffer<char> letters(device, bases_per_word * words.size());
    test::launch_in_team(device, {.groups = ceil_div(words.size(), index_t{LetterMaker::group_words})}, host_team,
                         LetterMaker{words.data(), letters.data(), words.size()});

    std::vector<Tile> tiles;
    const index_t slots = static_cast<index_t>(genome.size()) - length + 1;
    for (index_t first = 0; first < slots; first += tile_words * bases_per_word) {
      tiles.push_back({static_cast<std::uint32_t>(first / bases_per_word),
                       static_cast<std::uint16_t>(std::min<index_t>(tile_words * bases_per_word, slots - first))});
    }
    const exec::Buffer<Tile> device_tiles(device, std::span<const Tile>(tiles));
    const QueryLetters queries[] = {query_of(pattern), query_of(guide.sequence)};
    const exec::Buffer<QueryLetters> device_queries(device, std::span<const QueryLetters>(queries));
    exec::Buffer<std::uint32_t> places(device, slots);
    exec::Buffer<char> flags(device, slots);
    exec::Buffer<std::uint64_t> counts(device, 2);
    std::uint64_t count[2] = {};
    counts.copy_from(count);
    test::launch_in_team(device, {.groups = static_cast<index_t>(tiles.size()) * LetterFinder::tile_groups}, host_team,
                         LetterFinder{letters.data(),
                                      0,
                                      device_tiles.data(),
                                      device_queries.data(),
                                      length,
                                      {places.data(), flags.data(), counts.data(), static_cast<std::uint64_t>(slots)}});
    counts.copy_to(count);
    const auto candidates = static_cast<index_t>(count[0]);
    exec::Buffer<std::uint32_t> hit_places(device, 2 * candidates);
    exec::Buffer<char> directions(device, 2 * candidates);
    exec::Buffer<std::uint16_t> mismatches(device, 2 * candidates);
    test::launch_in_team(device, {.groups = ceil_div(candidates, index_t{group_items})}, host_team,
                         LetterComparer<Which>{letters.data(),
                                               places.data(),
                                               flags.data(),
                                               candidates,
                                               device_queries.data() + 1,
                                               length,
                                               static_cast<std::uint16_t>(guide.threshold),
                                               {hit_places.data(), directions.data(), mismatches.data(), counts.data() + 1}});
    counts.copy_to(count);
    std::vector<std::uint32_t> own_places(count[1]);
    std::vector<char> own_directions(count[1]);
    std::vector<std::uint16_t> own_mismatches(count[1]);
    hit_places.copy_to(own_places);
    directions.copy_to(own_directions);
    mismatches.copy_to(own_mismatches);
    std::vector<test::OracleSite> sites;
    for (std::size_t i = 0; i < own_places.size(); ++i) {
      sites.push_back({0, own_places[i], own_directions[i], 0, own_mismatches[i], "", "", ""});
    }
    std::sort(sites.begin(), sites.end());
    return sites;
  }

  std::optional<GenomeChunk> chunk_;
};

TEST_P(LetterKernels, AgreeWithTheOracleForEveryTeamSize) {
  std::mt19937_64 random(seed);
  const std::string genome = test::random_letters(random, "ACGTacgtACGTNRYK", 4096 + 70 + random() % 200);
  const std::string pattern = "NNNNNNRG";
  const test::OracleGuide guide{"RCYTNWNN", 2};
  const Contig whole{"one", genome};
  std::vector<test::OracleSite> expected =
      test::oracle_search(std::span(&whole, 1), pattern, std::span(&guide, 1), Ambiguity::cas_offinder);
  for (test::OracleSite& site : expected) {
    site.letters.clear();
  }
  std::sort(expected.begin(), expected.end());
  ASSERT_GT(expected.size(), 100U) << "seed " << seed;
  for (const int host_team : {1, 3, 4}) {
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", host team " << host_team);
    EXPECT_EQ(sites_of<Comparer::base>(genome, pattern, guide, host_team), expected);
    EXPECT_EQ(sites_of<Comparer::opt1>(genome, pattern, guide, host_team), expected);
    EXPECT_EQ(sites_of<Comparer::opt2>(genome, pattern, guide, host_team), expected);
    EXPECT_EQ(sites_of<Comparer::opt3>(genome, pattern, guide, host_team), expected);
    EXPECT_EQ(sites_of<Comparer::opt4>(genome, pattern, guide, host_team), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, LetterKernels, testing::ValuesIn(test::devices()), test::DeviceName());

}  // namespace
}  // namespace phpc::casoff
