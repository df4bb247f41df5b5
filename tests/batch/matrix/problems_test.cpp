#include "phpc/batch/problems.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "phpc/batch/choose_solver.hpp"
#include "phpc/batch/solver.hpp"
#include "phpc/core/error.hpp"
#include "support/linear_systems.hpp"

namespace phpc::batch {
namespace {

std::vector<double> values_of(const Problem& problem, index_t set) {
  std::vector<double> values(static_cast<std::size_t>(problem.pattern().entries()), std::nan(""));
  problem.fill_values(set, values);
  return values;
}

std::vector<double> rhs_of(const Problem& problem, index_t system) {
  std::vector<double> rhs(static_cast<std::size_t>(problem.pattern().rows()), std::nan(""));
  problem.fill_rhs(system, rhs);
  return rhs;
}

/// A(row, column), zero where no entry is.
double at(const Problem& problem, const std::vector<double>& values, std::int32_t row, std::int32_t column) {
  const CsrPattern& pattern = problem.pattern();
  for (auto entry = pattern.row_offsets[static_cast<std::size_t>(row)];
       entry < pattern.row_offsets[static_cast<std::size_t>(row) + 1]; ++entry) {
    if (pattern.columns[static_cast<std::size_t>(entry)] == column) {
      return values[static_cast<std::size_t>(entry)];
    }
  }
  return 0;
}

/// The words of some doubles, folded into one.
std::uint64_t fold(const std::vector<double>& values) {
  std::uint64_t sum = 0xcbf29ce484222325U;  // FNV-1a over whole words
  for (const double value : values) {
    std::uint64_t word = 0;
    std::memcpy(&word, &value, sizeof word);
    sum = (sum ^ word) * 0x100000001b3U;
  }
  return sum;
}

const std::vector<std::string> all_problems{"stencil3:1",     "stencil3:40",      "lesp:1",      "lesp:17",     "random-spd:1,1",
                                            "random-spd:2,4", "random-spd:30,94", "chemistry:1", "chemistry:23"};

TEST(Problems, ArePatternsWithFiniteValuesThatDependOnSeedAndSystemAlone) {
  for (const std::string& text : all_problems) {
    SCOPED_TRACE(text);
    const Problem problem(text, 7);
    EXPECT_NO_THROW(problem.pattern().validate());
    const Problem same(text, 7);
    const Problem other(text, 8);
    for (const index_t system : {index_t{0}, index_t{5}, index_t{1} << 40}) {
      const std::vector<double> values = values_of(problem, system);
      const std::vector<double> rhs = rhs_of(problem, system);
      for (const double value : values) {
        EXPECT_TRUE(std::isfinite(value));
      }
      for (const double value : rhs) {
        EXPECT_TRUE(std::isfinite(value));
      }
      EXPECT_EQ(same.pattern().columns, problem.pattern().columns);
      EXPECT_EQ(values_of(same, system), values);
      EXPECT_EQ(rhs_of(same, system), rhs);
      if (text.starts_with("lesp")) {
        EXPECT_EQ(values_of(problem, system + 1), values);
        EXPECT_EQ(problem.value_sets(10), 1);
      } else {
        EXPECT_NE(values_of(problem, system + 1), values);
        EXPECT_NE(values_of(other, system), values);
        EXPECT_EQ(problem.value_sets(10), 10);
      }
      EXPECT_EQ(problem.value_sets(0), 0);
    }
  }
}

/// Written down on x86-64 with clang, and the same with g++, with and without fused multiply-add.
TEST(Problems, AreTheSameOnEveryMachine) {
  const std::pair<const char*, std::uint64_t> known[] = {{"stencil3:40", 7089640583185698368U},
                                                         {"lesp:17", 4725194361178458955U},
                                                         {"random-spd:30,94", 3284010771112654924U},
                                                         {"chemistry:23", 16524217129278590702U}};
  for (const auto& [text, sum] : known) {
    const Problem problem(text, 15);
    std::vector<double> all = values_of(problem, 3);
    const std::vector<double> rhs = rhs_of(problem, 3);
    all.insert(all.end(), rhs.begin(), rhs.end());
    EXPECT_EQ(fold(all), sum) << text;
  }
}

TEST(Problems, StencilsHaveThePapersMoments) {
  const Problem problem("stencil3:64", 15);
  double sum = 0;
  double squares = 0;
  index_t count = 0;
  for (index_t system = 0; system < 500; ++system) {
    const std::vector<double> values = values_of(problem, system);
    for (std::int32_t row = 0; row < 64; ++row) {
      const double h = 2 / at(problem, values, row, row);
      sum += h;
      squares += h * h;
      ++count;
      EXPECT_EQ(at(problem, values, row, row + 1), row < 63 ? -1 : 0);
      EXPECT_EQ(at(problem, values, row, row - 1), row > 0 ? -1 : 0);
    }
    const std::vector<double> rhs = rhs_of(problem, system);
    EXPECT_EQ(std::count(rhs.begin(), rhs.end(), rhs[0]), 64);
  }
  const double mean = sum / static_cast<double>(count);
  EXPECT_NEAR(mean, 0.5, 0.003);
  EXPECT_NEAR(std::sqrt(squares / static_cast<double>(count) - mean * mean), 0.1, 0.003);
}

TEST(Problems, LespIsMatlabs) {
  const Problem problem("lesp:4", 0);
  const std::vector<double> expected{-5, 2, 0.5, -7, 3, 1.0 / 3, -9, 4, 0.25, -11};
  EXPECT_EQ(values_of(problem, 0), expected);
}

TEST(Problems, RandomOnesAreSymmetricAndDominant) {
  for (const char* const text : {"random-spd:50,50", "random-spd:50,318", "random-spd:12,144"}) {
    const Problem problem(text, 3);
    const std::vector<double> values = values_of(problem, 9);
    EXPECT_EQ(problem.pattern().entries(), std::atoi(std::strchr(text, ',') + 1));
    for (std::int32_t row = 0; row < problem.pattern().rows(); ++row) {
      double others = 0;
      for (std::int32_t column = 0; column < problem.pattern().rows(); ++column) {
        EXPECT_EQ(at(problem, values, row, column), at(problem, values, column, row));
        others += column == row ? 0 : std::fabs(at(problem, values, row, column));
      }
      EXPECT_GE(at(problem, values, row, row), others + 0.49);
    }
  }
}

TEST(Problems, ChemistryIsNearlyFullAndBadlyScaled) {
  const Problem problem("chemistry:54", 15);
  EXPECT_NEAR(static_cast<double>(problem.pattern().entries()), 0.9 * 54 * 54, 150);
  const std::vector<double> values = values_of(problem, 0);
  double largest = 0;
  double smallest = 1;
  for (const double value : values) {
    largest = std::max(largest, std::fabs(value));
    smallest = std::min(smallest, std::fabs(value));
  }
  EXPECT_GT(largest / smallest, 1e9);
}

TEST(Problems, AreSolvedByWhatIsChosenForThem) {
  const std::pair<const char*, const char*> problems[] = {{"stencil3:64", "tridiagonal"}, {"lesp:64", "tridiagonal"},
                                                          {"random-spd:64,400", "cg"},    {"random-spd:10,20", "lu"},
                                                          {"chemistry:54", "lu"},         {"stencil3:1", "lower"}};
  const exec::Device host = exec::Device::host();
  for (const auto& [text, solver] : problems) {
    SCOPED_TRACE(text);
    constexpr index_t systems = 37;
    const Problem problem(text, 15);
    const index_t rows = problem.pattern().rows();
    std::vector<double> values;
    std::vector<double> rhs;
    for (index_t system = 0; system < systems; ++system) {
      const std::vector<double> set = values_of(problem, system);
      const std::vector<double> right = rhs_of(problem, system);
      values.insert(values.end(), set.begin(), set.end());
      rhs.insert(rhs.end(), right.begin(), right.end());
    }
    const SolverChoice choice = choose_solver(problem.pattern(), values_of(problem, 0));
    EXPECT_EQ(choice.solver, solver) << choice.reason;
    std::vector<double> x(static_cast<std::size_t>(systems * rows), 0.0);
    const auto reports = solve<double>({problem.pattern(), values}, rhs, x,
                                       {.solver = choice.solver, .preconditioner = choice.preconditioner}, std::span(&host, 1));
    for (const Report& report : reports) {
      EXPECT_EQ(report.status, Status::converged);
    }
  }
}

TEST(Problems, RefuseOtherTexts) {
  for (const char* const text : {"", "stencil3", "stencil3:", "stencil3:0", "stencil3:-4", "stencil3:4,4", "stencil3:4x",
                                 "lesp:99999999999", "poisson:4", "random-spd:4", "random-spd:4,3", "random-spd:4,5",
                                 "random-spd:4,18", "random-spd:4,6,1", "chemistry:46341", ":4", "4"}) {
    try {
      const Problem problem(text, 0);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage) << text;
    }
  }
}

}  // namespace
}  // namespace phpc::batch
