// Systems scaled within the solve: a better condition, and nothing else about them.
#include <gtest/gtest.h>

#include <cmath>

#include "batch/solver_fixture.hpp"
#include "phpc/core/error.hpp"

namespace phpc::batch {
namespace {

class ScalingTest : public SolverTest {};

/// D A D^-1 and D b of well-conditioned systems, where D runs over `decades` orders of magnitude up and down the rows: the form
/// of the Newton matrices of chemical mechanisms.
SystemBatch similar(const SystemBatch& source, double decades) {
  SystemBatch batch = source;
  const auto factor = [&](index_t row) { return std::pow(10.0, decades * std::sin(static_cast<double>(3 * row + 1))); };
  for (index_t system = 0; system < batch.systems(); ++system) {
    for (index_t row = 0; row < batch.rows(); ++row) {
      for (auto entry = batch.pattern.row_offsets[static_cast<std::size_t>(row)];
           entry < batch.pattern.row_offsets[static_cast<std::size_t>(row) + 1]; ++entry) {
        batch.values[static_cast<std::size_t>(system * batch.pattern.entries() + entry)] *=
            factor(row) / factor(batch.pattern.columns[static_cast<std::size_t>(entry)]);
      }
      batch.rhs[static_cast<std::size_t>(system * batch.rows() + row)] *= factor(row);
    }
  }
  return batch;
}

TEST_P(ScalingTest, FactorsThatScaleNothingChangeNoByte) {
  const SystemBatch batch = random_systems(Structure::general, 37, 19, seed);
  const std::vector<double> ones(37, 1.0);
  expect_same_bytes(solve_here(batch, {.team_size = scratch_team_size()}),
                    solve_here(batch, {.team_size = scratch_team_size(), .scaling = Scaling::given}, {},
                               {.row_factors = ones, .column_factors = ones}));
}

TEST_P(ScalingTest, PowersOfTwoUndoThemselves) {
  // The scaled system given, and factors that take it back: the same steps, the same bits of x but for its own powers of two.
  const SystemBatch plain = random_systems(Structure::general, 37, 19, seed);
  SystemBatch batch = plain;
  std::vector<double> row_factors;
  std::vector<double> column_factors;
  for (int row = 0; row < 37; ++row) {
    row_factors.push_back(std::ldexp(1.0, 20 * (row % 5) - 40));
    column_factors.push_back(std::ldexp(1.0, 30 - 15 * (row % 7)));
  }
  for (index_t system = 0; system < batch.systems(); ++system) {
    for (std::size_t row = 0; row < 37; ++row) {
      for (auto entry = batch.pattern.row_offsets[row]; entry < batch.pattern.row_offsets[row + 1]; ++entry) {
        batch.values[static_cast<std::size_t>(system * batch.pattern.entries() + entry)] /=
            row_factors[row] * column_factors[static_cast<std::size_t>(batch.pattern.columns[static_cast<std::size_t>(entry)])];
      }
      batch.rhs[static_cast<std::size_t>(system) * 37 + row] /= row_factors[row];
    }
  }
  const Solved solved = solve_here(batch, {.solver = "lu", .team_size = scratch_team_size(), .scaling = Scaling::given}, {},
                                   {.row_factors = row_factors, .column_factors = column_factors});
  const Solved expected = solve_here(plain, {.solver = "lu", .team_size = scratch_team_size()});
  for (std::size_t i = 0; i < solved.x.size(); ++i) {
    EXPECT_EQ(solved.x[i] / column_factors[i % 37], expected.x[i]);
  }
  for (index_t system = 0; system < batch.systems(); ++system) {
    test::check_solution(batch, system, solved.x, solved.reports[static_cast<std::size_t>(system)], 1e-6);
  }
}

TEST_P(ScalingTest, AutomaticScalingSolvesWhatIsBadlyScaled) {
  for (const std::string solver : {"bicgstab", "gmres", "lu", "sparse-lu"}) {
    // GMRES without restarts, which may stagnate.
    const SystemBatch batch = similar(random_systems(Structure::general, solver == "gmres" ? 18 : 40, 19, seed), 5);
    for (const Precision inner : {Precision::f64, Precision::f32}) {
      SCOPED_TRACE(testing::Message() << solver << ", seed " << seed);
      const Options options{
          .solver = solver, .tolerance = 1e-8, .max_iterations = 200, .inner_precision = inner, .scaling = Scaling::automatic};
      expect_status(batch, options, Status::converged);
    }
  }
}

TEST_P(ScalingTest, ScalingForConjugateGradientsKeepsTheSymmetry) {
  const SystemBatch batch = random_systems(Structure::symmetric, 50, 17, seed, 1e6);
  const Options plain{.solver = "cg", .preconditioner = "none", .tolerance = 1e-9, .max_iterations = 300};
  Options scaled = plain;
  scaled.scaling = Scaling::automatic;
  expect_status(batch, scaled, Status::converged);
  EXPECT_LT(solve_here(batch, scaled).reports[3].iterations, solve_here(batch, plain).reports[3].iterations);
  std::vector<double> rows(50, 2.0);
  std::vector<double> columns(50, 4.0);
  EXPECT_THROW(
      solve_here(batch, {.solver = "cg", .scaling = Scaling::given}, {}, {.row_factors = rows, .column_factors = columns}),
      Error);
}

TEST_P(ScalingTest, FactorsOfEachSetOfValues) {
  const SystemBatch batch = similar(random_systems(Structure::general, 20, 6, seed), 4);
  std::vector<double> rows;
  std::vector<double> columns;
  for (index_t system = 0; system < 6; ++system) {
    for (index_t row = 0; row < 20; ++row) {
      const double size = std::pow(10.0, -4 * std::sin(static_cast<double>(3 * row + 1)));
      rows.push_back(size * static_cast<double>(system + 1));
      columns.push_back(1 / size);
    }
  }
  const Options options{.tolerance = 1e-9, .scaling = Scaling::given};
  const Solved together = solve_here(batch, options, {}, {.row_factors = rows, .column_factors = columns});
  for (index_t system = 0; system < 6; ++system) {
    test::check_solution(batch, system, together.x, together.reports[static_cast<std::size_t>(system)], 1e-9);
    EXPECT_EQ(together.reports[static_cast<std::size_t>(system)].status, Status::converged);
  }
  expect_same_bytes(together, solve_all(batch, options, {GetParam(), GetParam(), GetParam()}, {},
                                        {.row_factors = rows, .column_factors = columns}));
}

TEST_P(ScalingTest, WithoutRoomInScratchTheSameBytes) {
  const SystemBatch batch = similar(random_systems(Structure::general, 60, 9, seed), 3);
  for (const Precision inner : {Precision::f64, Precision::f32}) {
    const Options options{.tolerance = 1e-9, .inner_precision = inner, .scaling = Scaling::automatic};
    const Solved roomy = solve_here(batch, options);
    for (const std::size_t limit : {1, 1000, 2500}) {
      Options cramped = options;
      cramped.scratch_limit = limit;
      expect_same_bytes(roomy, solve_here(batch, cramped));
    }
  }
}

TEST_P(ScalingTest, EmptyRowsAndNansAreWhatTheyWere) {
  SystemBatch batch = equal_systems({2, 1, 0, 0, 0, 0, 0, 1, 3}, {1, 2, 3}, 5);
  batch.values[batch.place(3, 0, 0)] = std::numeric_limits<double>::quiet_NaN();
  const Solved scaled = solve_here(batch, {.scaling = Scaling::automatic});
  for (std::size_t system = 0; system < 5; ++system) {
    EXPECT_NE(scaled.reports[system].status, Status::converged);
    EXPECT_EQ(scaled.reports[system].status == Status::not_finite, system == 3) << to_string(scaled.reports[system].status);
    EXPECT_TRUE(std::isfinite(scaled.x[3 * system]));
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, ScalingTest, testing::ValuesIn(test::devices()),
                         [](const auto& instance) { return test::test_name(instance.param); });

}  // namespace
}  // namespace phpc::batch
