#include "phpc/batch/solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "batch/solver_fixture.hpp"
#include "phpc/core/error.hpp"

namespace phpc::batch {
namespace {

TEST_P(SolverTest, EveryCombinationMatchesDenseLu) {
  for (const std::string& solver : dependable) {
    for (const std::string& preconditioner : preconditioner_names()) {
      for (const index_t rows : {1, 7, 33, 70}) {  // the oracle's bound of the error takes rows^4
        SCOPED_TRACE(testing::Message() << solver << "+" << preconditioner << ", " << rows << " rows, seed " << seed);
        const SystemBatch batch = random_systems(Structure::symmetric, rows, 4, seed);
        expect_status(batch, {.solver = solver, .preconditioner = preconditioner, .tolerance = 1e-10}, Status::converged);
      }
    }
  }
}

TEST_P(SolverTest, EveryTeamSizeOfTheTable) {
  const SystemBatch batch = random_systems(Structure::general, 45, 2, seed);
  for (const int team_size : team_sizes(GetParam().kind())) {
    SCOPED_TRACE(team_size);
    expect_status(batch, {.tolerance = 1e-10, .team_size = team_size}, Status::converged);
  }
}

TEST_P(SolverTest, WithoutRoomInScratchTheSameBytes) {
  const SystemBatch batch = random_systems(Structure::general, 60, 9, seed);
  const Solved roomy = solve_here(batch, {.tolerance = 1e-9, .team_size = scratch_team_size()});
  for (const std::size_t limit : {1, 1000, 2500}) {
    expect_same_bytes(roomy, solve_here(batch, {.tolerance = 1e-9, .team_size = scratch_team_size(), .scratch_limit = limit}));
  }
}

TEST_P(SolverTest, SameBytesFromRunToRunAndForAnyNumberOfDevices) {
  const SystemBatch batch = random_systems(Structure::general, 22, 101, seed);
  const Solved once = solve_here(batch, {});
  expect_same_bytes(once, solve_here(batch, {}));
  expect_same_bytes(once, solve_all(batch, {}, {GetParam(), GetParam(), GetParam()}));
  std::vector<exec::Device> all;
  for (const exec::Device device : exec::Device::all()) {
    if (device.kind() == GetParam().kind()) {
      all.push_back(device);
    }
  }
  expect_same_bytes(once, solve_all(batch, {}, all));
}

TEST_P(SolverTest, OneMatrixWithManyRightHandSides) {
  SystemBatch batch = equal_systems({4, 1, 0, 1, 5, 2, 0, 2, 6}, {1, 2, 3}, 50);
  for (std::size_t i = 0; i < batch.rhs.size(); ++i) {
    batch.rhs[i] = std::sin(static_cast<double>(i));
  }
  const CsrBatch<double> shared(batch.pattern, {batch.values.begin(), batch.values.begin() + batch.pattern.entries()}, 50);
  Solved solved{std::vector<double>(batch.rhs.size(), 0.0), {}};
  const exec::Device devices[] = {GetParam(), GetParam()};
  solved.reports = solve<double>(shared, batch.rhs, solved.x, {.tolerance = 1e-12}, devices);
  expect_same_bytes(solved, solve_here(batch, {.tolerance = 1e-12}));
}

TEST_P(SolverTest, AFewSetsOfValuesRepeated) {
  const SystemBatch few = random_systems(Structure::general, 12, 7, seed);
  SystemBatch many = few;
  many.values.clear();
  many.rhs.clear();
  for (index_t system = 0; system < 45; ++system) {
    const auto values = few.values.begin() + system % 7 * few.pattern.entries();
    many.values.insert(many.values.end(), values, values + few.pattern.entries());
    const auto rhs = few.rhs.begin() + system % 7 * 12;
    many.rhs.insert(many.rhs.end(), rhs, rhs + 12);
  }
  const CsrBatch<double> tiled(few.pattern, few.values, 45);
  Solved solved{std::vector<double>(many.rhs.size(), 0.0), {}};
  // Eleven parts, whose first systems begin at every set.
  const std::vector<exec::Device> devices(11, GetParam());
  solved.reports = solve<double>(tiled, many.rhs, solved.x, {}, devices);
  expect_same_bytes(solved, solve_here(many, {}));
}

TEST_P(SolverTest, ThousandsOfTinySystems) {
  const SystemBatch batch = random_systems(Structure::general, 2, 4096, seed);
  const Solved solved = solve_here(batch, {.tolerance = 1e-12, .max_iterations = 50});
  for (index_t system = 0; system < batch.systems(); ++system) {
    const Report& report = solved.reports[static_cast<std::size_t>(system)];
    EXPECT_EQ(report.status, Status::converged);
    test::check_solution(batch, system, solved.x, report, 1e-12);
  }
}

TEST_P(SolverTest, NoSystemsAndOne) {
  EXPECT_TRUE(solve<double>(CsrBatch<double>({{0, 1}, {0}}, {}), {}, {}, {}, std::vector{GetParam()}).empty());
  expect_status(equal_systems({4}, {2}, 1), {}, Status::converged);
}

TEST_P(SolverTest, TheInitialGuessIsUsed) {
  const SystemBatch batch = random_systems(Structure::general, 30, 5, seed);
  const Solved solved = solve_here(batch, {.tolerance = 1e-8});
  const Solved again = solve_here(batch, {.tolerance = 1e-8}, solved.x);
  for (const Report& report : again.reports) {
    EXPECT_EQ(report.iterations, 0);
    EXPECT_EQ(report.status, Status::converged);
  }
  EXPECT_EQ(again.x, solved.x);
}

TEST_P(SolverTest, ZeroRightHandSideGivesZero) {
  SystemBatch batch = random_systems(Structure::general, 30, 2, seed);
  batch.rhs.assign(batch.rhs.size(), 0.0);
  const Solved solved = solve_here(batch, {}, std::vector<double>(batch.rhs.size(), 3.0));
  EXPECT_EQ(solved.x, batch.rhs);
  EXPECT_EQ(solved.reports[1].status, Status::converged);
  EXPECT_EQ(solved.reports[1].relative_residual(), 0);
}

TEST_P(SolverTest, ScaleOfTheRightHandSideDoesNotMatter) {
  const SystemBatch batch = random_systems(Structure::general, 30, 3, seed);
  const Solved plain = solve_here(batch, {});
  for (const double scale : {0x1p-600, 0x1p+600}) {  // squares of these are beyond double
    SystemBatch scaled = batch;
    for (double& value : scaled.rhs) {
      value *= scale;
    }
    const Solved solved = solve_here(scaled, {});
    for (std::size_t i = 0; i < plain.x.size(); ++i) {
      EXPECT_DOUBLE_EQ(solved.x[i], plain.x[i] * scale);
    }
    for (std::size_t system = 0; system < 3; ++system) {
      EXPECT_EQ(solved.reports[system].status, Status::converged);
      EXPECT_EQ(solved.reports[system].iterations, plain.reports[system].iterations);
    }
  }
}

TEST_P(SolverTest, KindsOfTolerance) {
  const SystemBatch batch = random_systems(Structure::general, 30, 3, seed);
  std::vector<double> guess(batch.rhs.size(), 1000.0);
  const Solved absolute = solve_here(batch, {.tolerance = 1e-3, .tolerance_kind = ToleranceKind::absolute}, guess);
  const Solved initial = solve_here(batch, {.tolerance = 1e-3, .tolerance_kind = ToleranceKind::relative_to_initial}, guess);
  const Solved rhs = solve_here(batch, {.tolerance = 1e-3}, guess);
  for (std::size_t system = 0; system < 3; ++system) {
    EXPECT_LE(absolute.reports[system].residual_norm, 1e-3);
    EXPECT_LE(rhs.reports[system].relative_residual(), 1e-3);
    EXPECT_GT(initial.reports[system].relative_residual(), 1e-3) << "the initial residual is thousands of times ||b||";
    EXPECT_LT(initial.reports[system].iterations, rhs.reports[system].iterations);
    EXPECT_EQ(initial.reports[system].status, Status::converged);
  }
}

TEST_P(SolverTest, IterationCap) {
  const SystemBatch batch = random_systems(Structure::general, 60, 3, seed, 1e6);
  for (const std::string& solver : krylov) {
    const Solved solved =
        solve_here(batch, {.solver = solver, .preconditioner = "none", .tolerance = 1e-14, .max_iterations = 2});
    for (const Report& report : solved.reports) {
      EXPECT_EQ(report.status, Status::max_iterations);
      EXPECT_EQ(report.iterations, 2);
    }
  }
}

TEST_P(SolverTest, BeyondTheAttainableAccuracyIsStagnation) {
  // Tolerance 0 cannot be met but by luck; what is there to be had must come, and must be told as not converged.
  const SystemBatch batch = random_systems(Structure::general, 40, 6, seed, 1e5);
  const Solved solved = solve_here(batch, {.tolerance = 1e-25, .max_iterations = 2000});
  for (index_t system = 0; system < batch.systems(); ++system) {
    const Report& report = solved.reports[static_cast<std::size_t>(system)];
    test::check_solution(batch, system, solved.x, report, 1e-25);
    EXPECT_NE(report.status, Status::converged);
    EXPECT_NE(report.status, Status::max_iterations) << "a system that stands still must not cost the whole cap";
    EXPECT_LT(report.relative_residual(), 1e-12);
  }
}

TEST_P(SolverTest, SingularSystems) {
  // A Neumann problem: rows sum to zero. A right-hand side that sums to zero has solutions, any other has none.
  const std::vector<double> neumann{1, -1, 0, 0, -1, 2, -1, 0, 0, -1, 2, -1, 0, 0, -1, 1};
  for (const std::string& solver : krylov) {
    const Options options{.solver = solver, .tolerance = 1e-10, .max_iterations = 100};
    expect_status(equal_systems(neumann, {1, -2, 3, -2}, 2), options, Status::converged);
    const SystemBatch inconsistent = equal_systems(neumann, {1, 2, 3, 4}, 2);
    const Solved solved = solve_here(inconsistent, options);
    test::check_solution(inconsistent, 1, solved.x, solved.reports[1], options.tolerance);
    EXPECT_NE(solved.reports[1].status, Status::converged);
    EXPECT_LE(solved.reports[1].relative_residual(), 1) << "no worse than the initial guess";
  }
}

TEST_P(SolverTest, MatricesWithoutEntriesBreakDown) {
  const CsrBatch<double> zeros({{0, 0, 0}, {}}, {}, 3);
  std::vector<double> x(6, 0.5);
  const std::vector<double> rhs(6, 1.0);
  for (const std::string& solver : dependable) {
    const auto reports = solve<double>(zeros, rhs, x, {.solver = solver}, std::vector{GetParam()});
    EXPECT_EQ(reports[2].status, Status::breakdown);
    EXPECT_EQ(x, std::vector<double>(6, 0.5));
  }
}

TEST_P(SolverTest, ZeroDiagonals) {
  // Jacobi takes 1 for a zero on the diagonal, in the pattern or not.
  SystemBatch batch = equal_systems({1, 3, 1, 3, 1, 0, 1, 0, 4}, {1, 2, 3}, 2);
  batch.values[batch.place(0, 1, 1)] = 0;
  expect_status(batch, {.tolerance = 1e-12}, Status::converged);
  expect_status(equal_systems({0, 2, 2, 1}, {1, 2}, 1), {.tolerance = 1e-12, .max_iterations = 20}, Status::converged);
}

TEST_P(SolverTest, SkewSymmetricMatricesBreakDown) {
  // r.Ar = 0 for every r: neither method has a first step. (The matrix is singular as well.)
  const SystemBatch batch = equal_systems({0, 3, 0, -3, 0, 1, 0, -1, 0}, {1, 2, 3}, 2);
  for (const char* const solver : {"bicgstab", "cg"}) {
    const Solved solved = solve_here(batch, {.solver = solver, .max_iterations = 1000});
    test::check_solution(batch, 0, solved.x, solved.reports[0], 1e-6);
    EXPECT_EQ(solved.reports[0].status, Status::breakdown) << solver;
  }
}

TEST_P(SolverTest, ConjugateGradientsOnAGeneralMatrixNeverPretends) {
  const SystemBatch batch = random_systems(Structure::general, 50, 20, seed, 1e3);
  const Solved solved = solve_here(batch, {.solver = "cg", .preconditioner = "none", .tolerance = 1e-10});
  for (index_t system = 0; system < batch.systems(); ++system) {
    test::check_solution(batch, system, solved.x, solved.reports[static_cast<std::size_t>(system)], 1e-10);
  }
}

TEST_P(SolverTest, AnInfiniteGuessIsNoSolution) {
  const SystemBatch batch = equal_systems({2, 0, 0, 2}, {1, 2}, 3);
  std::vector<double> guess(6, 0.0);
  guess[2] = INFINITY;
  guess[5] = NAN;
  const Solved solved = solve_here(batch, {}, guess);
  EXPECT_EQ(solved.reports[0].status, Status::converged);
  EXPECT_EQ(solved.reports[1].status, Status::not_finite);
  EXPECT_EQ(solved.reports[2].status, Status::not_finite);
  EXPECT_TRUE(std::all_of(solved.x.begin(), solved.x.end(), [](double value) { return std::isfinite(value); }));
}

TEST_P(SolverTest, OverflowOnTheWayIsNotPresented) {
  const SystemBatch batch = equal_systems({1e-300, 1, 1, 0, 1e-300, 1, 1, 1, 1e-300}, {1e200, 1, 1e200}, 2);
  const Solved solved = solve_here(batch, {.max_iterations = 1000});
  test::check_solution(batch, 0, solved.x, solved.reports[0], 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Devices, SolverTest, testing::ValuesIn(test::devices()),
                         [](const auto& instance) { return test::test_name(instance.param); });

TEST(SolverOptions, WrongOnesAreUsageErrors) {
  const SystemBatch batch = equal_systems({2}, {1}, 2);
  const auto kind_of = [&](const Options& options) {
    try {
      solve_all(batch, options, {exec::Device::host()});
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::memory;
  };
  EXPECT_EQ(kind_of({.solver = "gauss"}), ErrorKind::usage);
  EXPECT_EQ(kind_of({.preconditioner = "ilut"}), ErrorKind::usage);
  EXPECT_EQ(kind_of({.tolerance = -1}), ErrorKind::usage);
  EXPECT_EQ(kind_of({.tolerance = NAN}), ErrorKind::usage);
  EXPECT_EQ(kind_of({.max_iterations = -1}), ErrorKind::usage);
  EXPECT_EQ(kind_of({.max_iterations = index_t{1} << 31}), ErrorKind::usage);
  EXPECT_EQ(kind_of({.team_size = 7}), ErrorKind::usage);
  EXPECT_EQ(kind_of({.team_size = 64, .inner_precision = Precision::f32}), ErrorKind::usage);
  EXPECT_EQ(kind_of({.preconditioner = "ilu", .team_size = 128}), ErrorKind::usage);
  EXPECT_EQ(kind_of({.preconditioner = "block-jacobi", .block_size = 0}), ErrorKind::usage);
  EXPECT_EQ(kind_of({.preconditioner = "block-jacobi", .block_size = 33}), ErrorKind::usage);
  std::vector<double> x(1);
  const exec::Device host[] = {exec::Device::host()};
  EXPECT_THROW(solve<double>(batch.matrix(), batch.rhs, x, {}, host), Error);
  std::vector<double> enough(2);
  EXPECT_THROW(solve<double>(batch.matrix(), batch.rhs, enough, {}, {}), Error);
}

TEST(SolverOptions, NamesOfKinds) {
  for (const std::string& name : tolerance_kind_names()) {
    EXPECT_EQ(tolerance_kind_names()[static_cast<std::size_t>(parse_tolerance_kind(name))], name);
  }
  EXPECT_THROW(parse_tolerance_kind("relative"), Error);
  EXPECT_EQ(to_string(Status::not_finite), "not_finite");
}

}  // namespace
}  // namespace phpc::batch
