// Methods with the preconditioners of any_preconditioner.hpp.
#include <gtest/gtest.h>

#include <cmath>

#include "batch/direct/tridiagonal_systems.hpp"
#include "batch/solver_fixture.hpp"
#include "support/random_rounds.hpp"

namespace phpc::batch {
namespace {

class StrongPreconditionerTest : public SolverTest {};

const std::vector<std::string> strong = {"block-jacobi", "ilu", "isai", "ilu-isai"};

TEST_P(StrongPreconditionerTest, EveryMethodOnNonSymmetricIllConditionedSystems) {
  for (const std::string solver : {"bicgstab", "gmres", "idr"}) {
    for (const std::string& preconditioner : preconditioner_names()) {
      for (const index_t rows : {2, 3, 5, 33, 64}) {
        if (preconditioner == "none" && rows > 5) {
          continue;
        }
        SCOPED_TRACE(testing::Message() << rows << " rows, seed " << seed);
        const SystemBatch batch = random_systems(Structure::general, rows, test::random_rounds(11), seed, 1e6);
        expect_status(batch,
                      {.solver = solver, .preconditioner = preconditioner, .tolerance = 1e-9, .max_iterations = 10 * rows + 20},
                      Status::converged);
      }
    }
  }
}

TEST_P(StrongPreconditionerTest, RichardsonAndConjugateGradients) {
  const SystemBatch symmetric = random_systems(Structure::symmetric, 50, 9, seed, 1e2);
  for (const std::string& preconditioner : strong) {
    expect_status(symmetric, {.solver = "cg", .preconditioner = preconditioner, .tolerance = 1e-10}, Status::converged);
    expect_status(symmetric, {.solver = "richardson", .preconditioner = preconditioner, .max_iterations = 400},
                  Status::converged);
  }
}

TEST_P(StrongPreconditionerTest, ExactOnesNeedOneStep) {
  // ILU(0) of a tridiagonal matrix has no fill to leave out; one block of all rows is the matrix.
  const SystemBatch batch = test::tridiagonal(30, 9);
  for (const std::string solver : {"bicgstab", "cg", "gmres", "idr", "richardson"}) {
    for (const Options& options :
         {Options{.preconditioner = "ilu"}, Options{.preconditioner = "block-jacobi", .block_size = 30}}) {
      Options exact = options;
      exact.solver = solver;
      exact.tolerance = 1e-11;
      for (const Report& report : solve_here(batch, exact).reports) {
        EXPECT_EQ(report.status, Status::converged);
        EXPECT_LE(report.iterations, 2) << solver << "+" << options.preconditioner;
      }
    }
  }
}

TEST_P(StrongPreconditionerTest, FewerIterationsThanJacobi) {
  SystemBatch batch = test::tridiagonal(90, 9);
  for (double& value : batch.values) {
    value = value > 0 ? 2.02 : -1;
  }
  const auto iterations = [&](const std::string& solver, const std::string& preconditioner) {
    index_t sum = 0;
    const Solved solved =
        solve_here(batch, {.solver = solver, .preconditioner = preconditioner, .tolerance = 1e-8, .max_iterations = 900});
    for (const Report& report : solved.reports) {
      EXPECT_EQ(report.status, Status::converged) << solver << "+" << preconditioner;
      sum += report.iterations;
    }
    return sum;
  };
  for (const std::string solver : {"bicgstab", "gmres", "idr"}) {
    const index_t jacobi = iterations(solver, "jacobi");
    for (const std::string& preconditioner : strong) {
      EXPECT_LT(iterations(solver, preconditioner), jacobi) << solver << "+" << preconditioner;
    }
  }
}

TEST_P(StrongPreconditionerTest, SingularSystems) {
  const std::vector<double> neumann{1, -1, 0, 0, -1, 2, -1, 0, 0, -1, 2, -1, 0, 0, -1, 1};
  for (const std::string& solver : krylov) {
    for (const std::string& preconditioner : strong) {
      const Options options{.solver = solver, .preconditioner = preconditioner, .tolerance = 1e-10, .max_iterations = 100};
      for (const std::vector<double>& rhs : {std::vector<double>{1, -2, 3, -2}, std::vector<double>{1, 2, 3, 4}}) {
        const SystemBatch batch = equal_systems(neumann, rhs, 2);
        const Solved solved = solve_here(batch, options);
        test::check_solution(batch, 1, solved.x, solved.reports[1], options.tolerance);
        EXPECT_LE(solved.reports[1].relative_residual(), 1) << "no worse than the initial guess";
      }
    }
  }
}

TEST_P(StrongPreconditionerTest, ZeroDiagonalsAndNoEntries) {
  for (const std::string& preconditioner : strong) {
    SCOPED_TRACE(preconditioner);
    const SystemBatch batch = equal_systems({0, 2, 0, 2, 0, 1, 0, 1, 3}, {1, 2, 3}, 9);
    const Solved solved =
        solve_here(batch, {.solver = "gmres", .preconditioner = preconditioner, .tolerance = 1e-10, .max_iterations = 50});
    test::check_solution(batch, 8, solved.x, solved.reports[8], 1e-10);
    const CsrBatch<double> zeros({{0, 0, 0}, {}}, {}, 3);
    std::vector<double> x(6, 0.5);
    const std::vector<double> rhs(6, 1.0);
    const auto reports = solve<double>(zeros, rhs, x, {.preconditioner = preconditioner}, std::vector{GetParam()});
    EXPECT_EQ(reports[2].status, Status::breakdown);
    EXPECT_EQ(x, std::vector<double>(6, 0.5));
  }
}

TEST_P(StrongPreconditionerTest, ANanChangesNoNeighbour) {
  SystemBatch batch = random_systems(Structure::general, 20, 19, seed);
  for (const std::string& preconditioner : strong) {
    const Options options{.solver = "idr", .preconditioner = preconditioner};
    const Solved healthy = solve_here(batch, options);
    SystemBatch sick = batch;
    sick.values[sick.place(2, 7, 7)] = NAN;
    const Solved solved = solve_here(sick, options);
    EXPECT_EQ(solved.reports[2].status, Status::not_finite);
    for (std::size_t system = 0; system < 19; ++system) {
      if (system != 2) {
        EXPECT_EQ(std::memcmp(&solved.x[system * 20], &healthy.x[system * 20], 20 * sizeof(double)), 0) << "system " << system;
      }
    }
  }
}

TEST_P(StrongPreconditionerTest, EveryTeamSizeAndNoRoomInScratch) {
  const SystemBatch batch = random_systems(Structure::general, 45, 2, seed, 1e3);
  for (const std::string& preconditioner : strong) {
    for (const int team_size : GetParam().is_gpu() ? std::vector{64} : std::vector{0, 1}) {
      for (const std::size_t limit : {0, 1}) {
        expect_status(batch,
                      {.solver = "idr",
                       .preconditioner = preconditioner,
                       .tolerance = 1e-9,
                       .team_size = team_size,
                       .scratch_limit = limit},
                      Status::converged);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, StrongPreconditionerTest, testing::ValuesIn(test::devices()), test::DeviceName());

}  // namespace
}  // namespace phpc::batch
