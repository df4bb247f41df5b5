#include "phpc/casoff/search.hpp"

#include <gtest/gtest.h>

#include "phpc/core/error.hpp"
#include "support/casoff_oracle.hpp"
#include "support/devices.hpp"
#include "support/random_rounds.hpp"

namespace phpc::casoff {
namespace {

using test::OracleGuide;
using test::OracleSite;

struct Problem {
  std::vector<Contig> contigs;
  std::string pattern;
  std::vector<OracleGuide> guides;
  Ambiguity ambiguity;
};

/// Any pattern length, PAM on either side or everywhere, guides cut from the genome so that there are hits, repeated guides.
Problem random_problem(std::mt19937_64& random) {
  const auto letters = random() % 2 == 0 ? test::GenomeLetters::acgt : test::GenomeLetters::ambiguous;
  Problem problem{test::random_genome(random, 1 + static_cast<int>(random() % 6), 900, letters), "", {}, {}};
  const std::size_t length = random() % 5 == 0 ? 1 + random() % 64 : 8 + random() % 20;
  problem.pattern.assign(length, 'N');
  for (std::size_t i = 0; i < random() % 4; ++i) {
    problem.pattern[random() % 2 == 0 ? random() % length : length - 1] = "ACGTRYKMSWBDHVnrg"[random() % 17];
  }
  const std::size_t guides = 1 + random() % 20;
  for (std::size_t guide = 0; guide < guides; ++guide) {
    std::string sequence = test::random_letters(random, "ACGT", length);
    const std::string& source = problem.contigs[random() % problem.contigs.size()].letters;
    if (source.size() >= length) {
      sequence = source.substr(random() % (source.size() - length + 1), length);
    }
    for (char& letter : sequence) {
      if (random() % 6 == 0) {
        letter = "RYKMSWBDHVNACGTU"[random() % 16];
      }
      letter = letter == '*' ? 'N' : letter;
    }
    problem.guides.push_back({sequence, static_cast<index_t>(random() % (length / 3 + 2))});
    if (random() % 5 == 0) {
      problem.guides.push_back(problem.guides[random() % problem.guides.size()]);
    }
  }
  problem.ambiguity = static_cast<Ambiguity>(random() % 3);
  return problem;
}

std::vector<OracleSite> run(const Problem& problem, const std::vector<exec::Device>& devices, SearchOptions options = {}) {
  options.ambiguity = problem.ambiguity;
  Search search(Pattern(problem.pattern), test::as_guides(problem.guides), devices, options);
  return test::as_oracle_sites(search_contigs(problem.contigs, search), search);
}

std::vector<OracleSite> expected(const Problem& problem) {
  return test::oracle_search(problem.contigs, problem.pattern, problem.guides, problem.ambiguity);
}

class SearchOnDevice : public testing::TestWithParam<exec::Device> {};

TEST_P(SearchOnDevice, AgreesWithTheOracleOnRandomGenomes) {
  const int problems = test::random_rounds(GetParam().is_host() ? 300 : 60);
  std::size_t sites = 0;
  for (int seed = 0; seed < problems; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937_64 random(static_cast<unsigned>(seed));
    const Problem problem = random_problem(random);
    SearchOptions options;
    options.chunk_bases = 100 + static_cast<index_t>(random() % 2000);
    const std::vector<OracleSite> found = run(problem, {GetParam()}, options);
    ASSERT_EQ(found, expected(problem)) << "pattern " << problem.pattern;
    sites += found.size();
  }
  EXPECT_GT(sites, 1000U);
}

TEST_P(SearchOnDevice, GivesTheSameForEveryChunkAndBatchSize) {
  std::mt19937_64 random(99);
  Problem problem{test::random_genome(random, 5, 6000, test::GenomeLetters::ambiguous), "NNNNNNNRG", {}, Ambiguity::cas_offinder};
  for (int guide = 0; guide < 10; ++guide) {
    problem.guides.push_back({test::random_letters(random, "ACGT", 7) + "NN", 3});
  }
  const std::vector<OracleSite> whole = run(problem, {GetParam()});
  EXPECT_EQ(whole, expected(problem));
  EXPECT_GT(whole.size(), 100U);
  for (const index_t chunk : {1, 200, 1000, 4096, 1 << 20}) {
    for (const index_t batch : {1, 7, 100}) {
      SearchOptions options;
      options.chunk_bases = chunk;
      options.batch_sites = batch;
      ASSERT_EQ(run(problem, {GetParam()}, options), whole) << "chunk " << chunk << ", batch " << batch;
    }
  }
}

TEST_P(SearchOnDevice, LosesNoHitWhenTheHitBufferOverflows) {
  // All windows are hits of all guides, several times as many as the hit buffer holds at first.
  std::mt19937_64 random(5);
  Problem problem{{{"one", test::random_letters(random, "ACGT", 15000)}}, "NNNN", {}, Ambiguity::cas_offinder};
  for (int guide = 0; guide < 9; ++guide) {
    problem.guides.push_back({test::random_letters(random, "ACGT", 4), guide == 3 ? 1 : 1'000'000'000'000});
  }
  const std::vector<OracleSite> found = run(problem, {GetParam()});
  EXPECT_GT(found.size(), 3U << 16);
  EXPECT_EQ(found, expected(problem));
}

INSTANTIATE_TEST_SUITE_P(Devices, SearchOnDevice, testing::ValuesIn(test::devices()),
                         [](const auto& instance) { return test::test_name(instance.param); });

TEST(Search, DividesTheGenomeAmongDevices) {
  std::vector<exec::Device> devices = test::devices();
  std::mt19937_64 random(17);
  Problem problem{test::random_genome(random, 4, 9000, test::GenomeLetters::acgt),
                  "NNNNNNGG",
                  {{"ACGTACNN", 3}, {"TTGACANN", 2}},
                  Ambiguity::cas_offinder};
  EXPECT_EQ(run(problem, devices), expected(problem));
  SearchOptions options;
  options.chunk_bases = 5000;
  options.batch_sites = 10;
  EXPECT_EQ(run(problem, devices, options), expected(problem));
}

TEST(Search, KeepsToTheEndsOfContigs) {
  // The pattern's letters alone at the very ends, in a contig as long as the pattern, and in one that is a letter shorter.
  Problem problem{{{"a", "ACGTTGG"}, {"b", "CGTTGG"}, {"c", ""}, {"d", "CCAACGT"}, {"e", std::string(57, 'T') + "ACGTTGG"}},
                  "NNNNNGG",
                  {{"ACGTTNN", 0}},
                  Ambiguity::cas_offinder};
  const std::vector<OracleSite> found = run(problem, {exec::Device::host()});
  EXPECT_EQ(found, expected(problem));
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[1].strand, '-');
  EXPECT_EQ(found[2].position, 57);
}

TEST(Search, RefusesQueriesThatDoNotFit) {
  const std::vector<exec::Device> host = {exec::Device::host()};
  EXPECT_THROW(Search(Pattern("NGG"), {}, host), Error);
  EXPECT_THROW(Search(Pattern("NGG"), {{Pattern("NNNN"), 0, ""}}, host), Error);
  EXPECT_THROW(Search(Pattern("NGG"), {{Pattern("NNN"), -1, ""}}, host), Error);
  EXPECT_THROW(Search(Pattern("NGG"), {{Pattern("NNN"), 0, ""}}, {}), Error);
}

TEST(Search, ReportsBasesAsProgress) {
  struct Counter final : Progress {
    void begin(std::string_view, std::uint64_t) override {}
    void advance(std::uint64_t count) override { bases += count; }
    void end() override {}
    std::uint64_t bases = 0;
  } progress;
  Search search(Pattern("NGG"), {{Pattern("NNN"), 0, ""}}, {exec::Device::host()}, {.chunk_bases = 128}, progress);
  const std::vector<Contig> contigs = {{"a", std::string(1000, 'A')}, {"b", "A"}, {"c", ""}};
  EXPECT_TRUE(search_contigs(contigs, search).empty());
  EXPECT_EQ(progress.bases, 1001U);
}

}  // namespace
}  // namespace phpc::casoff
