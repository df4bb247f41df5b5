#include "phpc/casoff/score.hpp"

#include <array>
#include <cmath>
#include <cstdint>

namespace phpc::casoff {

namespace {

constexpr std::size_t spacer_length = 20;
constexpr std::size_t site_length = 23;

constexpr std::array<std::int8_t, 256> make_base_table() {
  std::array<std::int8_t, 256> table{};
  table.fill(-1);
  constexpr std::string_view letters = "ACGTacgt";
  for (std::size_t i = 0; i < letters.size(); ++i) {
    table[static_cast<unsigned char>(letters[i])] = static_cast<std::int8_t>(i % 4);
  }
  return table;
}

constexpr std::array<std::int8_t, 256> base_table = make_base_table();

/// 0 to 3 for A, C, G, T in either case, -1 for other letters. A table: branches on random letters cost ten times as much.
constexpr int base_index(char letter) {
  return base_table[static_cast<unsigned char>(letter)];
}

using PlaceWeights = std::array<double, spacer_length>;

/// By place, from the end away from the PAM. "rA:dC" is an A of the guide beside a C of the strand that it binds, which is a G of
/// the site as rows show it. The pairs that are no mismatch (rA:dT, rC:dG, rG:dC, rU:dA) have no entry.
constexpr std::array<PlaceWeights, 12> cfd_weights{{
    // rA:dA
    {{1,           0.727272727, 0.705882353, 0.636363636, 0.363636364, 0.714285714, 0.4375,
      0.428571429, 0.6,         0.882352941, 0.307692308, 0.333333333, 0.3,         0.533333333,
      0.2,         0,           0.133333333, 0.5,         0.538461538, 0.6}},
    // rA:dC
    {{1,    0.8,         0.611111111, 0.625,       0.72, 0.714285714, 0.705882353, 0.733333333, 0.666666667, 0.555555556,
      0.65, 0.722222222, 0.652173913, 0.466666667, 0.65, 0.192307692, 0.176470588, 0.4,         0.375,       0.764705882}},
    // rA:dG
    {{0.857142857, 0.785714286, 0.428571429, 0.352941176, 0.5,         0.454545455, 0.4375,
      0.428571429, 0.571428571, 0.333333333, 0.4,         0.263157895, 0.210526316, 0.214285714,
      0.272727273, 0,           0.176470588, 0.19047619,  0.206896552, 0.227272727}},
    // rC:dA
    {{1,           0.909090909, 0.6875, 0.8,         0.636363636, 0.928571429, 0.8125,      0.875,       0.875,       0.941176471,
      0.307692308, 0.538461538, 0.7,    0.733333333, 0.066666667, 0.307692308, 0.466666667, 0.642857143, 0.461538462, 0.3}},
    // rC:dC
    {{0.913043478, 0.695652174, 0.5,         0.5, 0.6,  0.5,         0.470588235, 0.642857143, 0.619047619, 0.388888889,
      0.25,        0.444444444, 0.136363636, 0,   0.05, 0.153846154, 0.058823529, 0.133333333, 0.125,       0.058823529}},
    // rC:dT
    {{1,    0.727272727, 0.866666667, 0.842105263, 0.571428571, 0.928571429, 0.75,        0.65,        0.857142857, 0.866666667,
      0.75, 0.714285714, 0.384615385, 0.35,        0.222222222, 1,           0.466666667, 0.538461538, 0.428571429, 0.5}},
    // rG:dA
    {{1,           0.636363636, 0.5, 0.363636364, 0.3,         0.666666667, 0.571428571, 0.625,       0.533333333, 0.8125,
      0.384615385, 0.384615385, 0.3, 0.266666667, 0.142857143, 0,           0.25,        0.666666667, 0.666666667, 0.7}},
    // rG:dG
    {{0.714285714, 0.692307692, 0.384615385, 0.529411765, 0.785714286, 0.681818182, 0.6875,
      0.615384615, 0.538461538, 0.4,         0.428571429, 0.529411765, 0.421052632, 0.428571429,
      0.272727273, 0,           0.235294118, 0.476190476, 0.448275862, 0.428571429}},
    // rG:dT
    {{0.9, 0.846153846, 0.75,        0.9,  0.866666667, 1, 1,           1,           0.642857143, 0.933333333,
      1,   0.933333333, 0.923076923, 0.75, 0.941176471, 1, 0.933333333, 0.692307692, 0.714285714, 0.9375}},
    // rU:dC
    {{0.956521739, 0.84, 0.5,         0.625, 0.64, 0.571428571, 0.588235294, 0.733333333, 0.619047619, 0.5,
      0.4,         0.5,  0.260869565, 0,     0.05, 0.346153846, 0.117647059, 0.333333333, 0.25,        0.176470588}},
    // rU:dG
    {{0.857142857, 0.857142857, 0.428571429, 0.647058824, 1,           0.909090909, 0.6875,
      1,           0.923076923, 0.533333333, 0.666666667, 0.947368421, 0.789473684, 0.285714286,
      0.272727273, 0.666666667, 0.705882353, 0.428571429, 0.275862069, 0.090909091}},
    // rU:dT
    {{1,    0.846153846, 0.714285714, 0.476190476, 0.5,         0.866666667, 0.875,       0.8,         0.928571429, 0.857142857,
      0.75, 0.8,         0.692307692, 0.619047619, 0.578947368, 0.909090909, 0.533333333, 0.666666667, 0.285714286, 0.5625}},
}};

/// By the PAM's last two letters.
constexpr std::array<std::array<double, 4>, 4> cfd_pam_weights{{
    {0, 0, 0.259259259, 0},
    {0, 0, 0.107142857, 0},
    {0.069444444, 0.022222222, 1, 0.016129032},
    {0, 0, 0.038961039, 0},
}};

constexpr PlaceWeights mit_weights{0,     0,     0.014, 0,     0,     0.395, 0.317, 0,     0.389, 0.079,
                                   0.445, 0.508, 0.613, 0.851, 0.732, 0.828, 0.615, 0.804, 0.685, 0.583};

/// The weight of a guide's base beside a site's other base.
double cfd_weight(int guide, int site, std::size_t place) {
  const int bound = 3 - site;  // the complement
  const int skipped = 3 - guide;
  return cfd_weights[static_cast<std::size_t>(3 * guide + bound - (bound > skipped ? 1 : 0))][place];
}

/// Guide and site as bases; `known` is false where a letter is none of A, C, G, T, or their lengths are others.
struct Bases {
  std::array<int, spacer_length> guide{};
  std::array<int, site_length> site{};
  bool known = false;

