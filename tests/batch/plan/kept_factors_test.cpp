// Factors that a plan keeps: solves with them against those that factorise afresh.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "batch/direct/tridiagonal_systems.hpp"
#include "batch/solver_fixture.hpp"
#include "phpc/batch/plan.hpp"
#include "phpc/core/error.hpp"

namespace phpc::batch {
namespace {

/// The numbers as T's; as complex ones turned by two angles.
template <class T>
std::vector<T> numbers_of(std::span<const double> values) {
  std::vector<T> numbers;
  for (const double value : values) {
    if constexpr (requires(T number) { number.im; }) {
      using Part = decltype(T::im);
      numbers.push_back({static_cast<Part>(0.8 * value), static_cast<Part>((numbers.size() % 2 == 0 ? 0.6 : -0.6) * value)});
    } else {
      numbers.push_back(static_cast<T>(value));
    }
  }
  return numbers;
}

/// A batch on a device, and the solves of it that a plan is asked for.
template <class T>
class OnDevice {
 public:
  OnDevice(exec::Device device, const CsrPattern& pattern, std::vector<T> values, std::vector<T> rhs)
      : rows_(pattern.rows()),
        sets_(static_cast<index_t>(values.size()) / pattern.entries()),
        values_(device, std::span<const T>(values)),
        rhs_(device, std::span<const T>(rhs)),
        x_(device, static_cast<index_t>(rhs.size())),
        reports_(device, static_cast<index_t>(rhs.size()) / rows_) {}

  /// `count` solves from zero, which begin with the given set and right-hand side.
  DeviceArrays<T> arrays(index_t count, index_t first_set = 0, index_t first_rhs = 0) {
    x_.copy_from(std::vector<T>(static_cast<std::size_t>(x_.size()), T{}));
    return {.solves = count,
            .value_sets = sets_,
            .first_set = first_set,
            .first_rhs = first_rhs,
            .values = values_.data(),
            .rhs = rhs_.data(),
            .x = x_.data(),
            .reports = reports_.data()};
  }
  /// The bytes of the first solutions and reports.
  [[nodiscard]] std::vector<std::byte> results(index_t count) const {
    std::vector<T> x(static_cast<std::size_t>(count * rows_));
    std::vector<Report> reports(static_cast<std::size_t>(count));
    x_.copy_to(x);
    reports_.copy_to(reports);
    const auto of_x = std::as_bytes(std::span(x));
    const auto of_reports = std::as_bytes(std::span(reports));
    std::vector<std::byte> bytes(of_x.begin(), of_x.end());
    bytes.insert(bytes.end(), of_reports.begin(), of_reports.end());
    return bytes;
  }
  [[nodiscard]] index_t sets() const { return sets_; }

 private:
  index_t rows_;
  index_t sets_;
  exec::Buffer<T> values_;
  exec::Buffer<T> rhs_;
  exec::Buffer<T> x_;
  exec::Buffer<Report> reports_;
};

class KeptFactorsTest : public SolverTest {
 protected:
  /// Solves of all right-hand sides and of some from the middle, with and without kept factors.
  template <class T>
  void expect_same(const SystemBatch& batch, const Options& options, index_t sets) {
    const auto values = static_cast<std::size_t>(sets * batch.pattern.entries());
    OnDevice<T> arrays(GetParam(), batch.pattern, numbers_of<T>(std::span(batch.values).first(values)), numbers_of<T>(batch.rhs));
    Plan<T> plan(GetParam(), batch.pattern, batch.systems(), options);
    Plan<T> keeping(GetParam(), batch.pattern, batch.systems(), options);
    keeping.factorise({.value_sets = sets, .values = arrays.arrays(0).values});
    const index_t some = batch.systems() / 2;
    for (const index_t solves : {batch.systems(), some, some, index_t{0}}) {
      const index_t first_set = solves == some ? sets / 3 : 0;
      const index_t first_rhs = solves == some ? options.rhs_per_system / 2 : 0;
      plan.execute(arrays.arrays(solves, first_set, first_rhs));
      const std::vector<std::byte> afresh = arrays.results(solves);
      DeviceArrays<T> solve = arrays.arrays(solves, first_set, first_rhs);
      solve.value_sets = 0;  // not looked at
      solve.values = nullptr;
      keeping.solve(solve);
      EXPECT_EQ(arrays.results(solves), afresh) << solves << " solves from set " << first_set;
    }
  }

