// Dense systems of every size that kernels of their own are made for, and beyond: registers, blocks in scratch, in global memory.
#include <gtest/gtest.h>

#include <cmath>

#include "batch/direct/dense_systems.hpp"
#include "batch/solver_fixture.hpp"

namespace phpc::batch {
namespace {

using test::random_dense;

class EliminationTest : public SolverTest {};

/// Whether a system is solved as its report says, by its residual alone: the oracle takes seconds for large ones.
void check_residual(const SystemBatch& batch, index_t system, std::span<const double> x, const Report& report, double tolerance,
                    double epsilon) {
  const index_t n = batch.rows();
  const double* const a = batch.values.data() + system * n * n;
  const double* const b = batch.rhs.data() + system * n;
  const double* const own = x.data() + system * n;
  long double squared = 0;
  long double terms = 0;
  for (index_t i = 0; i < n; ++i) {
    long double rest = b[i];
    long double size = std::abs(b[i]);
    for (index_t j = 0; j < n; ++j) {
      rest -= static_cast<long double>(a[i * n + j]) * own[j];
      size += std::abs(static_cast<long double>(a[i * n + j]) * own[j]);
    }
    squared += rest * rest;
    terms += size * size;
  }
  EXPECT_EQ(report.status, Status::converged) << to_string(report.status);
  EXPECT_LE(report.residual_norm, tolerance * report.rhs_norm);
  EXPECT_NEAR(report.residual_norm, static_cast<double>(std::sqrt(squared)), epsilon * static_cast<double>(std::sqrt(terms)));
}

TEST_P(EliminationTest, PivotsOfAnySize) {
  for (const index_t rows :
       {1, 4, 9, 16, 17, 24, 33, 57, 64, 65, 72, 73, 100, 127, 128, 129, 150, 167, 168, 201, 255, 256, 257, 270}) {
    SCOPED_TRACE(testing::Message() << rows << " rows, seed " << seed);
    const SystemBatch batch = random_dense(rows, rows < 40 ? 19 : 3, seed + static_cast<unsigned>(rows));
    const Options options{.solver = "lu", .tolerance = 1e-10};
    const Solved solved = solve_here(batch, options);
    for (index_t system = 0; system < batch.systems(); ++system) {
      const Report& report = solved.reports[static_cast<std::size_t>(system)];
      check_residual(batch, system, solved.x, report, options.tolerance, std::numeric_limits<double>::epsilon());
      if (rows < 40) {
        test::check_solution(batch, system, solved.x, report, options.tolerance);
      }
    }
    expect_same_bytes(solved, solve_here(batch, options));
  }
}

TEST_P(EliminationTest, SinglePrecision) {
  for (const index_t rows : {1, 5, 9, 16, 23, 32, 40, 64, 65, 128, 130, 237, 256}) {
    SCOPED_TRACE(testing::Message() << rows << " rows, seed " << seed);
    const SystemBatch batch = test::rounded_to_float(random_dense(rows, rows < 40 ? 19 : 3, seed - static_cast<unsigned>(rows)));
    const std::vector<float> values(batch.values.begin(), batch.values.end());
    const std::vector<float> rhs(batch.rhs.begin(), batch.rhs.end());
    std::vector<float> x(rhs.size(), 0.0F);
    constexpr double tolerance = 1e-2;
    const CsrBatch<float> matrix{batch.pattern, values, batch.systems()};
    const std::vector<exec::Device> devices{GetParam()};
    const std::vector<Report> reports =
        solve<float>(matrix, rhs, x, {.solver = "lu", .tolerance = tolerance}, devices, no_progress(), {});
    const std::vector<double> solution(x.begin(), x.end());
    for (index_t system = 0; system < batch.systems(); ++system) {
      check_residual(batch, system, solution, reports[static_cast<std::size_t>(system)], tolerance,
                     std::numeric_limits<float>::epsilon());
    }
  }
}

TEST_P(EliminationTest, AColumnOfZerosBreaksDown) {
  for (const index_t rows : {5, 40, 70, 128, 140, 200}) {
    SCOPED_TRACE(testing::Message() << rows << " rows, seed " << seed);
    SystemBatch batch = random_dense(rows, 3, seed + static_cast<unsigned>(rows));
    for (index_t row = 0; row < rows; ++row) {
      batch.values[batch.place(1, row, rows / 2)] = 0;
    }
    const Solved solved = solve_here(batch, {.solver = "lu", .tolerance = 1e-10});
    EXPECT_EQ(solved.reports[0].status, Status::converged);
    EXPECT_EQ(solved.reports[1].status, Status::breakdown);
    EXPECT_EQ(solved.reports[2].status, Status::converged);
    const auto begin = solved.x.begin() + rows;
    EXPECT_EQ(std::vector<double>(begin, begin + rows), std::vector<double>(static_cast<std::size_t>(rows), 0.0));
  }
}

TEST_P(EliminationTest, NumbersThatAreNotFinite) {
  SystemBatch batch = random_dense(90, 3, seed);
  batch.values[batch.place(1, 50, 20)] = std::numeric_limits<double>::quiet_NaN();
  const Solved solved = solve_here(batch, {.solver = "lu", .tolerance = 1e-10});
  EXPECT_EQ(solved.reports[0].status, Status::converged);
  EXPECT_EQ(solved.reports[1].status, Status::not_finite);
  EXPECT_EQ(solved.reports[2].status, Status::converged);
}

TEST_P(EliminationTest, HolesInThePattern) {
  for (const index_t rows : {70, 130}) {
    SCOPED_TRACE(testing::Message() << rows << " rows, seed " << seed);
    const SystemBatch batch = random_systems(Structure::general, rows, 2, seed, 1e6);
    expect_status(batch, {.solver = "lu", .tolerance = 1e-9}, Status::converged);
    const Solved transposed = solve_here(batch, {.solver = "lu", .tolerance = 1e-9, .operation = Operation::transpose});
    for (const Report& report : transposed.reports) {
      EXPECT_EQ(report.status, Status::converged);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, EliminationTest, testing::ValuesIn(test::devices()),
                         [](const auto& instance) { return test::test_name(instance.param); });

}  // namespace
}  // namespace phpc::batch
