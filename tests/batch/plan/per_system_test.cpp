// What a solve takes and gives for each system beside b and x; several right-hand sides.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "batch/solver_fixture.hpp"
#include "phpc/core/error.hpp"

namespace phpc::batch {
namespace {

class PerSystemTest : public SolverTest {};

TEST_P(PerSystemTest, EachSystemToItsOwnTolerance) {
  const SystemBatch batch = random_systems(Structure::symmetric, 40, 19, seed);
  std::vector<double> tolerances;
  for (std::size_t system = 0; system < 19; ++system) {
    tolerances.push_back(system % 5 == 4 ? 10 : std::pow(10, -2 - static_cast<double>(system % 5) * 3));
  }
  for (const Precision inner : {Precision::f64, Precision::f32}) {
    const std::vector<std::string> mixed = mixed_solver_names();
    for (const std::string& solver : krylov) {
      if (inner == Precision::f32 && std::find(mixed.begin(), mixed.end(), solver) == mixed.end()) {
        continue;
      }
      const Options options{.solver = solver, .inner_precision = inner};
      const Solved solved = solve_here(batch, options, {}, {.tolerances = tolerances});
      for (index_t system = 0; system < 19; ++system) {
        const auto at = static_cast<std::size_t>(system);
        EXPECT_EQ(solved.reports[at].status, Status::converged);
        test::check_solution(batch, system, solved.x, solved.reports[at], tolerances[at]);
        Options alone = options;
        alone.tolerance = tolerances[at];
        EXPECT_EQ(solved.reports[at].iterations, solve_here(batch, alone).reports[at].iterations) << "neighbours do not matter";
      }
      EXPECT_EQ(solved.reports[4].iterations, 0);
      EXPECT_LT(solved.reports[0].iterations, solved.reports[3].iterations);
    }
  }
}

TEST_P(PerSystemTest, HistoriesOfResiduals) {
  const SystemBatch batch = random_systems(Structure::symmetric, 40, 19, seed);
  std::vector<std::string> solvers = dependable;
  solvers.emplace_back("richardson");
  for (const Precision inner : {Precision::f64, Precision::f32}) {
    for (const std::string& solver : inner == Precision::f32 ? mixed_solver_names() : solvers) {
      SCOPED_TRACE(testing::Message() << solver << " in " << (inner == Precision::f32 ? "f32" : "f64") << ", seed " << seed);
      const Options options{
          .solver = solver, .tolerance = 1e-11, .max_iterations = 77, .team_size = scratch_team_size(), .inner_precision = inner};
      std::vector<double> history(19 * 78, 5.0);
      const Solved solved = solve_here(batch, options, {}, {.history = history});
      expect_same_bytes(solved, solve_here(batch, options));
      for (std::size_t system = 0; system < 19; ++system) {
        const Report& report = solved.reports[system];
        const std::span<const double> own(history.data() + system * 78, 78);
        const auto last = static_cast<std::size_t>(report.iterations);
        EXPECT_EQ(own[0], report.rhs_norm) << "x = 0";
        EXPECT_EQ(own[last], report.residual_norm) << "no cycle made it worse here";
        for (std::size_t i = 0; i < own.size(); ++i) {
          EXPECT_EQ(std::isnan(own[i]), i > last) << "system " << system << ", iteration " << i << " of " << last;
        }
      }
    }
  }
}

TEST_P(PerSystemTest, AHistoryIsOfTheIteratesThatItSays) {
  // Stopped after k iterations, a method has the iterate whose norm a longer run noted for k.
  const SystemBatch batch = random_systems(Structure::symmetric, 30, 3, seed);
  for (const std::string& solver : krylov) {
    std::vector<double> history(3 * 31);
    solve_here(batch, {.solver = solver, .tolerance = 1e-10, .max_iterations = 30}, {}, {.history = history});
    for (const index_t k : {1, 2, 5}) {
      const Solved stopped = solve_here(batch, {.solver = solver, .tolerance = 1e-10, .max_iterations = k});
      for (std::size_t system = 0; system < 3; ++system) {
        const double noted = history[system * 31 + static_cast<std::size_t>(k)];
        EXPECT_NEAR(stopped.reports[system].residual_norm, noted, 1e-9 * noted) << solver << ", iteration " << k;
      }
    }
  }
}

TEST_P(PerSystemTest, ATrueResidualARoundingErrorAboveTheToleranceIsNoStagnation) {
  // Each tolerance is the norm that the method's recursion has at some iteration: the true one may be larger by rounding.
  const SystemBatch batch = random_systems(Structure::symmetric, 40, 29, seed);
  for (const std::string& solver : krylov) {
    SCOPED_TRACE(testing::Message() << solver << ", seed " << seed);
    std::vector<double> history(29 * 121);
    const Solved longer =
        solve_here(batch, {.solver = solver, .tolerance = 1e-12, .max_iterations = 120}, {}, {.history = history});
    std::vector<double> tolerances;
    for (std::size_t system = 0; system < 29; ++system) {
      std::size_t k = 0;
      while (history[system * 121 + k] > 1e-9 * longer.reports[system].rhs_norm) {
        ++k;
      }
      tolerances.push_back(history[system * 121 + k] / longer.reports[system].rhs_norm);
    }
    const Solved solved = solve_here(batch, {.solver = solver, .max_iterations = 120}, {}, {.tolerances = tolerances});
    for (index_t system = 0; system < 29; ++system) {
      const auto at = static_cast<std::size_t>(system);
      EXPECT_EQ(solved.reports[at].status, Status::converged) << to_string(solved.reports[at].status) << ", system " << system;
      test::check_solution(batch, system, solved.x, solved.reports[at], tolerances[at]);
    }
  }
}

TEST_P(PerSystemTest, HistoriesOfWhatIsSickOrDone) {
  SystemBatch batch = random_systems(Structure::general, 12, 4, seed);
  batch.rhs[3] = std::numeric_limits<double>::infinity();
  std::fill_n(batch.rhs.begin() + 12, 12, 0.0);
  std::vector<double> history(4 * 25);
  solve_here(batch, {}, {}, {.history = history});
  EXPECT_TRUE(std::isnan(history[0]));
  EXPECT_EQ(history[25], 0);
  EXPECT_TRUE(std::isnan(history[26]));
  EXPECT_GT(history[2 * 25 + 1], 0);
}

TEST_P(PerSystemTest, SeveralRightHandSidesShareAMatrix) {
  constexpr index_t rows = 23;
  constexpr index_t systems = 7;
  const SystemBatch few = random_systems(Structure::symmetric, rows, systems, seed);
  for (const index_t sides : {1, 2, 5, 20}) {
    SystemBatch all = few;
    all.values.clear();
    all.rhs.clear();
    for (index_t solve = 0; solve < systems * sides; ++solve) {
      const auto values = few.values.begin() + solve / sides * few.pattern.entries();
      all.values.insert(all.values.end(), values, values + few.pattern.entries());
      for (index_t row = 0; row < rows; ++row) {
        all.rhs.push_back(std::sin(static_cast<double>(solve * rows + row)));
      }
    }
    for (const Precision inner : {Precision::f64, Precision::f32}) {
      const Options options{.tolerance = 1e-10, .inner_precision = inner};
      Options shared = options;
      shared.rhs_per_system = sides;
      // In one piece, and in parts that begin with any right-hand side.
      for (const std::size_t parts : {1, 11}) {
        Solved solved{std::vector<double>(all.rhs.size(), 0.0), {}};
        const std::vector<exec::Device> devices(parts, GetParam());
        solved.reports = solve<double>(few.matrix(), all.rhs, solved.x, shared, devices);
        ASSERT_EQ(solved.reports.size(), static_cast<std::size_t>(systems * sides));
        expect_same_bytes(solved, solve_here(all, options));
      }
    }
  }
}

TEST_P(PerSystemTest, SeveralRightHandSidesOfAFewSetsRepeated) {
  const SystemBatch few = random_systems(Structure::general, 9, 3, seed);
  constexpr index_t systems = 8;
  constexpr index_t sides = 4;
  SystemBatch all = few;
  all.values.clear();
  all.rhs.clear();
  for (index_t solve = 0; solve < systems * sides; ++solve) {
    const auto values = few.values.begin() + solve / sides % 3 * few.pattern.entries();
    all.values.insert(all.values.end(), values, values + few.pattern.entries());
    for (index_t row = 0; row < 9; ++row) {
      all.rhs.push_back(std::cos(static_cast<double>(solve * 9 + row)));
    }
  }
  const CsrBatch<double> tiled(few.pattern, few.values, systems);
  const std::vector<exec::Device> devices(5, GetParam());
  Solved solved{std::vector<double>(all.rhs.size(), 0.0), {}};
  solved.reports = solve<double>(tiled, all.rhs, solved.x, {.rhs_per_system = sides}, devices);
  expect_same_bytes(solved, solve_here(all, {}));
}

INSTANTIATE_TEST_SUITE_P(Devices, PerSystemTest, testing::ValuesIn(test::devices()),
                         [](const auto& instance) { return test::test_name(instance.param); });

TEST(PerSystemOptions, WrongSizesAreUsageErrors) {
  const SystemBatch batch = equal_systems({2}, {1}, 2);
  const auto kind_of = [&](const Options& options, const PerSystem& per_system) {
    try {
      solve_all(batch, options, {exec::Device::host()}, {}, per_system);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::memory;
  };
  std::vector<double> three(3, 1.0);
  std::vector<double> two(2, 1.0);
  std::vector<double> below{1.0, -1.0};
  EXPECT_EQ(kind_of({}, {.tolerances = three}), ErrorKind::usage);
  EXPECT_EQ(kind_of({}, {.tolerances = below}), ErrorKind::usage);
  EXPECT_EQ(kind_of({}, {.history = three}), ErrorKind::usage);
  EXPECT_EQ(kind_of({.rhs_per_system = 0}, {}), ErrorKind::usage);
  EXPECT_EQ(kind_of({.rhs_per_system = 2}, {}), ErrorKind::usage) << "two right-hand sides are missing";
  EXPECT_EQ(kind_of({}, {.row_factors = two, .column_factors = two}), ErrorKind::usage);
  EXPECT_EQ(kind_of({.scaling = Scaling::given}, {}), ErrorKind::usage);
  EXPECT_EQ(kind_of({.scaling = Scaling::given}, {.row_factors = three, .column_factors = three}), ErrorKind::usage);
  EXPECT_EQ(kind_of({.scaling = Scaling::given}, {.row_factors = two, .column_factors = below}), ErrorKind::usage);
  EXPECT_EQ(kind_of({.max_iterations = 1}, {.history = three}), ErrorKind::usage);
}

}  // namespace
}  // namespace phpc::batch
