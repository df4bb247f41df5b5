#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "casoff/kernels/all_slots_comparer.hpp"
#include "casoff/kernels/candidate_comparer.hpp"
#include "casoff/kernels/pam_finder.hpp"
#include "casoff/search/device_search.hpp"
#include "support/casoff_oracle.hpp"
#include "support/devices.hpp"
#include "support/launch_in_team.hpp"

namespace phpc::casoff {
namespace {

constexpr unsigned seed = 20261122;

/// A contig that is one chunk, and guides on a device.
struct OneContig {
  OneContig(exec::Device on, const std::string& letters, const std::string& pattern, const std::vector<test::OracleGuide>& guides,
            Ambiguity ambiguity)
      : device(on),
        chunk(packed(letters)),
        program(programmed(pattern, guides, ambiguity)),
        device_program(on, program),
        words(on, chunk.words()),
        tiles(tiled(static_cast<index_t>(letters.size()) - program.shortest + 1)),
        device_tiles(on, std::span<const Tile>(tiles)),
        counts(on, 3),
        hits(on, 2 * static_cast<index_t>(letters.size() * guides.size())) {
    const std::uint64_t none[3] = {};
    counts.copy_from(none);
  }

  static GenomeChunk packed(const std::string& letters) {
    std::optional<GenomeChunk> whole;
    GenomePacker packer(static_cast<index_t>(letters.size()) + 64, 63, [&](const GenomeChunk& full) { whole = full; });
    packer.begin_contig();
    packer.append(letters);
    packer.finish();
    return *whole;
  }
  static QueryProgram programmed(const std::string& pattern, const std::vector<test::OracleGuide>& guides, Ambiguity ambiguity) {
    std::vector<Pattern> sequences;
    for (const test::OracleGuide& guide : guides) {
      sequences.emplace_back(guide.sequence);
    }
    return make_program(Pattern(pattern), test::as_guides(guides), make_variants(Pattern(pattern), sequences, {}), ambiguity);
  }
  /// Every tile in two, the second of which begins within a word.
  static std::vector<Tile> tiled(index_t slots) {
    constexpr index_t cut = 2 * bases_per_word + 37;
    std::vector<Tile> all;
    for (index_t first = 0; first < slots; first += tile_words * bases_per_word) {
      const auto word = static_cast<std::uint32_t>(first / bases_per_word);
      const index_t count = std::min<index_t>(tile_words * bases_per_word, slots - first);
      all.push_back({word, static_cast<std::uint16_t>(std::min(count, cut))});
      if (count > cut) {
        all.push_back({word + 2, static_cast<std::uint16_t>(count - 2 * bases_per_word), 37});
      }
    }
    return all;
  }

  WordView view() { return {words.data(), words.size(), 0}; }
  HitSink sink() { return {hits.data(), counts.data() + 2, static_cast<std::uint64_t>(hits.size())}; }
  exec::LaunchShape shape(std::size_t scratch) {
    return {.groups = static_cast<index_t>(tiles.size()), .scratch_bytes = scratch};
  }

  std::vector<test::OracleSite> found() {
    std::uint64_t count = 0;
    counts.copy_to(std::span(&count, 1), 2);
    std::vector<Hit> own(count);
    hits.copy_to(own);
    std::vector<test::OracleSite> sites;
    for (const Hit& hit : own) {
      sites.push_back({0, hit.slot, hit.strand == 0 ? '+' : '-', static_cast<int>(hit.variant), hit.mismatches, "", "", ""});
    }
    std::sort(sites.begin(), sites.end());
    return sites;
  }