  unsigned random_seed_ = std::random_device{}();
};

TEST_P(KeptFactorsTest, GiveTheBytesOfSolvesThatFactoriseAfresh) {
  SCOPED_TRACE("seed " + std::to_string(random_seed_));
  for (const index_t rows : {1, 5, 16, 33, 70}) {
    const SystemBatch batch = random_systems(Structure::general, rows, 30, random_seed_ + static_cast<unsigned>(rows), 100);
    for (const std::string& solver : solver_names()) {
      if (solver == "tridiagonal" || solver == "lower" || solver == "upper") {
        continue;  // of other patterns
      }
      for (const std::string& preconditioner : preconditioner_names()) {
        for (const auto& [scaling, operation, repeat, sets] :
             {std::tuple{Scaling::none, Operation::none, 1, 30}, std::tuple{Scaling::automatic, Operation::transpose, 1, 30},
              std::tuple{Scaling::none, Operation::transpose, 3, 10}, std::tuple{Scaling::none, Operation::none, 1, 1}}) {
          SCOPED_TRACE(testing::Message() << rows << " rows, " << solver << " with " << preconditioner << ", " << sets
                                          << " sets, scaling " << static_cast<int>(scaling));
          const Options options{.solver = solver,
                                .preconditioner = preconditioner,
                                .tolerance = 1e-9,
                                .team_size = scratch_team_size(),
                                .rhs_per_system = repeat,
                                .scaling = scaling,
                                .operation = operation};
          expect_same<double>(batch, options, sets);
        }
        if (!takes_preconditioner(solver)) {
          break;
        }
      }
    }
  }
}

TEST_P(KeptFactorsTest, InFloat) {
  SCOPED_TRACE("seed " + std::to_string(random_seed_));
  const SystemBatch batch = random_systems(Structure::general, 40, 37, random_seed_);
  for (const auto& [solver, preconditioner] : {std::pair{"lu", "none"}, {"sparse-lu", "none"}, {"gmres", "ilu"}}) {
    for (const index_t sets : {37, 10, 1}) {
      SCOPED_TRACE(testing::Message() << solver << ", " << sets << " sets");
      expect_same<float>(
          batch, {.solver = solver, .preconditioner = preconditioner, .tolerance = 1e-5, .team_size = scratch_team_size()}, sets);
    }
  }
}

TEST_P(KeptFactorsTest, OfComplexSystems) {
  SCOPED_TRACE("seed " + std::to_string(random_seed_));
  const SystemBatch batch = random_systems(Structure::general, 40, 37, random_seed_);
  for (const auto& [solver, preconditioner] :
       {std::pair{"lu", "none"}, {"sparse-lu", "none"}, {"gmres", "ilu"}, {"bicgstab", "block-jacobi"}, {"idr", "isai"}}) {
    for (const index_t sets : {37, 1}) {
      SCOPED_TRACE(solver);
      const Options options{.solver = solver,
                            .preconditioner = preconditioner,
                            .tolerance = 1e-5,
                            .scaling = Scaling::automatic,
                            .operation = sets == 1 ? Operation::adjoint : Operation::none};
      expect_same<Complex<float>>(batch, options, sets);
      expect_same<Complex<double>>(batch, options, sets);
    }
  }
  expect_same<Complex<double>>(test::tridiagonal(33, 20), {.solver = "tridiagonal", .tolerance = 1e-12}, 20);
}

TEST_P(KeptFactorsTest, OfTridiagonalSystems) {
  for (const index_t rows : {1, 2, 31, 64, 100}) {
    SCOPED_TRACE(rows);
    const SystemBatch batch = test::tridiagonal(rows, 19);
    for (const Operation operation : {Operation::none, Operation::transpose}) {
      const Options options{
          .solver = "tridiagonal", .tolerance = 1e-13, .team_size = scratch_team_size(), .operation = operation};
      expect_same<double>(batch, options, 19);
      expect_same<double>(batch, options, 1);
    }
  }
}

TEST_P(KeptFactorsTest, AreMadeAnewOfOtherValues) {
  SCOPED_TRACE("seed " + std::to_string(random_seed_));
  const SystemBatch batch = random_systems(Structure::general, 24, 11, random_seed_);
  for (const auto& [solver, preconditioner] : {std::pair{"lu", "none"}, {"sparse-lu", "none"}, {"bicgstab", "ilu"}}) {
    SCOPED_TRACE(solver);
    const Options options{
        .solver = solver, .preconditioner = preconditioner, .tolerance = 1e-9, .team_size = scratch_team_size()};
    OnDevice<double> arrays(GetParam(), batch.pattern, batch.values, batch.rhs);
    std::vector<double> others = batch.values;
    std::transform(others.begin(), others.end(), others.begin(), [](double value) { return value * 1.25 + (value > 1 ? 1 : 0); });
    OnDevice<double> other_arrays(GetParam(), batch.pattern, others, batch.rhs);
    Plan<double> plan(GetParam(), batch.pattern, 11, options);
    plan.factorise(arrays.arrays(0));
    plan.solve(arrays.arrays(11));
    plan.factorise(other_arrays.arrays(0));
    plan.solve(other_arrays.arrays(11));
    const std::vector<std::byte> kept = other_arrays.results(11);
    plan.execute(other_arrays.arrays(11));
    EXPECT_EQ(kept, other_arrays.results(11));
    EXPECT_NE(kept, arrays.results(11));
  }
}

/// A plan that keeps factors solves other systems in between, whose values have memory of their own.
TEST_P(KeptFactorsTest, StayWhileOtherValuesAreSolved) {
  SCOPED_TRACE("seed " + std::to_string(random_seed_));
  const SystemBatch batch = random_systems(Structure::general, 24, 11, random_seed_);
  for (const Operation operation : {Operation::none, Operation::transpose}) {
    const Options options{.solver = "lu", .tolerance = 1e-9, .team_size = scratch_team_size(), .operation = operation};
    OnDevice<double> arrays(GetParam(), batch.pattern, batch.values, batch.rhs);
    std::vector<double> others(batch.values.rbegin(), batch.values.rend());
    OnDevice<double> other_arrays(GetParam(), batch.pattern, others, batch.rhs);
    Plan<double> plan(GetParam(), batch.pattern, 11, options);
    plan.factorise(arrays.arrays(0));
    plan.solve(arrays.arrays(11));
    const std::vector<std::byte> before = arrays.results(11);
    plan.execute(other_arrays.arrays(11));
    plan.execute(arrays.arrays(5, 3));
    plan.solve(arrays.arrays(11));
    EXPECT_EQ(arrays.results(11), before);
  }
}

/// solve() keeps factors where a matrix has several right-hand sides, for all or for as many sets at a time as memory allows.
TEST_P(KeptFactorsTest, AreKeptForSeveralRightHandSides) {
  SCOPED_TRACE("seed " + std::to_string(random_seed_));
  constexpr index_t repeat = 5;
  for (const index_t sets : {1, 37}) {
    const SystemBatch batch = random_systems(Structure::general, 150, sets * repeat, random_seed_, 1, {.least = 20, .most = 30});
    const auto entries = static_cast<std::size_t>(batch.pattern.entries());
    const std::vector<double> values(batch.values.begin(), batch.values.begin() + sets * batch.pattern.entries());
    SystemBatch one_by_one = batch;
    for (std::size_t system = 0; system < static_cast<std::size_t>(sets * repeat); ++system) {
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(system / repeat * entries), entries,
                  one_by_one.values.begin() + static_cast<std::ptrdiff_t>(system * entries));
    }
    for (const auto& [solver, preconditioner] : {std::pair{"lu", "none"}, {"sparse-lu", "none"}, {"gmres", "ilu"}}) {
      SCOPED_TRACE(solver);
      Options options{.solver = solver, .preconditioner = preconditioner, .tolerance = 1e-9, .team_size = scratch_team_size()};
      const Solved afresh = solve_here(one_by_one, options);
      options.rhs_per_system = repeat;
      Solved kept;
      kept.x.assign(batch.rhs.size(), 0);
      kept.reports = solve<double>({batch.pattern, values}, batch.rhs, kept.x, options, std::vector{GetParam()});
      expect_same_bytes(kept, afresh);
    }
  }
}

TEST_P(KeptFactorsTest, TakeTheMemoryThatIsSaid) {
  const SystemBatch batch = random_systems(Structure::general, 16, 1, seed);
  const auto bytes = [&](const Options& options, index_t sets) {
    return Plan<double>::factor_bytes(GetParam(), batch.pattern, options, sets);
  };
  const std::size_t dense = 16 * 19 * sizeof(double);
  EXPECT_GE(bytes({.solver = "lu"}, 1), dense);
  EXPECT_EQ(bytes({.solver = "lu"}, 64), 64 * dense);
  EXPECT_EQ(bytes({.solver = "gmres", .preconditioner = "jacobi"}, 64), 0U);
  EXPECT_GT(bytes({.solver = "gmres", .preconditioner = "ilu"}, 1), 0U);
  EXPECT_EQ(bytes({.solver = "sparse-lu"}, 0), 0U);
}

TEST_P(KeptFactorsTest, AreAskedForInOrder) {
  const SystemBatch batch = random_systems(Structure::general, 4, 2, seed);
  OnDevice<double> arrays(GetParam(), batch.pattern, batch.values, batch.rhs);
  Plan<double> plan(GetParam(), batch.pattern, 2, {.solver = "lu"});
  EXPECT_THROW(plan.solve(arrays.arrays(2)), Error) << "nothing is factorised";
  plan.factorise(arrays.arrays(0));
  EXPECT_THROW(plan.solve(arrays.arrays(3)), Error) << "more than the plan is for";
  Plan<double> mixed(GetParam(), batch.pattern, 2, {.solver = "lu", .inner_precision = Precision::f32});
  EXPECT_THROW(mixed.factorise(arrays.arrays(0)), Error);
  Plan<double> scaled(GetParam(), batch.pattern, 2, {.solver = "lu", .scaling = Scaling::given});
  EXPECT_THROW(scaled.factorise(arrays.arrays(0)), Error) << "no factors to scale by";
}

INSTANTIATE_TEST_SUITE_P(Devices, KeptFactorsTest, testing::ValuesIn(test::devices()),
                         [](const auto& instance) { return test::test_name(instance.param); });

}  // namespace
}  // namespace phpc::batch
