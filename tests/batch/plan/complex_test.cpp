// Complex systems, by every method: against real ones of twice the size, solved in long double.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <utility>

#include "batch/direct/tridiagonal_systems.hpp"
#include "phpc/batch/plan.hpp"
#include "phpc/batch/solver.hpp"
#include "phpc/core/error.hpp"
#include "support/complex_systems.hpp"
#include "support/devices.hpp"

namespace phpc::batch {
namespace {

using test::ComplexBatch;
using test::Structure;
using test::Turned;

template <class T>
struct ComplexSolved {
  std::vector<Complex<T>> x;
  std::vector<Report> reports;

  friend bool operator==(const ComplexSolved& a, const ComplexSolved& b) {
    return a.x.size() == b.x.size() && a.reports.size() == b.reports.size() &&
           std::memcmp(a.x.data(), b.x.data(), a.x.size() * sizeof(Complex<T>)) == 0 &&
           std::memcmp(a.reports.data(), b.reports.data(), a.reports.size() * sizeof(Report)) == 0;
  }
};

template <class T>
std::vector<Complex<T>> rounded(std::span<const Complex<double>> values) {
  std::vector<Complex<T>> result;
  for (const Complex<double> value : values) {
    result.push_back({static_cast<T>(value.re), static_cast<T>(value.im)});
  }
  return result;
}

class ComplexTest : public testing::TestWithParam<exec::Device> {
 protected:
  template <class T = double>
  ComplexSolved<T> solve_here(const ComplexBatch& batch, const Options& options, const PerSystem& per_system = {}) {
    ComplexSolved<T> solved;
    solved.x.assign(batch.rhs.size(), Complex<T>{});
    const CsrBatch<Complex<T>> matrix(batch.pattern, rounded<T>(batch.values), batch.systems());
    const std::vector<Complex<T>> rhs = rounded<T>(batch.rhs);
    solved.reports = solve<Complex<T>>(matrix, rhs, solved.x, options, std::vector{GetParam()}, no_progress(), per_system);
    return solved;
  }

  template <class T = double>
  void expect_solved(ComplexBatch batch, const Options& options) {
    SCOPED_TRACE(testing::Message() << options.solver << " with " << options.preconditioner << ", " << batch.rows() << " rows of "
                                    << sizeof(T) << " bytes");
    batch.values = rounded<double, T>(batch.values);
    batch.rhs = rounded<double, T>(batch.rhs);
    const ComplexSolved<T> solved = solve_here<T>(batch, options);
    std::vector<Complex<double>> x;
    for (const Complex<T> value : solved.x) {
      x.push_back({value.re, value.im});
    }
    for (index_t system = 0; system < batch.systems(); ++system) {
      const Report& report = solved.reports[static_cast<std::size_t>(system)];
      EXPECT_EQ(report.status, Status::converged) << to_string(report.status);
      test::check_solution(batch, system, x, report, options.tolerance, std::numeric_limits<T>::epsilon());
    }
  }

  template <class To, class Through>
  static std::vector<Complex<To>> rounded(std::span<const Complex<double>> values) {
    std::vector<Complex<To>> result;
    for (const Complex<Through> value : batch::rounded<Through>(values)) {
      result.push_back({static_cast<To>(value.re), static_cast<To>(value.im)});
    }
    return result;
  }
  template <class To>
  static std::vector<Complex<To>> rounded(std::span<const Complex<double>> values) {
    return batch::rounded<To>(values);
  }

  /// Systems of about four entries a row; of cg Hermitian ones.
  ComplexBatch systems_for(const std::string& solver, index_t rows, index_t count, Turned turned = Turned::freely) const {
    const Structure structure = solver == "cg" ? Structure::symmetric : Structure::general;
    return test::turned(test::random_systems(structure, rows, count, random_seed_), solver == "cg" ? Turned::hermitian : turned,
                        random_seed_);
  }

