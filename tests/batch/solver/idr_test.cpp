#include <gtest/gtest.h>

#include "batch/direct/tridiagonal_systems.hpp"
#include "batch/solver_fixture.hpp"

namespace phpc::batch {
namespace {

class IdrTest : public SolverTest {};

TEST_P(IdrTest, EndsAfterAsManyProductsAsTheoryAllows) {
  // In exact arithmetic r = 0 after at most n + n / s products (Sonneveld and van Gijzen 2008, theorem 3.1).
  for (const index_t rows : {1, 2, 3, 4, 5, 8, 20}) {
    const SystemBatch batch = random_systems(Structure::general, rows, 9, seed);
    const Solved solved = solve_here(batch, {.solver = "idr", .preconditioner = "none", .tolerance = 1e-10});
    for (index_t system = 0; system < 9; ++system) {
      const Report& report = solved.reports[static_cast<std::size_t>(system)];
      test::check_solution(batch, system, solved.x, report, 1e-10);
      EXPECT_EQ(report.status, Status::converged);
      const index_t s = std::min<index_t>(rows, 4);
      EXPECT_LE(report.iterations, rows + (rows + s - 1) / s + 2) << rows << " rows";
    }
  }
}

TEST_P(IdrTest, ConvergesWhereMatricesAreFarFromSymmetric) {
  // Convection that outweighs diffusion.
  SystemBatch batch = test::tridiagonal(60, 9);
  for (index_t system = 0; system < 9; ++system) {
    for (index_t row = 0; row < 60; ++row) {
      batch.values[batch.place(system, row, row)] = 2;
      if (row > 0) {
        batch.values[batch.place(system, row, row - 1)] = -1.9;
        batch.values[batch.place(system, row - 1, row)] = 0.9;
      }
    }
  }
  expect_status(batch, {.solver = "idr", .tolerance = 1e-10, .max_iterations = 600}, Status::converged);
}

INSTANTIATE_TEST_SUITE_P(Devices, IdrTest, testing::ValuesIn(test::devices()), test::DeviceName());

}  // namespace
}  // namespace phpc::batch
