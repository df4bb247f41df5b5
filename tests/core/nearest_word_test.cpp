#include "phpc/core/nearest_word.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace phpc {
namespace {

const std::vector<std::string> solvers = {"bicgstab", "cg", "gmres", "idr", "lu", "sparse-lu", "tridiagonal", "lower", "upper"};
const std::vector<std::string> options = {"-h",     "--help", "-o", "--output", "--output-format",
                                          "--norm", "--axes", "-q", "--quiet"};

TEST(NearestWord, FindsWhatWasMeant) {
  for (const auto& [word, meant] : std::vector<std::pair<std::string, std::string>>{{"bicgstb", "bicgstab"},   // left out
                                                                                    {"gmress", "gmres"},       // put in
                                                                                    {"gmrez", "gmres"},        // exchanged
                                                                                    {"gc", "cg"},              // swapped
                                                                                    {"BiCGSTAB", "bicgstab"},  // case
                                                                                    {"tri", "tridiagonal"},    // begun
                                                                                    {"sparselu", "sparse-lu"}}) {
    EXPECT_EQ(nearest_word(word, solvers), meant) << word;
  }
  EXPECT_EQ(nearest_word("--nrom", options), "--norm");
  EXPECT_EQ(nearest_word("-norm", options), "--norm");
  EXPECT_EQ(nearest_word("--axis", options), "--axes");
  EXPECT_EQ(nearest_word("--outptu", options), "--output");
}

TEST(NearestWord, SaysNothingWhereNoneIsNear) {
  for (const std::string word : {"", "x", "multigrid", "ab", "zzzzzzzz"}) {
    EXPECT_EQ(nearest_word(word, solvers), std::nullopt) << word;
  }
  for (const std::string word : {"-x", "-", "--", "--zzzz", "--out-of-this-world"}) {
    EXPECT_EQ(nearest_word(word, options), std::nullopt) << word;
  }
  EXPECT_EQ(nearest_word(std::string(1000000, 'g'), solvers), std::nullopt);
  EXPECT_EQ(nearest_word("gmres", {}), std::nullopt);
}

TEST(NearestWord, EndsAMessage) {
  EXPECT_EQ(did_you_mean("gmrs", solvers), " (did you mean 'gmres'?)");
  EXPECT_EQ(did_you_mean("multigrid", solvers), "");
  EXPECT_EQ(did_you_mean("gmres", solvers), "") << "a word that is known and not there";
}

}  // namespace
}  // namespace phpc