  unsigned random_seed_ = std::random_device{}();
};

const std::vector<std::string> any_pattern = {"bicgstab", "cg", "gmres", "idr", "richardson", "lu", "sparse-lu"};

TEST_P(ComplexTest, EveryMethodSolvesWithEveryPreconditioner) {
  SCOPED_TRACE("seed " + std::to_string(random_seed_));
  for (const index_t rows : {1, 17, 40}) {
    for (const std::string& solver : any_pattern) {
      for (const std::string& preconditioner : preconditioner_names()) {
        if (solver == "richardson" && preconditioner == "none") {
          continue;  // diverges
        }
        const ComplexBatch batch = systems_for(
            solver, rows, 11, preconditioner == "none" && takes_preconditioner(solver) ? Turned::aside : Turned::freely);
        const Options options{.solver = solver, .preconditioner = preconditioner, .tolerance = 1e-10, .max_iterations = 1000};
        expect_solved<double>(batch, options);
        Options in_float = options;
        in_float.tolerance = 2e-5;
        expect_solved<float>(batch, in_float);
        if (!takes_preconditioner(solver)) {
          break;
        }
      }
    }
  }
}

TEST_P(ComplexTest, MethodsForTriangularAndTridiagonalPatterns) {
  SCOPED_TRACE("seed " + std::to_string(random_seed_));
  for (const index_t rows : {1, 2, 19, 64}) {
    const auto band = test::turned(test::tridiagonal(rows, 13), Turned::freely, random_seed_);
    expect_solved<double>(band, {.solver = "tridiagonal", .tolerance = 1e-12});
    expect_solved<float>(band, {.solver = "tridiagonal", .tolerance = 1e-5});
    const test::SystemBatch whole = test::random_systems(Structure::general, rows, 13, random_seed_);
    const auto lower = test::turned(test::triangle_of(whole, test::Half::lower), Turned::freely, random_seed_);
    const auto upper = test::turned(test::triangle_of(whole, test::Half::upper), Turned::freely, random_seed_);
    expect_solved<double>(lower, {.solver = "lower", .tolerance = 1e-12});
    expect_solved<double>(upper, {.solver = "upper", .tolerance = 1e-12});
  }
}

TEST_P(ComplexTest, LuExchangesRows) {
  // No pivot on the diagonal, and elements whose parts differ in size.
  const ComplexBatch batch{
      {{0, 2, 4, 6}, {1, 2, 0, 2, 0, 1}}, {{1e-3, 5}, {2, 0}, {0, 3}, {1, 1}, {4, -1}, {0, 7}}, {{1, 2}, {3, 4}, {5, 6}}};
  expect_solved<double>(batch, {.solver = "lu", .tolerance = 1e-14});
  expect_solved<double>(batch, {.solver = "sparse-lu", .tolerance = 1e-14});
}

TEST_P(ComplexTest, TransposesAndAdjointsAreThoseOfTheMatrixTurned) {
  SCOPED_TRACE("seed " + std::to_string(random_seed_));
  for (const index_t rows : {1, 5, 33}) {
    for (const std::string& solver : any_pattern) {
      for (const std::string& preconditioner : preconditioner_names()) {
        for (const Operation operation : {Operation::transpose, Operation::adjoint}) {
          for (const Scaling scaling : {Scaling::none, Scaling::automatic}) {
            SCOPED_TRACE(testing::Message() << rows << " rows, " << solver << " with " << preconditioner << ", operation "
                                            << static_cast<int>(operation));
            const ComplexBatch batch = systems_for(solver, rows, 9);
            Options options{.solver = solver, .preconditioner = preconditioner, .tolerance = 1e-9, .scaling = scaling};
            const auto expected = solve_here(test::transposed(batch, operation), options);
            options.operation = operation;
            EXPECT_TRUE(solve_here(batch, options) == expected);
          }
        }
        if (!takes_preconditioner(solver)) {
          break;
        }
      }
    }
  }
}

TEST_P(ComplexTest, TheAdjointIsNotTheTranspose) {
  const ComplexBatch batch{{{0, 1}, {0}}, {{3, 4}}, {{5, 10}}};
  Options options{.solver = "lu", .tolerance = 1e-14};
  EXPECT_NEAR(solve_here(batch, options).x[0].re, 2.2, 1e-14);  // (5 + 10 i) (3 - 4 i) / 25
  options.operation = Operation::adjoint;
  EXPECT_NEAR(solve_here(batch, options).x[0].re, -1, 1e-14);  // (5 + 10 i) (3 + 4 i) / 25
  EXPECT_NEAR(solve_here(batch, options).x[0].im, 2, 1e-14);
}

TEST_P(ComplexTest, ScaledSystems) {
  SCOPED_TRACE("seed " + std::to_string(random_seed_));
  for (const std::string& solver : any_pattern) {
    const bool is_cg = solver == "cg";
    const auto real = test::random_systems(is_cg ? Structure::symmetric : Structure::general, 20, 9, random_seed_, 1e4);
    const ComplexBatch batch = test::turned(real, is_cg ? Turned::hermitian : Turned::freely, random_seed_);
    expect_solved<double>(batch, {.solver = solver, .tolerance = 1e-8, .max_iterations = 1000, .scaling = Scaling::automatic});
  }
}

/// Whose squares leave the range of double.
TEST_P(ComplexTest, SystemsOfAnySize) {
  SCOPED_TRACE("seed " + std::to_string(random_seed_));
  for (const double size : {0x1p-700, 0x1p-300, 0x1p300, 0x1p700}) {
    for (const char* const solver : {"lu", "sparse-lu", "gmres", "bicgstab"}) {
      SCOPED_TRACE(testing::Message() << solver << ", " << size);
      ComplexBatch batch = systems_for(solver, 12, 5);
      const auto plain = solve_here(batch, {.solver = solver, .tolerance = 1e-10});
      for (std::vector<Complex<double>>* const numbers : {&batch.values, &batch.rhs}) {
        for (Complex<double>& number : *numbers) {
          number = scaled(number, size);
        }
      }
      const bool in_range = solver[0] == 'l' || solver[0] == 's' || std::abs(std::log2(size)) < 500;
      const auto solved = solve_here(batch, {.solver = solver, .tolerance = 1e-10});
      for (std::size_t system = 0; in_range && system < solved.reports.size(); ++system) {
        EXPECT_EQ(solved.reports[system].status, Status::converged) << to_string(solved.reports[system].status);
      }
      if (in_range) {
        EXPECT_NEAR(solved.x[0].re, plain.x[0].re, 1e-8);
        EXPECT_NEAR(solved.x[0].im, plain.x[0].im, 1e-8);
      }
    }
  }
}

TEST_P(ComplexTest, RealSystemsAreComplexOnesWithoutImaginaryParts) {
  const test::SystemBatch real = test::random_systems(Structure::general, 30, 7, 20261125);
  ComplexBatch batch{real.pattern, {}, {}};
  for (const double value : real.values) {
    batch.values.push_back({value, 0});
  }
  for (const double value : real.rhs) {
    batch.rhs.push_back({value, 0});
  }
  for (const std::string& solver : {std::string("bicgstab"), std::string("gmres"), std::string("lu")}) {
    const auto solved = solve_here(batch, {.solver = solver, .tolerance = 1e-12});
    std::vector<double> x(real.rhs.size(), 0);
    const auto reports =
        solve<double>(real.matrix(), real.rhs, x, {.solver = solver, .tolerance = 1e-12}, std::vector{GetParam()});
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(solved.x[i].re, x[i], 1e-9);
      EXPECT_EQ(solved.x[i].im, 0) << solver;
    }
  }
}

TEST_P(ComplexTest, WhatIsNotFiniteOrZeroIsSaid) {
  ComplexBatch batch = systems_for("lu", 6, 3);
  batch.values[static_cast<std::size_t>(batch.pattern.entries())].im = std::numeric_limits<double>::quiet_NaN();
  std::fill_n(batch.rhs.begin() + 12, 6, Complex<double>{});
  for (const std::string& solver : any_pattern) {
    SCOPED_TRACE(solver);
    const auto solved = solve_here(batch, {.solver = solver, .tolerance = 1e-9});
    EXPECT_EQ(solved.reports[1].status, Status::not_finite);
    EXPECT_EQ(solved.reports[2].status, Status::converged);
    for (std::size_t i = 6; i < 18; ++i) {
      EXPECT_EQ(solved.x[i], Complex<double>{});
    }
  }
  const ComplexBatch singular{{{0, 2, 4}, {0, 1, 0, 1}}, {{1, 1}, {0, 2}, {1, 1}, {0, 2}}, {{1, 0}, {2, 0}}};
  EXPECT_EQ(solve_here(singular, {.solver = "lu"}).reports[0].status, Status::breakdown);
}

TEST_P(ComplexTest, TellsOfEachIteration) {
  const ComplexBatch batch = systems_for("gmres", 25, 6);
  const Options options{.solver = "gmres", .tolerance = 1e-9, .max_iterations = 40};
  std::vector<double> history(6 * 41);
  const auto solved = solve_here(batch, options, {.history = history});
  for (std::size_t system = 0; system < 6; ++system) {
    const Report& report = solved.reports[system];
    EXPECT_EQ(history[system * 41], report.rhs_norm);
    EXPECT_EQ(history[system * 41 + static_cast<std::size_t>(report.iterations)], report.residual_norm);
  }
}

/// Of matrices as they are and turned: the bytes of CSR, but on a GPU; from solve(), and from a plan with values in the storage,
/// which the host's packs put in order where they load them.
TEST_P(ComplexTest, StoragesAreThoseOfCsr) {
  SCOPED_TRACE("seed " + std::to_string(random_seed_));
  for (const index_t rows : {1, 6, 35}) {
    for (const std::string& solver : any_pattern) {
      for (const Operation operation : {Operation::none, Operation::transpose, Operation::adjoint}) {
        const ComplexBatch batch = systems_for(solver, rows, 9);
        Options options{.solver = solver, .tolerance = 1e-9, .max_iterations = 1000, .operation = operation};
        const auto expected = solve_here(batch, options);
        for (const Storage storage : {Storage::ell, Storage::dense}) {
          SCOPED_TRACE(testing::Message() << rows << " rows, " << solver << ", operation " << static_cast<int>(operation) << ", "
                                          << to_string(storage));
          options.storage = storage;
          const StoredPattern stored = stored_pattern(batch.pattern, storage);
          const std::vector<Complex<double>> values = stored_values<Complex<double>>(stored, 9, batch.values);
          Plan<Complex<double>> plan(GetParam(), batch.pattern, 9, options);
          const exec::Buffer<Complex<double>> own_values(GetParam(), std::span(values));
          const exec::Buffer<Complex<double>> rhs(GetParam(), std::span(batch.rhs));
          ComplexSolved<double> solved{std::vector<Complex<double>>(batch.rhs.size()), std::vector<Report>(9)};
          exec::Buffer<Complex<double>> x(GetParam(), std::span(std::as_const(solved.x)));
          exec::Buffer<Report> reports(GetParam(), 9);
          plan.execute(9, 9, 0, own_values.data(), rhs.data(), x.data(), reports.data());
          x.copy_to(std::span(solved.x));
          reports.copy_to(std::span(solved.reports));
          EXPECT_TRUE(solve_here(batch, options) == (GetParam().is_host() ? expected : solved));
          if (!GetParam().is_gpu()) {
            EXPECT_TRUE(solved == expected);
          }
          for (index_t system = 0; system < 9; ++system) {
            const Report& report = solved.reports[static_cast<std::size_t>(system)];
            EXPECT_EQ(report.status, Status::converged) << to_string(report.status);
            test::check_solution(operation == Operation::none ? batch : test::transposed(batch, operation), system, solved.x,
                                 report, options.tolerance);
          }
        }
      }
    }
  }
}

TEST_P(ComplexTest, CyclesOfFloatAreRefused) {
  const ComplexBatch batch = systems_for("lu", 3, 1);
  EXPECT_THROW(solve_here(batch, {.solver = "lu", .inner_precision = Precision::f32}), Error);
  EXPECT_NE(Plan<Complex<double>>::describe(GetParam(), batch.pattern, {.operation = Operation::adjoint}).find("complex f64"),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Devices, ComplexTest, testing::ValuesIn(test::devices()),
                         [](const auto& instance) { return test::test_name(instance.param); });

}  // namespace
}  // namespace phpc::batch
