// Solves with A^T: against solves of matrices that are transposed element by element.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>

#include "batch/solver_fixture.hpp"
#include "phpc/batch/plan.hpp"
#include "phpc/core/error.hpp"

namespace phpc::batch {
namespace {

class TransposeTest : public SolverTest {
 protected:
  unsigned random_seed_ = std::random_device{}();
};

/// Where a pattern has an element, if it does.
std::optional<std::size_t> entry_at(const CsrPattern& pattern, index_t row, index_t column) {
  for (auto entry = pattern.row_offsets[static_cast<std::size_t>(row)];
       entry < pattern.row_offsets[static_cast<std::size_t>(row) + 1]; ++entry) {
    if (pattern.columns[static_cast<std::size_t>(entry)] == column) {
      return static_cast<std::size_t>(entry);
    }
  }
  return std::nullopt;
}

/// The batch with each matrix transposed, element by element.
SystemBatch turned(const SystemBatch& batch) {
  SystemBatch result{{{0}, {}}, {}, batch.rhs};
  std::vector<std::size_t> sources;
  for (index_t row = 0; row < batch.rows(); ++row) {
    for (index_t column = 0; column < batch.rows(); ++column) {
      if (const auto entry = entry_at(batch.pattern, column, row)) {
        result.pattern.columns.push_back(static_cast<std::int32_t>(column));
        sources.push_back(*entry);
      }
    }
    result.pattern.row_offsets.push_back(static_cast<std::int32_t>(sources.size()));
  }
  for (std::size_t set = 0; set < batch.values.size(); set += sources.size()) {
    for (const std::size_t source : sources) {
      result.values.push_back(batch.values[set + source]);
    }
  }
  return result;
}

Options with_transpose(Options options) {
  options.operation = Operation::transpose;
  return options;
}

TEST_P(TransposeTest, IsASolveOfTheTransposedMatrixToTheLastBit) {
  SCOPED_TRACE("seed " + std::to_string(random_seed_));
  for (const index_t rows : {1, 5, 16, 33, 70}) {
    const SystemBatch batch = random_systems(Structure::general, rows, 21, random_seed_, 100);
    const SystemBatch transpose = turned(batch);
    for (const std::string& solver : solver_names()) {
      if (solver == "tridiagonal" || solver == "lower" || solver == "upper") {
        continue;  // of other patterns
      }
      for (const std::string& preconditioner : preconditioner_names()) {
        for (const Scaling scaling : {Scaling::none, Scaling::automatic}) {
          SCOPED_TRACE(testing::Message() << rows << " rows, " << solver << " with " << preconditioner);
          const Options options{.solver = solver, .preconditioner = preconditioner, .tolerance = 1e-9, .scaling = scaling};
          expect_same_bytes(solve_here(batch, with_transpose(options)), solve_here(transpose, options));
        }
        if (!takes_preconditioner(solver)) {
          break;
        }
      }
    }
    for (const std::string& solver : mixed_solver_names()) {
      const Options options{.solver = solver, .tolerance = 1e-12, .inner_precision = Precision::f32};
      expect_same_bytes(solve_here(batch, with_transpose(options)), solve_here(transpose, options));
    }
  }
}

TEST_P(TransposeTest, SolvesTheTransposedSystem) {
  SCOPED_TRACE("seed " + std::to_string(random_seed_));
  const SystemBatch batch = random_systems(Structure::general, 40, 30, random_seed_);
  const SystemBatch transpose = turned(batch);
  for (const char* const solver : {"bicgstab", "gmres", "idr", "lu", "sparse-lu"}) {
    SCOPED_TRACE(solver);
    const Solved solved = solve_here(batch, with_transpose({.solver = solver, .tolerance = 1e-10}));
    for (index_t system = 0; system < batch.systems(); ++system) {
      const Report& report = solved.reports[static_cast<std::size_t>(system)];
      EXPECT_EQ(report.status, Status::converged);
      test::check_solution(transpose, system, solved.x, report, 1e-10);
    }
    EXPECT_NE(solved.x, solve_here(batch, {.solver = solver, .tolerance = 1e-10}).x) << "these matrices are not symmetric";
  }
}

TEST_P(TransposeTest, ChangesWhichTriangleAMatrixFills) {
  const SystemBatch lower = equal_systems({2, 0, 0, 1, 4, 0, 3, 1, 5}, {2, 9, 10},
                                          9);  // A^T x = b: x3 = 10/5, x2 = (9 - x3) / 4, x1 = (2 - x2 - 3 x3) / 2
  const Solved solved = solve_here(lower, with_transpose({.solver = "upper", .tolerance = 1e-14}));
  EXPECT_NEAR(solved.x[0], (2 - 1.75 - 6) / 2, 1e-14);
  EXPECT_NEAR(solved.x[1], 1.75, 1e-14);
  EXPECT_NEAR(solved.x[2], 2, 1e-14);
  EXPECT_THROW(solve_here(lower, with_transpose({.solver = "lower"})), Error);
  EXPECT_THROW(solve_here(lower, {.solver = "upper"}), Error);
  const SystemBatch band = equal_systems({4, 1, 0, 2, 4, 1, 0, 2, 4}, {4, 5, 6}, 9);
  expect_same_bytes(solve_here(band, with_transpose({.solver = "tridiagonal"})),
                    solve_here(turned(band), {.solver = "tridiagonal"}));
}

/// Few sets that many systems repeat, several right-hand sides each, and pieces that end within both.
TEST_P(TransposeTest, RepeatedMatricesAndSeveralRightHandSides) {
  SCOPED_TRACE("seed " + std::to_string(random_seed_));
  const SystemBatch batch = random_systems(Structure::general, 6, 7, random_seed_);
  const SystemBatch transpose = turned(batch);
  constexpr index_t many = 20000;
  for (const index_t repeat : {index_t{1}, index_t{3}}) {
    std::vector<double> rhs(static_cast<std::size_t>(many * repeat * 6));
    std::mt19937 random(random_seed_);
    std::generate(rhs.begin(), rhs.end(), [&] { return std::uniform_real_distribution<double>(-1, 1)(random); });
    const auto solved = [&](const SystemBatch& of, const Options& options) {
      Solved result;
      result.x.assign(rhs.size(), 0);
      const CsrBatch<double> matrices(of.pattern, of.values, many);
      result.reports = solve<double>(matrices, rhs, result.x, options, std::vector{GetParam()});
      return result;
    };
    const Options options{.solver = "lu", .tolerance = 1e-10, .rhs_per_system = repeat};
    expect_same_bytes(solved(batch, with_transpose(options)), solved(transpose, options));
  }
}

TEST_P(TransposeTest, FactorsAreThoseOfTheTranspose) {
  SCOPED_TRACE("seed " + std::to_string(random_seed_));
  const SystemBatch batch = random_systems(Structure::general, 20, 15, random_seed_);
  const SystemBatch transpose = turned(batch);
  std::mt19937 random(random_seed_);
  for (const std::size_t sets : {std::size_t{1}, std::size_t{15}}) {
    std::vector<double> row_factors(sets * 20);
    std::vector<double> column_factors(sets * 20);
    for (std::vector<double>* const factors : {&row_factors, &column_factors}) {
      std::generate(factors->begin(), factors->end(), [&] { return std::ldexp(1.0, static_cast<int>(random() % 20) - 10); });
    }
    const PerSystem given{.row_factors = row_factors, .column_factors = column_factors};
    const Options options{.tolerance = 1e-9, .scaling = Scaling::given};
    expect_same_bytes(solve_here(batch, with_transpose(options), {}, given), solve_here(transpose, options, {}, given));
  }
}

/// A plan that is used again, for other numbers of solves that begin at other sets.
TEST_P(TransposeTest, ByAPlan) {
  SCOPED_TRACE("seed " + std::to_string(random_seed_));
  const SystemBatch batch = random_systems(Structure::general, 12, 9, random_seed_);
  const Solved expected = solve_here(turned(batch), {.solver = "lu"});
  Plan<double> plan(GetParam(), batch.pattern, 9, with_transpose({.solver = "lu"}));
  const exec::Buffer<double> values(GetParam(), std::span<const double>(batch.values));
  for (const auto& [first, count] : std::vector<std::pair<index_t, index_t>>{{2, 3}, {0, 9}, {8, 1}, {0, 0}, {4, 5}}) {
    const std::span<const double> own(batch.rhs.data() + first * 12, static_cast<std::size_t>(count * 12));
    const exec::Buffer<double> rhs(GetParam(), own);
    exec::Buffer<double> x(GetParam(), std::span<const double>(std::vector<double>(own.size(), 0)));
    exec::Buffer<Report> reports(GetParam(), count);
    plan.execute(count, 9, first, values.data(), rhs.data(), x.data(), reports.data());
    std::vector<double> solution(own.size());
    x.copy_to(solution);
    EXPECT_TRUE(std::equal(solution.begin(), solution.end(), expected.x.begin() + first * 12)) << first << ", " << count;
  }
  EXPECT_NE(Plan<double>::describe(GetParam(), batch.pattern, with_transpose({})).find("order of A^T"), std::string::npos);
}

TEST(TransposedPattern, TurnsAPatternAndSaysWhereEntriesStood) {
  const TransposedPattern result = transposed({{0, 2, 2, 5}, {0, 2, 0, 1, 2}});
  EXPECT_EQ(result.pattern.row_offsets, (std::vector<std::int32_t>{0, 2, 3, 5}));
  EXPECT_EQ(result.pattern.columns, (std::vector<std::int32_t>{0, 2, 2, 0, 2}));
  EXPECT_EQ(result.order, (std::vector<std::int32_t>{0, 2, 3, 1, 4}));
  EXPECT_EQ(transposed({{0, 0}, {}}).pattern.row_offsets, (std::vector<std::int32_t>{0, 0}));
}

INSTANTIATE_TEST_SUITE_P(Devices, TransposeTest, testing::ValuesIn(test::devices()),
                         [](const auto& instance) { return test::test_name(instance.param); });

}  // namespace
}  // namespace phpc::batch