  Bases(std::string_view guide_letters, std::string_view site_letters) {
    if (guide_letters.size() != site_length || site_letters.size() != site_length) {
      return;
    }
    int all = 0;  // negative where one of the numbers is
    for (std::size_t i = 0; i < spacer_length; ++i) {
      guide[i] = base_index(guide_letters[i]);
      all |= guide[i];
    }
    for (std::size_t i = 0; i < site_length; ++i) {
      site[i] = base_index(site_letters[i]);
      all |= site[i];
    }
    known = all >= 0;
  }
};

}  // namespace

bool is_spcas9(const Pattern& pattern) {
  if (pattern.size() != static_cast<int>(site_length)) {
    return false;
  }
  const std::vector<Code>& codes = pattern.codes();
  for (std::size_t i = 0; i < spacer_length; ++i) {
    if (codes[i] != any_base) {
      return false;
    }
  }
  const Code g = iupac_code('G');
  return codes[spacer_length] == any_base && (codes[spacer_length + 1] & g) != 0 && (codes[spacer_length + 2] & g) != 0;
}

double cfd_score(std::string_view guide, std::string_view site) {
  const Bases bases(guide, site);
  if (!bases.known) {
    return no_score;
  }
  double score = 1;
  for (std::size_t i = 0; i < spacer_length; ++i) {
    if (bases.guide[i] != bases.site[i]) {
      score *= cfd_weight(bases.guide[i], bases.site[i], i);
    }
  }
  return score * cfd_pam_weights[static_cast<std::size_t>(bases.site[21])][static_cast<std::size_t>(bases.site[22])];
}

double mit_score(std::string_view guide, std::string_view site) {
  const Bases bases(guide, site);
  const int a = base_index('A');
  const int g = base_index('G');
  if (!bases.known || (bases.site[21] != g && bases.site[21] != a) || bases.site[22] != g) {
    return no_score;
  }
  double score = 100;
  int mismatches = 0;
  int first = 0;
  int last = 0;
  for (std::size_t i = 0; i < spacer_length; ++i) {
    if (bases.guide[i] != bases.site[i]) {
      score *= 1 - mit_weights[i];
      last = static_cast<int>(i);
      first = mismatches == 0 ? last : first;
      ++mismatches;
    }
  }
  if (mismatches > 1) {
    // The distances between neighbours add up to that between the outermost.
    const double mean_distance = static_cast<double>(last - first) / (mismatches - 1);
    score /= 4 * (19 - mean_distance) / 19 + 1;
  }
  return mismatches == 0 ? score : score / (mismatches * mismatches);
}

void Specificity::add(double cfd, double mit, index_t mismatches) {
  // A perfect match beside a weaker PAM is an off-target like others; one with NGG has the CFD score 1.
  if (mismatches == 0 && cfd == 1 && !has_target_) {
    has_target_ = true;
    return;
  }
  cfd_sum_ += std::isnan(cfd) ? 0 : cfd;
  mit_sum_ += std::isnan(mit) ? 0 : mit;
}

double Specificity::cfd() const {
  return 100 / (1 + cfd_sum_);
}

double Specificity::mit() const {
  return 100 * 100 / (100 + mit_sum_);
}

}  // namespace phpc::casoff
