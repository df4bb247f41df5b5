// Batches of float, and batches of double whose cycles are float.
#include <gtest/gtest.h>

#include <cmath>

#include "batch/direct/tridiagonal_systems.hpp"
#include "batch/solver_fixture.hpp"
#include "phpc/core/error.hpp"

namespace phpc::batch {
namespace {

constexpr double float_epsilon = std::numeric_limits<float>::epsilon();

/// solve_all in float; the systems must be exact in it.
Solved solve_in_float(const SystemBatch& batch, const Options& options, std::vector<exec::Device> devices) {
  const CsrBatch<float> matrix(batch.pattern, {batch.values.begin(), batch.values.end()}, batch.systems());
  const std::vector<float> rhs(batch.rhs.begin(), batch.rhs.end());
  std::vector<float> x(rhs.size(), 0.0F);
  Solved solved;
  solved.reports = solve<float>(matrix, rhs, x, options, devices);
  solved.x.assign(x.begin(), x.end());
  return solved;
}

class PrecisionTest : public SolverTest {
 protected:
  void expect_converged_in_float(const SystemBatch& batch, const Options& options) {
    SCOPED_TRACE(testing::Message() << options.solver << "+" << options.preconditioner << ", " << batch.rows() << " rows, seed "
                                    << seed);
    const SystemBatch exact = rounded_to_float(batch);
    const Solved solved = solve_in_float(exact, options, {GetParam()});
    for (index_t system = 0; system < exact.systems(); ++system) {
      const Report& report = solved.reports[static_cast<std::size_t>(system)];
      EXPECT_EQ(report.status, Status::converged) << to_string(report.status) << " at " << report.relative_residual();
      test::check_solution(exact, system, solved.x, report, options.tolerance, float_epsilon);
    }
  }
};

TEST_P(PrecisionTest, FloatMatchesDenseLu) {
  for (const std::string& solver : dependable) {
    for (const std::string& preconditioner : preconditioner_names()) {
      for (const index_t rows : {1, 7, 33, 70}) {
        // Seventeen: more than a pack of floats has lanes, where packs are the widest.
        expect_converged_in_float(random_systems(Structure::symmetric, rows, rows > 33 ? 2 : 17, seed),
                                  {.solver = solver, .preconditioner = preconditioner, .tolerance = 1e-5});
      }
    }
  }
}

TEST_P(PrecisionTest, OtherMethodsInFloat) {
  const SystemBatch whole = random_systems(Structure::general, 40, 19, seed);
  expect_converged_in_float(test::triangle_of(whole, test::Half::lower), {.solver = "lower", .tolerance = 1e-6});
  expect_converged_in_float(test::triangle_of(whole, test::Half::upper), {.solver = "upper", .tolerance = 1e-6});
  expect_converged_in_float(test::tridiagonal(40, 19), {.solver = "tridiagonal", .tolerance = 1e-6});
  expect_converged_in_float(test::tridiagonal(40, 19), {.solver = "richardson", .tolerance = 1e-5, .max_iterations = 200});
}

TEST_P(PrecisionTest, FloatTellsWhatItCannotReach) {
  const SystemBatch batch = rounded_to_float(random_systems(Structure::symmetric, 40, 6, seed, 30));
  for (const std::string& solver : dependable) {
    const Solved solved = solve_in_float(batch, {.solver = solver, .tolerance = 1e-12, .max_iterations = 2000}, {GetParam()});
    for (index_t system = 0; system < batch.systems(); ++system) {
      const Report& report = solved.reports[static_cast<std::size_t>(system)];
      test::check_solution(batch, system, solved.x, report, 1e-12, float_epsilon);
      EXPECT_NE(report.status, Status::converged);
      EXPECT_NE(report.status, Status::max_iterations) << solver;
      EXPECT_LT(report.relative_residual(), 1e-5) << solver;
    }
  }
}

TEST_P(PrecisionTest, ScaleOfTheRightHandSideDoesNotMatterInFloat) {
  const SystemBatch batch = rounded_to_float(random_systems(Structure::general, 30, 3, seed));
  const Solved plain = solve_in_float(batch, {.tolerance = 1e-5}, {GetParam()});
  for (const double scale : {0x1p-90, 0x1p+90}) {  // squares of these are beyond float
    SystemBatch scaled = batch;
    for (double& value : scaled.rhs) {
      value *= scale;
    }
    const Solved solved = solve_in_float(scaled, {.tolerance = 1e-5}, {GetParam()});
    for (std::size_t i = 0; i < plain.x.size(); ++i) {
      EXPECT_FLOAT_EQ(static_cast<float>(solved.x[i]), static_cast<float>(plain.x[i] * scale));
    }
    EXPECT_EQ(solved.reports[2].status, Status::converged);
  }
}

TEST_P(PrecisionTest, FloatWithoutRoomInScratchTheSameBytes) {
  const SystemBatch batch = rounded_to_float(random_systems(Structure::general, 60, 9, seed));
  Options options{.tolerance = 1e-5, .team_size = scratch_team_size()};
  const Solved roomy = solve_in_float(batch, options, {GetParam()});
  for (const std::size_t limit : {1, 1000, 2500}) {
    options.scratch_limit = limit;
    expect_same_bytes(roomy, solve_in_float(batch, options, {GetParam()}));
  }
}

TEST_P(PrecisionTest, CyclesOfFloatReachTheTolerancesOfDouble) {
  for (const std::string& solver : mixed_solver_names()) {
    for (const std::string& preconditioner : preconditioner_names()) {
      for (const index_t rows : {1, 7, 33, 70}) {
        SCOPED_TRACE(testing::Message() << solver << "+" << preconditioner << ", " << rows << " rows, seed " << seed);
        expect_status(random_systems(Structure::symmetric, rows, rows > 33 ? 2 : 19, seed),
                      {.solver = solver,
                       .preconditioner = preconditioner,
                       .tolerance = 1e-12,
                       .max_iterations = 4 * rows + 20,
                       .inner_precision = Precision::f32},
                      Status::converged);
      }
    }
  }
}

TEST_P(PrecisionTest, CyclesOfFloatAndIllScaledRows) {
  // Of rows over five orders of magnitude float keeps but two digits of the residual, too few for GMRES.
  const SystemBatch batch = random_systems(Structure::general, 50, 17, seed, 1e5);
  for (const char* const solver : {"bicgstab", "lu", "sparse-lu"}) {
    expect_status(batch, {.solver = solver, .tolerance = 1e-10, .max_iterations = 500, .inner_precision = Precision::f32},
                  Status::converged);
  }
}

TEST_P(PrecisionTest, MixedWithoutRoomInScratchTheSameBytes) {
  const SystemBatch batch = random_systems(Structure::general, 60, 9, seed);
  const Options options{.tolerance = 1e-12, .team_size = scratch_team_size(), .inner_precision = Precision::f32};
  const Solved roomy = solve_here(batch, options);
  expect_same_bytes(roomy, solve_here(batch, options));
  for (const std::size_t limit : {1, 1000, 2500}) {
    Options cramped = options;
    cramped.scratch_limit = limit;
    expect_same_bytes(roomy, solve_here(batch, cramped));
  }
}

TEST_P(PrecisionTest, EveryTeamSizeOfTheMixedKernels) {
  const SystemBatch batch = random_systems(Structure::general, 45, 2, seed);
  for (const int team_size : GetParam().is_gpu() ? std::vector{64} : std::vector{0, 1}) {
    expect_status(batch, {.tolerance = 1e-12, .team_size = team_size, .inner_precision = Precision::f32}, Status::converged);
  }
  EXPECT_THROW(solve_here(batch, {.team_size = 32, .inner_precision = Precision::f32}), Error);
}

TEST_P(PrecisionTest, WhatFloatCannotHoldIsNotPresented) {
  SystemBatch batch = random_systems(Structure::general, 20, 18, seed);
  for (index_t row = 0; row < 20; ++row) {
    batch.values[batch.place(3, row, row)] *= 1e200;
  }
  batch.rhs[5 * 20 + 3] = std::numeric_limits<double>::quiet_NaN();
  for (const std::string& solver : mixed_solver_names()) {
    const Solved solved = solve_here(batch, {.solver = solver, .max_iterations = 200, .inner_precision = Precision::f32});
    for (index_t system = 0; system < batch.systems(); ++system) {
      const Report& report = solved.reports[static_cast<std::size_t>(system)];
      if (system != 5) {
        test::check_solution(batch, system, solved.x, report, 1e-6);
      }
      EXPECT_EQ(report.status == Status::converged, system != 3 && system != 5 && solver != "cg")
          << solver << " " << to_string(report.status);
      if (solver == "cg" && report.status == Status::converged) {
        EXPECT_LE(report.relative_residual(), 1e-6);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, PrecisionTest, testing::ValuesIn(test::devices()),
                         [](const auto& instance) { return test::test_name(instance.param); });

TEST(PrecisionOptions, MethodsWithoutCyclesOfFloatAreUsageErrors) {
  const SystemBatch batch = equal_systems({2}, {1}, 2);
  for (const char* const solver : {"richardson", "tridiagonal", "lower", "upper"}) {
    try {
      solve_all(batch, {.solver = solver, .inner_precision = Precision::f32}, {exec::Device::host()});
      ADD_FAILURE() << solver;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_NE(std::string(error.what()).find("bicgstab, cg, gmres, lu, sparse-lu"), std::string::npos) << error.what();
    }
  }
}

TEST(PrecisionOptions, FloatNeedsNoCyclesOfFloat) {
  const SystemBatch batch = equal_systems({2}, {1}, 2);
  const auto solved = solve_in_float(batch, {.solver = "richardson", .inner_precision = Precision::f32}, {exec::Device::host()});
  EXPECT_EQ(solved.reports[1].status, Status::converged);
}

}  // namespace
}  // namespace phpc::batch
