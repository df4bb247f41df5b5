#pragma once
#include <limits>
#include <string_view>

#include "phpc/casoff/pattern.hpp"

/// How likely SpCas9 cuts at an off-target site, by the two scores in common use. Both know guides of 20 letters with a 3' PAM,
/// and mismatches, not bulges.
namespace phpc::casoff {

/// No score: not a number.
inline constexpr double no_score = std::numeric_limits<double>::quiet_NaN();

/// Whether a search is one for SpCas9, whose sites have scores: a pattern of 23 letters, 20 Ns and a PAM that NGG fits (NGG, NRG,
/// NNN, ...).
bool is_spcas9(const Pattern& pattern);

/// Cutting frequency determination: 0 to 1, the product of a weight for each mismatch, by its place and pair of bases, and one
/// for the PAM's last two letters (Doench et al., Nature Biotechnology 34, 184-191, 2016, supplementary table 19, to nine
/// decimals). `guide` and `site` are 23 letters, oriented like the guide; case does not matter. The guide's last three letters
/// are not looked at. no_score when the lengths differ from that, or one of the other letters is not A, C, G or T.
double cfd_score(std::string_view guide, std::string_view site);

/// The MIT score of a single site: 0 to 100 (Hsu et al., Nature Biotechnology 31, 827-832, 2013, as crispr.mit.edu defined it):
/// the product of 1 - weight over mismatched places, of 1 / (4 (19 - d) / 19 + 1) with d the mean distance between neighbouring
/// mismatches where there are two, and of 1 / n^2 with n the number of mismatches. The PAM has no weight; as there, only sites
/// with NGG or NAG have a score. Arguments and no_score as above.
double mit_score(std::string_view guide, std::string_view site);

/// The specificity of a guide, 0 to 100, from its sites as they come: 100 * 100 / (100 + sum) with the sum of the sites' scores,
/// MIT's as they are and CFD's times 100 (as CRISPOR defines both; GuideScan's CFD specificity is the same by 100). One perfect
/// site is the guide's target and is left out of the sum; every other site counts, sites without a score do not.
class Specificity {
 public:
  /// Scores of a site, which may be no_score.
  void add(double cfd, double mit, index_t mismatches);
  [[nodiscard]] double cfd() const;
  [[nodiscard]] double mit() const;

 private:
  double cfd_sum_ = 0;  ///< in units of CFD
  double mit_sum_ = 0;
  bool has_target_ = false;
};

}  // namespace phpc::casoff
