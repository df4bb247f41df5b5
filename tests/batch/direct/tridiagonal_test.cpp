// Tridiagonal systems of every size that kernels of their own are made for, and beyond, against the Thomas algorithm in long
// double.
#include <gtest/gtest.h>

#include "batch/direct/tridiagonal_systems.hpp"
#include "batch/solver_fixture.hpp"

namespace phpc::batch {
namespace {

using test::check_by_thomas;
using test::random_tridiagonal;
using test::ThomasCheck;

class TridiagonalTest : public SolverTest {};

TEST_P(TridiagonalTest, DominantSystemsOfAnySize) {
  for (const index_t rows : {1, 2, 3, 4, 5, 16, 17, 31, 64, 65, 127, 128, 129, 256, 300, 513, 1000, 1025, 2048, 2049}) {
    SCOPED_TRACE(testing::Message() << rows << " rows, seed " << seed);
    const SystemBatch batch = random_tridiagonal(rows, 37, 2.05, seed + static_cast<unsigned>(rows));
    const Options options{.solver = "tridiagonal", .tolerance = 1e-14};
    const Solved solved = solve_here(batch, options);
    for (index_t system = 0; system < batch.systems(); ++system) {
      const Report& report = solved.reports[static_cast<std::size_t>(system)];
      EXPECT_EQ(report.status, Status::converged) << to_string(report.status);
      EXPECT_EQ(report.iterations, 1) << "the first elimination is as good as that";
      const ThomasCheck checked = check_by_thomas(batch, system, solved.x.data() + system * rows);
      EXPECT_LE(checked.residual, 1e-14L);
      EXPECT_LE(checked.difference, 1e-13L);
    }
    expect_same_bytes(solved, solve_here(batch, options));
  }
}

TEST_P(TridiagonalTest, SinglePrecision) {
  for (const index_t rows : {1, 7, 16, 33, 128, 200, 1024, 2000}) {
    SCOPED_TRACE(testing::Message() << rows << " rows, seed " << seed);
    const SystemBatch batch = test::rounded_to_float(random_tridiagonal(rows, 21, 2.05, seed - static_cast<unsigned>(rows)));
    const std::vector<float> values(batch.values.begin(), batch.values.end());
    const std::vector<float> rhs(batch.rhs.begin(), batch.rhs.end());
    std::vector<float> x(rhs.size(), 0.0F);
    const CsrBatch<float> matrix{batch.pattern, values, batch.systems()};
    const std::vector<exec::Device> devices{GetParam()};
    const std::vector<Report> reports =
        solve<float>(matrix, rhs, x, {.solver = "tridiagonal", .tolerance = 1e-6}, devices, no_progress(), {});
    const std::vector<double> solution(x.begin(), x.end());
    for (index_t system = 0; system < batch.systems(); ++system) {
      EXPECT_EQ(reports[static_cast<std::size_t>(system)].status, Status::converged);
      const ThomasCheck checked = check_by_thomas(batch, system, solution.data() + system * rows);
      EXPECT_LE(checked.residual, 1.1e-6L);
      EXPECT_LE(checked.difference, 1e-5L);
    }
  }
}

// Without dominance an elimination without pivots may lose all digits, and must say so.
TEST_P(TridiagonalTest, TellsTheTruthAboutOthers) {
  constexpr double tolerance = 1e-10;
  for (const index_t rows : {10, 64, 129, 1100}) {
    SCOPED_TRACE(testing::Message() << rows << " rows, seed " << seed);
    const SystemBatch batch = random_tridiagonal(rows, 200, 0, seed + static_cast<unsigned>(rows));
    const Solved solved = solve_here(batch, {.solver = "tridiagonal", .tolerance = tolerance});
    int solutions = 0;
    for (index_t system = 0; system < batch.systems(); ++system) {
      const Report& report = solved.reports[static_cast<std::size_t>(system)];
      const ThomasCheck checked = check_by_thomas(batch, system, solved.x.data() + system * rows);
      EXPECT_NEAR(static_cast<double>(checked.residual), report.residual_norm / report.rhs_norm,
                  static_cast<double>(checked.rounding));
      EXPECT_EQ(report.status == Status::converged, report.residual_norm <= tolerance * report.rhs_norm);
      solutions += report.status == Status::converged ? 1 : 0;
    }
    EXPECT_GE(solutions, 150) << "refinement mends most of them";
  }
}

TEST_P(TridiagonalTest, AZeroPivotBreaksDown) {
  for (const index_t rows : {9, 100, 700}) {
    SystemBatch batch = random_tridiagonal(rows, 3, 2.05, seed);
    for (const index_t column : {0, 1}) {
      batch.values[batch.place(1, 0, column)] = 0;
    }
    const Solved solved = solve_here(batch, {.solver = "tridiagonal", .tolerance = 1e-12});
    EXPECT_EQ(solved.reports[0].status, Status::converged);
    EXPECT_EQ(solved.reports[1].status, Status::breakdown);
    EXPECT_EQ(solved.reports[2].status, Status::converged);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, TridiagonalTest, testing::ValuesIn(test::devices()),
                         [](const auto& instance) { return test::test_name(instance.param); });

}  // namespace
}  // namespace phpc::batch
