#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "phpc/casoff/search.hpp"
#include "phpc/core/error.hpp"
#include "support/casoff_oracle.hpp"
#include "support/devices.hpp"
#include "support/random_rounds.hpp"

namespace phpc::casoff {
namespace {

using test::OracleGuide;
using test::OracleSite;

struct BulgeProblem {
  std::vector<Contig> contigs;
  std::string pattern;
  std::vector<OracleGuide> guides;
  test::OracleBulges bulges;
  Ambiguity ambiguity;
};

/// A short piece of a contig, read on either strand, with letters lost, added and changed.
std::string distorted(std::mt19937_64& random, const std::string& from, std::size_t length) {
  std::string letters = from.size() < length ? test::random_letters(random, "ACGT", length)
                                             : from.substr(random() % (from.size() - length + 1), length);
  for (char& letter : letters) {
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    letter = iupac_code(letter) == no_base ? 'A' : letter;
  }
  if (random() % 2 == 0) {
    std::reverse(letters.begin(), letters.end());
    std::transform(letters.begin(), letters.end(), letters.begin(), complement_letter);
  }
  for (std::size_t edits = random() % 3; edits > 0; --edits) {
    const std::size_t at = random() % letters.size();
    if (random() % 2 == 0) {
      letters.erase(at, 1);
      letters += "ACGT"[random() % 4];
    } else {
      letters.insert(at, 1, "ACGT"[random() % 4]);
      letters.erase(random() % 2 == 0 ? 0 : letters.size() - 1, 1);
    }
  }
  return letters;
}

/// PAM on either side, letters of the pattern anywhere, guides near to pieces of the genome, tiny contigs.
BulgeProblem random_bulge_problem(std::mt19937_64& random) {
  const auto letters = random() % 3 != 0 ? test::GenomeLetters::acgt : test::GenomeLetters::ambiguous;
  BulgeProblem problem{test::random_genome(random, 1 + static_cast<int>(random() % 4), 300, letters), "", {}, {}, {}};
  problem.bulges.mixed = random() % 3 == 0;
  problem.bulges.dna = static_cast<int>(random() % (problem.bulges.mixed ? 3 : 4));
  problem.bulges.rna = static_cast<int>(random() % (problem.bulges.mixed ? 3 : 4));
  const std::size_t core = problem.bulges.mixed ? 2 + random() % 6 : random() % 8 == 0 ? 30 + random() % 29 : 3 + random() % 20;
  const std::string pam = std::vector<std::string>{"GG", "RG", "N", "NGG", ""}[random() % 5];
  const bool pam_is_last = random() % 2 == 0;
  std::string own(core, 'N');
  if (random() % 4 == 0) {
    own[1 + random() % (core - 1)] = "ACGTR"[random() % 5];
  }
  problem.pattern = pam_is_last ? own + pam : pam + own;
  for (std::size_t guide = 0; guide < 1 + random() % 5; ++guide) {
    std::string sequence = distorted(random, problem.contigs[random() % problem.contigs.size()].letters, core);
    if (random() % 4 == 0) {
      sequence[random() % core] = "NRYBN"[random() % 5];
    }
    sequence = random() % 40 == 0 ? std::string(core, 'N') : sequence;
    const std::string blank(pam.size(), 'N');
    problem.guides.push_back(
        {pam_is_last ? sequence + blank : blank + sequence, static_cast<index_t>(random() % (core / 5 + 2))});
  }
  problem.ambiguity = static_cast<Ambiguity>(random() % 3);
  return problem;
}

SearchOptions options_of(const BulgeProblem& problem) {
  SearchOptions options;
  options.ambiguity = problem.ambiguity;
  options.dna_bulge = problem.bulges.dna;
  options.rna_bulge = problem.bulges.rna;
  options.bulge_mode = problem.bulges.mixed ? BulgeMode::mixed : BulgeMode::single;
  return options;
}

/// What the search finds, checked to be in order, then in the oracle's order.
std::vector<OracleSite> run(const BulgeProblem& problem, exec::Device device, const SearchOptions& options) {
  Search search(Pattern(problem.pattern), test::as_guides(problem.guides), {device}, options);
  const std::vector<FoundSite> found = search_contigs(problem.contigs, search);
  const auto key = [](const FoundSite& one) {
    return std::tuple(one.site.contig, one.site.position, one.site.strand, one.site.guide, one.site.variant);
  };
  for (std::size_t i = 1; i < found.size(); ++i) {
    EXPECT_LT(key(found[i - 1]), key(found[i]));
  }
  std::vector<OracleSite> sites = test::as_oracle_sites(found, search, test::GuideRows::kept);
  std::sort(sites.begin(), sites.end());
  return sites;
}

/// What only one of them has.
std::string difference(const std::vector<OracleSite>& found, const std::vector<OracleSite>& expected) {
  std::vector<OracleSite> only;
  std::ostringstream out;
  std::set_difference(found.begin(), found.end(), expected.begin(), expected.end(), std::back_inserter(only));
  for (const OracleSite& site : only) {
    out << "found: " << site << '\n';
  }
  only.clear();
  std::set_difference(expected.begin(), expected.end(), found.begin(), found.end(), std::back_inserter(only));
  for (const OracleSite& site : only) {
    out << "not found: " << site << '\n';
  }
  return found.size() - expected.size() == 0 || !out.str().empty() ? out.str() : "some sites are there twice";
}

class BulgeSearch : public testing::TestWithParam<exec::Device> {};

TEST_P(BulgeSearch, AgreesWithTheOracleOnRandomGenomes) {
  const int problems = test::random_rounds(GetParam().is_host() ? 150 : 40);
  std::size_t sites = 0;
  for (int seed = 0; seed < problems; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937_64 random(static_cast<unsigned>(seed));
    const BulgeProblem problem = random_bulge_problem(random);
    SearchOptions options = options_of(problem);
    options.chunk_bases = 100 + static_cast<index_t>(random() % 400);
    options.batch_sites = random() % 2 == 0 ? 1 + static_cast<index_t>(random() % 200) : options.batch_sites;
    const std::vector<OracleSite> expected =
        test::oracle_bulge_search(problem.contigs, problem.pattern, problem.guides, problem.bulges, problem.ambiguity);
    ASSERT_EQ(difference(run(problem, GetParam(), options), expected), "") << "pattern " << problem.pattern;
    options.best_per_locus = true;
    ASSERT_EQ(difference(run(problem, GetParam(), options), test::oracle_best(expected, problem.pattern)), "")
        << "pattern " << problem.pattern;
    sites += expected.size();
  }
  EXPECT_GT(sites, 1000U);
}

TEST_P(BulgeSearch, GivesTheSameForEveryChunkAndBatchSize) {
  constexpr unsigned seed = 4;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  BulgeProblem problem{test::random_genome(random, 3, 3000, test::GenomeLetters::acgt), "NNNNNNNRG", {}, {2, 2, false}, {}};
  for (int guide = 0; guide < 4; ++guide) {
    problem.guides.push_back({test::random_letters(random, "ACGT", 7) + "NN", 1});
  }
  const std::vector<OracleSite> expected =
      test::oracle_bulge_search(problem.contigs, problem.pattern, problem.guides, problem.bulges, problem.ambiguity);
  EXPECT_GT(expected.size(), 100U);
  const std::vector<OracleSite> best = test::oracle_best(expected, problem.pattern);
  EXPECT_LT(best.size(), expected.size());
  for (const index_t chunk : {1, 200, 1000, 1 << 20}) {
    for (const index_t batch : {1, 100, 1 << 20}) {
      SearchOptions options = options_of(problem);
      options.chunk_bases = chunk;
      options.batch_sites = batch;
      ASSERT_EQ(difference(run(problem, GetParam(), options), expected), "") << "chunk " << chunk << ", batch " << batch;
      options.best_per_locus = true;
      ASSERT_EQ(difference(run(problem, GetParam(), options), best), "") << "chunk " << chunk << ", batch " << batch;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, BulgeSearch, testing::ValuesIn(test::devices()), test::DeviceName());

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line);
  }
  return lines;
}

/// Rows as golden.v3.tsv has them, sorted.
std::vector<std::string> version_3_rows(const std::filesystem::path& folder, const std::vector<std::string>& input) {
  std::istringstream head(input[1]);
  std::string pattern;
  SearchOptions options;
  head >> pattern >> options.dna_bulge >> options.rna_bulge;
  std::vector<Guide> guides;
  for (std::size_t line = 2; line < input.size() && !input[line].empty(); ++line) {
    std::istringstream fields(input[line]);
    std::string sequence;
    std::string id = std::to_string(line - 2);
    index_t threshold = 0;
    fields >> sequence >> threshold >> id;
    guides.push_back({Pattern(sequence), threshold, id.empty() ? std::to_string(line - 2) : id});
  }
  std::vector<Contig> contigs;
  for (const std::string& line : lines_of(folder / input[0])) {
    if (line.starts_with('>')) {
      contigs.push_back({line.substr(1), ""});
    } else {
      contigs.back().letters += line;
    }
  }
  Search search(Pattern(pattern), guides, {exec::Device::host()}, options);
  std::vector<std::string> rows;
  for (const FoundSite& one : search_contigs(contigs, search)) {
    const Variant& variant = search.variants()[static_cast<std::size_t>(one.site.variant)];
    std::ostringstream row;
    row << guides[static_cast<std::size_t>(one.site.guide)].id << '\t'
        << (variant.dna_bulge > 0   ? "DNA"
            : variant.rna_bulge > 0 ? "RNA"
                                    : "X")
        << '\t' << variant.guide_row << '\t' << one.letters << '\t' << contigs[static_cast<std::size_t>(one.site.contig)].name
        << '\t' << one.site.position << '\t' << to_char(one.site.strand) << '\t' << one.site.mismatches << '\t'
        << variant.dna_bulge + variant.rna_bulge;
    rows.push_back(row.str());
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

TEST(BulgeRows, AreThoseOfTheSharedCases) {
  const char* const shared = std::getenv("PHPC_SHARED");
  const std::filesystem::path cases = std::filesystem::path(shared == nullptr ? "" : shared) / "cases" / "casoff";
  if (shared == nullptr || !std::filesystem::exists(cases)) {
    GTEST_SKIP() << "no shared cases here";
  }
  int compared = 0;
  for (const auto& folder : std::filesystem::directory_iterator(cases)) {
    const std::vector<std::string> input = lines_of(folder.path() / "input.v3.txt");
    if (input.size() < 3 || !input[0].ends_with(".fa")) {
      continue;
    }
    SCOPED_TRACE(folder.path().filename().string());
    EXPECT_EQ(version_3_rows(folder.path(), input), lines_of(folder.path() / "golden.v3.tsv"));
    ++compared;
  }
  EXPECT_GE(compared, 10);
}

TEST(Variants, AreCountedAndOrdered) {
  const Pattern pattern("NNNNNNNNNNNNNNNNNNNNNRG");
  const std::vector<Pattern> guides = {Pattern("GGCCGACCTGTCGCTGACGCNNN"), Pattern("NNNNNNNNNNNNNNNNNNNNNNN")};
  const std::vector<Variant> variants = make_variants(pattern, guides, {.dna = 1, .rna = 1});
  ASSERT_EQ(variants.size(), 1U + 20 + 19 + 1);
  EXPECT_EQ(variants[0].guide_row, guides[0].text());
  EXPECT_EQ(variants[0].site_length(), 23);
  EXPECT_EQ(variants[1].guide_row, "G-GCCGACCTGTCGCTGACGCNNN");
  EXPECT_EQ(variants[1].site_length(), 24);
  EXPECT_EQ(variants[20].guide_row, "GGCCGACCTGTCGCTGACGC-NNN");
  EXPECT_EQ(variants[21].site_gaps, "-......................");
  EXPECT_EQ(variants[21].site_length(), 22);
  EXPECT_EQ(variants[40].guide, 1);
  // With the PAM on the left, the gap that changes nothing is the one on the right.
  const std::vector<Pattern> right = {Pattern("NNNNACGT")};
  const std::vector<Variant> mirrored = make_variants(Pattern("TTTVNNNN"), right, {.dna = 1, .rna = 0});
  ASSERT_EQ(mirrored.size(), 5U);
  EXPECT_EQ(mirrored[1].guide_row, "NNNN-ACGT");
  EXPECT_EQ(mirrored[4].guide_row, "NNNNACG-T");
}

TEST(Variants, MixBulgesThatDoNotTouch) {
  const std::vector<Pattern> guides = {Pattern("ACGN")};
  std::vector<std::string> rows;
  for (const Variant& variant : make_variants(Pattern("NNNG"), guides, {.dna = 1, .rna = 1, .mode = BulgeMode::mixed})) {
    rows.push_back(variant.guide_row + " " + variant.site_gaps);
  }
  EXPECT_EQ(rows, (std::vector<std::string>{"ACGN ....", "A-CGN .....", "AC-GN .....", "ACG-N .....", "ACGN -...", "ACGN .-..",
                                            "AC-GN -....", "ACG-N -....", "ACG-N .-..."}));
}

TEST(Variants, RefuseWhatIsTooMuch) {
  const std::vector<Pattern> guides = {Pattern(std::string(40, 'A'))};
  const Pattern pattern(std::string(40, 'N'));
  EXPECT_THROW(make_variants(pattern, guides, {.dna = -1}), Error);
  EXPECT_THROW(make_variants(pattern, guides, {.dna = 25}), Error);
  EXPECT_NO_THROW(make_variants(pattern, guides, {.dna = 24}));
  EXPECT_THROW(make_variants(pattern, guides, {.dna = 8, .rna = 8, .mode = BulgeMode::mixed}), Error);
}

}  // namespace
}  // namespace phpc::casoff
