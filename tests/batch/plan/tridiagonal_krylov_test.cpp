// Tridiagonal systems by Krylov methods, in f64 and with cycles of f32, against the Thomas algorithm in long double. NVIDIA GPUs
// have kernels of their own for them, in chunks of neighbouring rows, up to 2048 rows.
#include <gtest/gtest.h>

#include <random>

#include "batch/direct/tridiagonal_systems.hpp"
#include "batch/solver_fixture.hpp"
#include "phpc/batch/plan.hpp"

namespace phpc::batch {
namespace {

using test::random_tridiagonal;
using test::ThomasCheck;

class TridiagonalKrylovTest : public SolverTest {
 protected:
  static constexpr unsigned draw_seed = 20261126;

  /// Solves and checks what is told of each system; which kernel runs is in the trace.
  void check(const SystemBatch& batch, const Options& options, const std::vector<double>& guess) {
    const std::string description = Plan<double>::describe(GetParam(), batch.pattern, options);
    SCOPED_TRACE(testing::Message() << batch.rows() << " rows, " << batch.systems() << " systems: " << description);
    if (GetParam().kind() == exec::DeviceKind::nvidia) {
      EXPECT_EQ(description.find("neighbouring rows") != std::string::npos, batch.rows() <= 2048);
    }
    const Solved solved = solve_here(batch, options, guess);
    for (index_t system = 0; system < batch.systems(); ++system) {
      const Report& report = solved.reports[static_cast<std::size_t>(system)];
      EXPECT_EQ(report.status, Status::converged) << "system " << system << ": " << to_string(report.status);
      const ThomasCheck checked = test::check_by_thomas(batch, system, solved.x.data() + system * batch.rows());
      EXPECT_LE(checked.residual, static_cast<long double>(options.tolerance) + checked.rounding) << "system " << system;
      EXPECT_NEAR(static_cast<double>(checked.residual), report.residual_norm / report.rhs_norm,
                  static_cast<double>(checked.rounding) + options.tolerance / 8);
    }
    expect_same_bytes(solved, solve_here(batch, options, guess));
  }
};

// Rows: the ends of shapes, and random ones.
TEST_P(TridiagonalKrylovTest, AnyNumberOfRows) {
  std::mt19937 generator(draw_seed);
  std::vector<index_t> sizes{1, 2, 3, 15, 16, 17, 64, 127, 256, 257, 512, 1024, 2048, 2049};
  std::uniform_int_distribution<index_t> short_rows(1, 400);
  std::uniform_int_distribution<index_t> any_rows(1, 2049);
  for (int draw = 0; draw < 6; ++draw) {
    sizes.push_back(draw % 2 == 0 ? short_rows(generator) : any_rows(generator));
  }
  std::uniform_real_distribution<double> element(-1, 1);
  for (const index_t rows : sizes) {
    const index_t systems = rows > 300 ? 3 : 19;
    const auto number = static_cast<unsigned>(generator());
    SCOPED_TRACE(testing::Message() << "seed " << draw_seed << ", systems of seed " << number);
    const SystemBatch general = test::positive_diagonals(random_tridiagonal(rows, systems, 2.05, number));
    const SystemBatch definite = test::symmetric(general);
    std::vector<double> guess(general.rhs.size());
    for (double& x : guess) {
      x = element(generator);
    }
    for (const Precision inner : {Precision::f64, Precision::f32}) {
      for (const std::string preconditioner : {"none", "jacobi"}) {
        const bool is_guessed = generator() % 2 == 0;
        for (const std::string solver : {"cg", "bicgstab"}) {
          check(solver == "cg" ? definite : general,
                {.solver = solver,
                 .preconditioner = preconditioner,
                 .tolerance = std::pow(10.0, -4 - static_cast<double>(generator() % 9)),
                 .max_iterations = 500,
                 .inner_precision = inner},
                is_guessed ? guess : std::vector<double>(guess.size()));
        }
      }
    }
  }
}

// Several systems share a sub-group's lanes where they have few rows.
TEST_P(TridiagonalKrylovTest, BadSystemsDoNotTouchTheirNeighbours) {
  for (const index_t rows : {5, 40, 200, 700}) {
    const SystemBatch good =
        test::positive_diagonals(random_tridiagonal(rows, 13, 2.05, draw_seed + static_cast<unsigned>(rows)));
    SystemBatch batch = good;
    batch.values[batch.place(5, 1, 1)] = std::numeric_limits<double>::quiet_NaN();
    batch.values[batch.place(7, rows - 1, rows - 1)] = std::numeric_limits<double>::infinity();
    std::fill_n(batch.rhs.begin() + 9 * rows, rows, 0.0);
    for (const Precision inner : {Precision::f64, Precision::f32}) {
      const Options options{.preconditioner = "jacobi", .tolerance = 1e-10, .inner_precision = inner};
      const Solved expected = solve_here(good, options);
      const Solved solved = solve_here(batch, options);
      for (std::size_t system = 0; system < 13; ++system) {
        SCOPED_TRACE(testing::Message() << rows << " rows, system " << system);
        const auto begin = static_cast<index_t>(system) * rows;
        const std::vector<double> x(solved.x.begin() + begin, solved.x.begin() + begin + rows);
        if (system == 5 || system == 7 || system == 9) {
          EXPECT_EQ(solved.reports[system].status, system == 9 ? Status::converged : Status::not_finite);
          EXPECT_EQ(x, std::vector<double>(static_cast<std::size_t>(rows), 0.0));
        } else {
          EXPECT_EQ(x, std::vector<double>(expected.x.begin() + begin, expected.x.begin() + begin + rows));
        }
      }
    }
  }
}

// What float cannot hold makes cycles fail, never a report lie.
TEST_P(TridiagonalKrylovTest, NumbersBeyondFloat) {
  for (const index_t rows : {6, 300}) {
    SystemBatch batch = test::positive_diagonals(random_tridiagonal(rows, 9, 2.05, draw_seed));
    batch.values[batch.place(3, 2, 2)] = 1e200;
    batch.values[batch.place(6, 2, 1)] = 1e-200;
    const Solved solved = solve_here(batch, {.preconditioner = "none", .max_iterations = 300, .inner_precision = Precision::f32});
    for (index_t system = 0; system < batch.systems(); ++system) {
      const Report& report = solved.reports[static_cast<std::size_t>(system)];
      EXPECT_EQ(report.status == Status::converged, system != 3) << "system " << system << ": " << to_string(report.status);
      const ThomasCheck checked = test::check_by_thomas(batch, system, solved.x.data() + system * rows);
      EXPECT_NEAR(static_cast<double>(checked.residual), report.residual_norm / report.rhs_norm,
                  static_cast<double>(checked.rounding) + 1e-7);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, TridiagonalKrylovTest, testing::ValuesIn(test::devices()),
                         [](const auto& instance) { return test::test_name(instance.param); });

}  // namespace
}  // namespace phpc::batch