  exec::Device device;
  GenomeChunk chunk;
  QueryProgram program;
  DeviceProgram device_program;
  exec::Buffer<BaseWord> words;
  std::vector<Tile> tiles;
  exec::Buffer<Tile> device_tiles;
  exec::Buffer<std::uint64_t> counts;
  exec::Buffer<Hit> hits;
};

template <int TeamSize, int Lanes>
std::vector<test::OracleSite> all_slots_compared(OneContig contig, int host_team_size) {
  using Kernel = AllSlotsComparerKernel<test::kernel_team_size(TeamSize), Lanes>;
  const ProgramView& view = contig.device_program.view();
  test::launch_in_team(contig.device, contig.shape(Kernel::scratch_bytes(view.row_count)), host_team_size,
                       Kernel{view, contig.view(), contig.device_tiles.data(), contig.sink()});
  return contig.found();
}

template <int TeamSize, int Lanes>
std::vector<test::OracleSite> candidates_compared(OneContig contig, int host_team_size) {
  using Finder = PamFinderKernel<test::kernel_team_size(TeamSize), Lanes>;
  using Kernel = CandidateComparerKernel<test::kernel_team_size(TeamSize), Lanes>;
  const ProgramView& view = contig.device_program.view();
  const index_t capacity = 64 * contig.words.size();
  exec::Buffer<std::uint32_t> slots(contig.device, 2 * capacity);
  const CandidateLists lists{{slots.data(), slots.data() + capacity}, contig.counts.data(), static_cast<std::uint64_t>(capacity)};
  test::launch_in_team(contig.device, contig.shape(0), host_team_size,
                       Finder{view, contig.view(), contig.device_tiles.data(), lists});
  std::uint64_t listed[2] = {};
  contig.counts.copy_to(listed);
  for (int strand = 0; strand < 2; ++strand) {
    const int width = contig.device_program.width(strand);
    const exec::LaunchShape shape{.groups = ceil_div(static_cast<index_t>(listed[strand]), Kernel::slots_of_group()),
                                  .scratch_bytes = Kernel::scratch_bytes(view.row_count, width)};
    test::launch_in_team(
        contig.device, shape, host_team_size,
        Kernel{view, contig.view(), lists.slots[strand], listed[strand], contig.sink(), static_cast<std::int16_t>(strand),
               static_cast<std::int16_t>(contig.device_program.first_shift(strand)), static_cast<std::int16_t>(width)});
  }
  return contig.found();
}

class CasoffKernels : public testing::TestWithParam<exec::Device> {
 protected:
  template <int TeamSize, int Lanes>
  void check(int host_team_size) {
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", team size " << TeamSize << ", host team " << host_team_size
                                    << ", lanes " << Lanes);
    std::mt19937_64 random(seed);
    for (const Ambiguity ambiguity : {Ambiguity::cas_offinder, Ambiguity::strict, Ambiguity::any}) {
      for (const std::size_t core : {6U, 40U}) {
        const std::string genome = test::random_letters(random, "ACGTacgtACGTACGTNRYX", 4096 + 70 + random() % 200);
        const std::string pattern = std::string(core, 'N') + "RG";
        std::vector<test::OracleGuide> guides;
        for (int guide = 0; guide < 9; ++guide) {
          // Thresholds for counters of 2, 3, 4 and 7 bits.
          guides.push_back({test::random_letters(random, "ACGTRN", core) + "NN", static_cast<index_t>(random() % (core / 2))});
        }
        const Contig whole{"one", genome};
        std::vector<test::OracleSite> expected = test::oracle_search(std::span(&whole, 1), pattern, guides, ambiguity);
        for (test::OracleSite& site : expected) {
          site.letters.clear();
        }
        std::sort(expected.begin(), expected.end());
        EXPECT_EQ(
            (all_slots_compared<TeamSize, Lanes>(OneContig(GetParam(), genome, pattern, guides, ambiguity), host_team_size)),
            expected);
        EXPECT_EQ(
            (candidates_compared<TeamSize, Lanes>(OneContig(GetParam(), genome, pattern, guides, ambiguity), host_team_size)),
            expected);
      }
    }
  }
};

TEST_P(CasoffKernels, AgreeWithTheOracleForEveryTeamSize) {
  check<1, 1>(1);
  check<3, 1>(3);
  check<32, 1>(4);
}

TEST(CasoffPacks, AreWrittenForAnyWidth) {
  EXPECT_EQ(slices_for(0), 2);
  EXPECT_EQ(slices_for(3), 2);
  EXPECT_EQ(slices_for(4), 3);
  EXPECT_EQ(slices_for(15), 4);
  EXPECT_EQ(slices_for(64), 7);
  SlotWord<4> bits[64];
  std::mt19937_64 random(seed);
  for (SlotWord<4>& word : bits) {
    for (int lane = 0; lane < 4; ++lane) {
      word[lane] = random();
    }
  }
  SlotWord<4> turned[64];
  std::copy(std::begin(bits), std::end(bits), std::begin(turned));
  transpose<4>(TableColumn<4>{turned, 1});
  for (int lane = 0; lane < 4; ++lane) {
    for (int row = 0; row < 64; ++row) {
      for (int bit = 0; bit < 64; ++bit) {
        ASSERT_EQ((turned[row][lane] >> bit) & 1U, (bits[bit][lane] >> row) & 1U) << "seed " << seed;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, CasoffKernels, testing::ValuesIn(test::devices()), test::DeviceName());

}  // namespace
}  // namespace phpc::casoff
