#include "phpc/casoff/score.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <random>

namespace phpc::casoff {
namespace {

const std::string all_g(23, 'G');

TEST(CfdScore, IsThatOfPublishedExamples) {
  // Those of CRISPOR's source, after the authors' program.
  EXPECT_NEAR(cfd_score(all_g, "GGGGGGGGGGGGGGGGGAAAGGG"), 0.4635989007074176, 1e-15);
  EXPECT_EQ(cfd_score(all_g, all_g), 1.0);
  EXPECT_NEAR(cfd_score(all_g, "aaaaGaGaGGGGGGGGGGGGGGG"), 0.5140384614450001, 1e-15);
  EXPECT_NEAR(cfd_score("ATGGTCGGACTCCCTGCCAGAGG", "ATGGTGGGACTCCCTGCCAGAGG"), 0.5, 1e-15);
  EXPECT_NEAR(cfd_score("ATGGTCGGACTCCCTGCCAGAGG", "ATGATCCAAATCCCTGCCAGAGG"), 0.53625000020625, 1e-15);
  EXPECT_NEAR(cfd_score("ATGTGGAGATTGCCACCTACCGG", "ATCTGGAGATTGCCACCTACAGG"), 0.384615385, 1e-15);
  // Those of crisprScore's tests, to three decimals.
  const std::string guide = "ATCGATGCTGATGCTAGATANNN";
  const std::map<std::string, double> sites{{"ATCGATGCTGATGCTAGATAAGG", 1},     {"ATCGATGCTGATGCTAGATAAAG", 0.259},
                                            {"ATCGATGCTGATGCTAGATAAGA", 0.069}, {"ATCGATGCTGATGCTAGATAAGT", 0.016},
                                            {"TTCGATGCTGATGCTAGATAAGG", 1},     {"TTCGATGCTGATGCTAGATGAGG", 0.765},
                                            {"TTCGATGCTAATCCTAGATGAGG", 0.301}};
  for (const auto& [site, score] : sites) {
    EXPECT_NEAR(cfd_score(guide, site), score, 0.0005) << site;
  }
}

TEST(CfdScore, TakesItsWeightsFromTheRightPlaces) {
  // One entry of the published table for each pair of bases, at different places (1-based).
  struct Entry {
    char guide;
    char bound;  // base of the strand that the guide binds
    std::size_t place;
    double weight;
  };
  const std::vector<Entry> entries{{'A', 'A', 17, 0.133333333}, {'A', 'C', 4, 0.625},        {'A', 'G', 12, 0.263157895},
                                   {'C', 'A', 10, 0.941176471}, {'C', 'C', 13, 0.136363636}, {'C', 'T', 15, 0.222222222},
                                   {'G', 'A', 5, 0.3},          {'G', 'G', 19, 0.448275862}, {'G', 'T', 20, 0.9375},
                                   {'T', 'C', 2, 0.84},         {'T', 'G', 16, 0.666666667}, {'T', 'T', 9, 0.928571429}};
  const std::map<char, char> complement{{'A', 'T'}, {'C', 'G'}, {'G', 'C'}, {'T', 'A'}};
  for (const Entry& entry : entries) {
    std::string guide = all_g;
    guide[entry.place - 1] = entry.guide;
    std::string site = guide;
    site[entry.place - 1] = complement.at(entry.bound);
    EXPECT_EQ(cfd_score(guide, site), entry.weight) << entry.guide << entry.bound << entry.place;
  }
}

TEST(Scores, AreThereOnlyForWhatTheyKnow) {
  for (const auto& [guide, site] :
       std::vector<std::pair<std::string, std::string>>{{all_g.substr(1), all_g.substr(1)},  // too short
                                                        {all_g + "G", all_g + "G"},          // too long
                                                        {all_g, all_g.substr(1)},            // unlike
                                                        {"R" + all_g.substr(1), all_g},      // a degenerate guide
                                                        {all_g, all_g.substr(0, 22) + "N"},  // an ambiguous PAM
                                                        {all_g, "n" + all_g.substr(1)},      // an ambiguous site
                                                        {all_g, all_g.substr(0, 5) + "-" + all_g.substr(6)}}) {  // a bulge
    EXPECT_TRUE(std::isnan(cfd_score(guide, site))) << guide << ' ' << site;
    EXPECT_TRUE(std::isnan(mit_score(guide, site))) << guide << ' ' << site;
  }
  EXPECT_EQ(cfd_score(all_g, all_g.substr(0, 21) + "TT"), 0);
  EXPECT_TRUE(std::isnan(mit_score(all_g, all_g.substr(0, 21) + "TG")));
  EXPECT_EQ(mit_score(all_g, all_g.substr(0, 21) + "AG"), 100);
}

TEST(Scores, AreForSpCas9) {
  for (const char* const pattern : {"NNNNNNNNNNNNNNNNNNNNNGG", "nnnnnnnnnnnnnnnnnnnnnrg", "NNNNNNNNNNNNNNNNNNNNNNN"}) {
    EXPECT_TRUE(is_spcas9(Pattern(pattern))) << pattern;
  }
  for (const char* const pattern : {"NNNNNNNNNNNNNNNNNNNNNGA", "NNNNNNNNNNNNNNNNNNNNGG", "TTTVNNNNNNNNNNNNNNNNNNN",
                                    "NNNNNNNNNNNNNNNNNNNNGRRT", "NNNNNNNNNNNNNNNNNNNNCGG", "CCNNNNNNNNNNNNNNNNNNNNN"}) {
    EXPECT_FALSE(is_spcas9(Pattern(pattern))) << pattern;
  }
}

TEST(MitScore, IsThatOfPublishedExamples) {
  // CRISPOR's, cut to whole numbers there, and crisprScore's.
  EXPECT_EQ(std::floor(mit_score(all_g, all_g)), 100);
  EXPECT_EQ(std::floor(mit_score("A" + all_g.substr(1), all_g)), 100);
  EXPECT_EQ(std::floor(mit_score(all_g, "GGGGGGGGGGGGGGGGGGGAGGG")), 41);
  EXPECT_NEAR(mit_score("ATCGATGCTGATGCTAGATANNN", "ATCGATGCTGATGCTAGATTAGG"), 41.7, 1e-12);
  EXPECT_NEAR(mit_score("ATCGATGCTGATGCTAGATANNN", "ACCGATGCTGATGCTAGATAAGG"), 100, 1e-12);
}

/// The definition, with every distance between neighbours.
double mit_by_definition(const std::string& guide, const std::string& site) {
  const std::vector<double> weights{0,     0,     0.014, 0,     0,     0.395, 0.317, 0,     0.389, 0.079,
                                    0.445, 0.508, 0.613, 0.851, 0.732, 0.828, 0.615, 0.804, 0.685, 0.583};
  std::vector<std::size_t> places;
  double product = 1;
  for (std::size_t i = 0; i < 20; ++i) {
    if (guide[i] != site[i]) {
      places.push_back(i);
      product *= 1 - weights[i];
    }
  }
  if (places.empty()) {
    return 100;
  }
  std::vector<double> distances;
  for (std::size_t i = 1; i < places.size(); ++i) {
    distances.push_back(static_cast<double>(places[i] - places[i - 1]));
  }
  const auto count = static_cast<double>(places.size());
  if (!distances.empty()) {
    const double mean = std::accumulate(distances.begin(), distances.end(), 0.0) / static_cast<double>(distances.size());
    product *= 1 / ((19 - mean) / 19 * 4 + 1);
  }
  return 100 * product / (count * count);
}

TEST(MitScore, IsTheFormulas) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 1000; ++i) {
    std::string guide = all_g;
    std::string site = all_g;
    for (std::size_t place = 0; place < 20; ++place) {
      guide[place] = "ACGT"[random() % 4];
      site[place] = random() % 4 == 0 ? "ACGT"[random() % 4] : guide[place];
    }
    EXPECT_NEAR(mit_score(guide, site), mit_by_definition(guide, site), 1e-12) << guide << ' ' << site;
  }
}

TEST(Specificity, LeavesOutOneTarget) {
  Specificity none;
  EXPECT_EQ(none.cfd(), 100);
  EXPECT_EQ(none.mit(), 100);
  Specificity guide;
  guide.add(1, 100, 0);
  EXPECT_EQ(guide.cfd(), 100);
  EXPECT_EQ(guide.mit(), 100);
  guide.add(0.25, 60, 2);
  EXPECT_DOUBLE_EQ(guide.cfd(), 100 / 1.25);
  EXPECT_DOUBLE_EQ(guide.mit(), 10000.0 / 160);
  guide.add(no_score, no_score, 1);
  guide.add(1, 100, 0);  // a second perfect site is an off-target
  EXPECT_DOUBLE_EQ(guide.cfd(), 100 / 2.25);
  EXPECT_DOUBLE_EQ(guide.mit(), 10000.0 / 260);
  Specificity weak;
  weak.add(0.259259259, 100, 0);  // NAG: no target
  EXPECT_DOUBLE_EQ(weak.cfd(), 100 / 1.259259259);
}

}  // namespace
}  // namespace phpc::casoff
