// Searches by the letterwise comparers: the same sites as the definition and as the program's own comparer.
#include <gtest/gtest.h>

#include "casoff/letterwise/letters.hpp"
#include "phpc/casoff/search.hpp"
#include "phpc/core/error.hpp"
#include "support/casoff_oracle.hpp"
#include "support/devices.hpp"
#include "support/random_rounds.hpp"

namespace phpc::casoff {
namespace {

using test::OracleGuide;
using test::OracleSite;

constexpr Comparer letterwise[] = {Comparer::base, Comparer::opt1, Comparer::opt2, Comparer::opt3, Comparer::opt4};

struct LetterwiseProblem {
  std::vector<Contig> contigs;
  std::string pattern;
  std::vector<OracleGuide> guides;
};

/// Patterns and guides of any length with IUPAC codes anywhere, in genomes with IUPAC letters; guides are cut from the genome, so
/// that there are hits.
LetterwiseProblem random_letterwise_problem(std::mt19937_64& random) {
  LetterwiseProblem problem{
      test::random_genome(random, 1 + static_cast<int>(random() % 5), 900, test::GenomeLetters::ambiguous), "", {}};
  const std::size_t length = random() % 4 == 0 ? 1 + random() % 64 : 8 + random() % 20;
  problem.pattern.assign(length, 'N');
  for (std::size_t i = 0; i < random() % 4; ++i) {
    problem.pattern[random() % 2 == 0 ? random() % length : length - 1] = "ACGTRYKMSWBDHVnrg"[random() % 17];
  }
  for (std::size_t guide = 0; guide < 1 + random() % 8; ++guide) {
    std::string sequence = test::random_letters(random, "ACGT", length);
    const std::string& source = problem.contigs[random() % problem.contigs.size()].letters;
    if (source.size() >= length) {
      sequence = source.substr(random() % (source.size() - length + 1), length);
    }
    for (char& letter : sequence) {
      letter = random() % 4 == 0 ? "RYKMSWBDHVNACGTU"[random() % 16] : letter == '*' ? 'N' : letter;
    }
    problem.guides.push_back({sequence, static_cast<index_t>(random() % (length / 3 + 2))});
  }
  problem.guides.push_back(problem.guides.front());
  return problem;
}

std::vector<OracleSite> sites_of(const LetterwiseProblem& problem, const std::vector<exec::Device>& devices,
                                 const SearchOptions& options) {
  Search search(Pattern(problem.pattern), test::as_guides(problem.guides), devices, options);
  return test::as_oracle_sites(search_contigs(problem.contigs, search), search);
}

class LetterwiseSearch : public testing::TestWithParam<exec::Device> {};

TEST_P(LetterwiseSearch, AgreesWithTheOracleAndWithOursOnIupacCodes) {
  const int problems = test::random_rounds(GetParam().is_host() ? 80 : 12);
  std::size_t sites = 0;
  for (int seed = 0; seed < problems; ++seed) {
    std::mt19937_64 random(static_cast<unsigned>(seed));
    const LetterwiseProblem problem = random_letterwise_problem(random);
    SearchOptions options;
    options.chunk_bases = 100 + static_cast<index_t>(random() % 2000);
    const std::vector<OracleSite> expected =
        test::oracle_search(problem.contigs, problem.pattern, problem.guides, Ambiguity::cas_offinder);
    ASSERT_EQ(sites_of(problem, {GetParam()}, options), expected) << "seed " << seed;
    for (const Comparer comparer : letterwise) {
      options.comparer = comparer;
      ASSERT_EQ(sites_of(problem, {GetParam()}, options), expected)
          << to_string(comparer) << ", seed " << seed << ", pattern " << problem.pattern;
    }
    sites += expected.size();
  }
  EXPECT_GT(sites, 100U);
}

TEST_P(LetterwiseSearch, GivesTheSameForEveryChunkAndBatchSize) {
  std::mt19937_64 random(98);
  LetterwiseProblem problem{test::random_genome(random, 3, 3000, test::GenomeLetters::ambiguous), "NNNNNNNRG", {}};
  for (int guide = 0; guide < 5; ++guide) {
    problem.guides.push_back({test::random_letters(random, "ACGTRYN", 7) + "NN", 3});
  }
  SearchOptions options;
  const std::vector<OracleSite> expected = sites_of(problem, {GetParam()}, options);
  EXPECT_GT(expected.size(), 30U);
  for (const index_t chunk : {1, 1000, 4160}) {
    for (const index_t batch : {4, 1 << 20}) {
      options.chunk_bases = chunk;
      options.batch_sites = batch;
      options.comparer = letterwise[(chunk + batch) % 5];
      ASSERT_EQ(sites_of(problem, {GetParam()}, options), expected)
          << to_string(options.comparer) << ", chunk " << chunk << ", batch " << batch;
    }
  }
}

/// More candidates than a random genome of that size has: the list is made larger, and the finder runs again.
TEST_P(LetterwiseSearch, LosesNoCandidateWhereAllFit) {
  LetterwiseProblem problem{{{"one", std::string(20000, 'G')}, {"two", std::string(300, 'C')}}, "NNNGGGGG", {{"GGRNNNNN", 1}}};
  SearchOptions options;
  options.comparer = Comparer::opt4;
  const std::vector<OracleSite> found = sites_of(problem, {GetParam()}, options);
  EXPECT_EQ(found, test::oracle_search(problem.contigs, problem.pattern, problem.guides, Ambiguity::cas_offinder));
  EXPECT_GT(found.size(), 20000U);
}

TEST_P(LetterwiseSearch, TellsWhereItsTimeWent) {
  std::mt19937_64 random(4);
  const std::vector<Contig> contigs{{"one", test::random_letters(random, "ACGT", 100000)}};
  for (const Comparer comparer : {Comparer::base, Comparer::ours}) {
    SearchOptions options;
    options.comparer = comparer;
    Search search(Pattern("NNNNNNNNNNRG"), {{Pattern("ACGTACGTACNN"), 6, ""}}, {GetParam()}, options);
    EXPECT_EQ(search.times().kernels.comparer, 0);
    EXPECT_GT(search_contigs(contigs, search).size(), 10U);
    const SearchTimes times = search.times();
    EXPECT_GT(times.kernels.comparer, 0);
    EXPECT_GT(times.kernels.upload, 0);
    EXPECT_GT(times.kernels.download, 0);
    EXPECT_GT(times.sites, 0);
    EXPECT_EQ(times.kernels.finder > 0, comparer == Comparer::base) << "one guide of ours is compared with all slots";
    search_contigs(contigs, search);
    EXPECT_GT(search.times().kernels.comparer, times.kernels.comparer);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, LetterwiseSearch, testing::ValuesIn(test::devices()),
                         [](const auto& instance) { return test::test_name(instance.param); });

TEST(Letterwise, DividesTheGenomeAmongDevices) {
  std::mt19937_64 random(17);
  LetterwiseProblem problem{
      test::random_genome(random, 4, 9000, test::GenomeLetters::acgt), "NNNNNNGG", {{"ACGTACNN", 3}, {"TTRACANN", 2}}};
  SearchOptions options;
  const std::vector<OracleSite> expected = sites_of(problem, test::devices(), options);
  for (const Comparer comparer : letterwise) {
    options.comparer = comparer;
    EXPECT_EQ(sites_of(problem, test::devices(), options), expected) << to_string(comparer);
  }
}

TEST(Letterwise, LettersMismatchByTheRuleOfTheProgram) {
  for (Code code = 1; code <= any_base; ++code) {
    const char query = iupac_letter(code);
    for (Code genome = 0; genome <= any_base; ++genome) {
      const char letter = letter_of_code(genome);
      EXPECT_EQ(letter, iupac_letter(genome));
      EXPECT_EQ(letters_mismatch([&] { return query; }, [&] { return letter; }),
                is_mismatch(code, letter, Ambiguity::cas_offinder))
          << query << " and " << letter;
    }
  }
}

TEST(Letterwise, RefusesWhatTheComparersDoNotKnow) {
  const std::vector<exec::Device> host = {exec::Device::host()};
  const auto make = [&](const SearchOptions& options) {
    return Search(Pattern("NNNGG"), {{Pattern("ACGNN"), 0, ""}}, host, options);
  };
  for (const Comparer comparer : letterwise) {
    EXPECT_THROW(make({.dna_bulge = 1, .comparer = comparer}), Error);
    EXPECT_THROW(make({.rna_bulge = 1, .comparer = comparer}), Error);
    EXPECT_THROW(make({.ambiguity = Ambiguity::strict, .comparer = comparer}), Error);
    EXPECT_THROW(make({.ambiguity = Ambiguity::any, .comparer = comparer}), Error);
    EXPECT_NO_THROW(make({.best_per_locus = true, .comparer = comparer}));
  }
}

TEST(Letterwise, ComparersHaveNames) {
  for (const std::string_view name : comparer_names()) {
    EXPECT_EQ(to_string(parse_comparer(name)), name);
  }
  EXPECT_EQ(parse_comparer("opt3"), Comparer::opt3);
  for (const char* const name : {"", "opt5", "Base", "ours "}) {
    EXPECT_THROW(parse_comparer(name), Error) << name;
  }
}

}  // namespace
}  // namespace phpc::casoff
