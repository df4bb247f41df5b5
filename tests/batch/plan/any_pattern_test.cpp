// Krylov methods on systems of any pattern and size. On NVIDIA GPUs these take the kernels of slice layouts in each of their
// shapes, up to the most rows that these hold and beyond.
#include <cmath>

#include "batch/solver_fixture.hpp"
#include "phpc/batch/plan.hpp"

namespace phpc::batch {
namespace {

class AnyPatternTest : public SolverTest {
 protected:
  static constexpr unsigned pattern_seed = 20261126;
  static constexpr double tolerance = 1e-9;

  /// b - A x by the definition, against what is reported, which rounding may change by a 16th of what is accepted.
  static void check_residuals(const SystemBatch& batch, const Solved& solved) {
    for (index_t system = 0; system < batch.systems(); ++system) {
      const Report& report = solved.reports[static_cast<std::size_t>(system)];
      EXPECT_EQ(report.status, Status::converged) << "system " << system << ": " << to_string(report.status);
      long double squared = 0;
      long double rhs = 0;
      for (index_t row = 0; row < batch.rows(); ++row) {
        const auto at = static_cast<std::size_t>(system * batch.rows());
        long double sum = batch.rhs[at + static_cast<std::size_t>(row)];
        rhs += sum * sum;
        for (auto entry = batch.pattern.row_offsets[static_cast<std::size_t>(row)];
             entry < batch.pattern.row_offsets[static_cast<std::size_t>(row) + 1]; ++entry) {
          sum -= static_cast<long double>(batch.values[static_cast<std::size_t>(system * batch.pattern.entries() + entry)]) *
                 solved.x[at + static_cast<std::size_t>(batch.pattern.columns[static_cast<std::size_t>(entry)])];
        }
        squared += sum * sum;
      }
      const auto norm = static_cast<double>(std::sqrt(rhs));
      EXPECT_NEAR(report.residual_norm / norm, static_cast<double>(std::sqrt(squared)) / norm, tolerance / 8);
      EXPECT_LE(report.residual_norm, tolerance * norm);
    }
  }

  void check(const SystemBatch& batch, Options options) {
    options.tolerance = tolerance;
    options.max_iterations = 500;
    SCOPED_TRACE(testing::Message() << options.solver << " with " << options.preconditioner << ", " << batch.rows() << " rows, "
                                    << batch.pattern.entries() << " entries, seed " << pattern_seed << ": "
                                    << Plan<double>::describe(GetParam(), batch.pattern, options));
    const Solved solved = solve_here(batch, options);
    check_residuals(batch, solved);
    expect_same_bytes(solved, solve_here(batch, options));
  }
};

TEST_P(AnyPatternTest, AnyNumberOfRowsAndEntries) {
  for (const index_t rows : {4, 31, 65, 100, 129, 257, 300, 513, 1024, 1025, 2048, 2049}) {
    for (const test::EntriesOfARow entries : {test::EntriesOfARow{2, 3}, {3, 30}, {40, 40}}) {
      const index_t systems = rows > 300 ? 2 : 5;
      check(test::random_systems(Structure::general, rows, systems, pattern_seed, 1e4, entries), {.solver = "bicgstab"});
      check(test::random_systems(Structure::symmetric, rows, systems, pattern_seed, 1, entries),
            {.solver = "cg", .preconditioner = "none"});
    }
    const SystemBatch batch = test::random_systems(Structure::symmetric, rows, 2, pattern_seed, 1e4, {3, 30});
    check(batch, {.solver = "cg"});
    check(batch, {.solver = "bicgstab", .inner_precision = Precision::f32});
    check(batch, {.solver = "cg", .inner_precision = Precision::f32});
  }
}

TEST_P(AnyPatternTest, AgainstTheOracle) {
  for (const index_t rows : {66, 150}) {
    const SystemBatch batch = test::random_systems(Structure::general, rows, 7, pattern_seed, 1e3, {3, 30});
    const Solved solved = solve_here(batch, {.tolerance = tolerance});
    for (index_t system = 0; system < batch.systems(); ++system) {
      test::check_solution(batch, system, solved.x, solved.reports[static_cast<std::size_t>(system)], tolerance);
    }
  }
}

TEST_P(AnyPatternTest, Floats) {
  for (const index_t rows : {5, 70, 400, 2048}) {
    const SystemBatch batch =
        test::rounded_to_float(test::random_systems(Structure::symmetric, rows, 3, pattern_seed, 1, {3, 30}));
    const std::vector<float> values(batch.values.begin(), batch.values.end());
    const std::vector<float> rhs(batch.rhs.begin(), batch.rhs.end());
    for (const std::string solver : {"cg", "bicgstab"}) {
      std::vector<float> x(rhs.size(), 0.0F);
      const std::vector<exec::Device> devices{GetParam()};
      Solved solved;
      solved.reports =
          solve<float>({batch.pattern, values, batch.systems()}, rhs, x, {.solver = solver, .tolerance = 1e-5}, devices);
      solved.x.assign(x.begin(), x.end());
      for (Report& report : solved.reports) {
        EXPECT_EQ(report.status, Status::converged) << solver << ", " << rows << " rows, seed " << pattern_seed;
        EXPECT_LE(report.relative_residual(), 1e-5);
      }
    }
  }
}

TEST_P(AnyPatternTest, BadSystemsDoNotTouchTheirNeighbours) {
  for (const index_t rows : {66, 200, 700}) {
    const SystemBatch good = test::random_systems(Structure::general, rows, 9, pattern_seed, 1, {3, 30});
    SystemBatch batch = good;
    const auto entries = static_cast<std::size_t>(batch.pattern.entries());
    batch.values[5 * entries] = std::numeric_limits<double>::quiet_NaN();
    batch.values[8 * entries - 1] = std::numeric_limits<double>::infinity();
    const Solved expected = solve_here(good, {.tolerance = tolerance});
    const Solved solved = solve_here(batch, {.tolerance = tolerance});
    for (std::size_t system = 0; system < 9; ++system) {
      const auto begin = static_cast<index_t>(system) * rows;
      const std::vector<double> x(solved.x.begin() + begin, solved.x.begin() + begin + rows);
      if (system == 5 || system == 7) {
        EXPECT_EQ(solved.reports[system].status, Status::not_finite) << "system " << system;
        EXPECT_EQ(x, std::vector<double>(static_cast<std::size_t>(rows), 0.0));
      } else {
        EXPECT_EQ(x, std::vector<double>(expected.x.begin() + begin, expected.x.begin() + begin + rows)) << "system " << system;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, AnyPatternTest, testing::ValuesIn(test::devices()),
                         [](const auto& instance) { return test::test_name(instance.param); });

}  // namespace
}  // namespace phpc::batch
