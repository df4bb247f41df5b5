// Plan::work: what a caller may build on.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "batch/direct/tridiagonal_systems.hpp"
#include "phpc/batch/plan.hpp"
#include "phpc/core/error.hpp"
#include "support/devices.hpp"
#include "support/linear_systems.hpp"

namespace phpc::batch {
namespace {

using test::SystemBatch;

class PlanWorkTest : public testing::TestWithParam<exec::Device> {
 protected:
  const SystemBatch batch = test::random_systems(test::Structure::general, 40, 1, 20261126);
  template <class T>
  Work work(const Options& options, double iterations) const {
    return Plan<T>::work(GetParam(), batch.pattern, options, iterations);
  }
};

TEST_P(PlanWorkTest, GrowsByTheSameForEachIteration) {
  for (const char* const solver : {"bicgstab", "cg", "richardson"}) {
    const Options options{.solver = solver};
    const Work none = work<double>(options, 0);
    const Work one = work<double>(options, 1);
    const Work three = work<double>(options, 3);
    const Work between = work<double>(options, 2.25);
    EXPECT_GT(none.flops, 0) << "the norm of b and the preconditioner";
    const double each = (three.flops - one.flops) / 2;
    EXPECT_DOUBLE_EQ(between.flops, one.flops + 1.25 * each) << solver;
    EXPECT_DOUBLE_EQ(between.cache_bytes, one.cache_bytes + 0.625 * (three.cache_bytes - one.cache_bytes)) << solver;
    EXPECT_EQ(one.memory_bytes, three.memory_bytes);
    EXPECT_GE(one.memory_bytes, static_cast<double>((batch.pattern.entries() + 3 * 40) * 8));
  }
}

TEST_P(PlanWorkTest, NarrowNumbersMoveLessAndComplexOnesCostMore) {
  for (const char* const solver : {"gmres", "idr", "lu", "sparse-lu"}) {
    const Options options{.solver = solver, .preconditioner = "none"};
    const double iterations = solver == std::string("lu") ? 1 : 2;  // LU of real numbers in registers factorises in each
    const Work wide = work<double>(options, iterations);
    const Work narrow = work<float>(options, iterations);
    const Work both = work<Complex<double>>(options, iterations);
    EXPECT_EQ(both.flops, 4 * wide.flops) << solver;
    EXPECT_LT(narrow.cache_bytes + narrow.scratch_bytes, 0.9 * (wide.cache_bytes + wide.scratch_bytes)) << solver;
    EXPECT_GT(both.cache_bytes + both.scratch_bytes, 1.5 * (wide.cache_bytes + wide.scratch_bytes)) << solver;
  }
  const Options mixed{.solver = "gmres", .preconditioner = "none", .tolerance = 1e-9, .inner_precision = Precision::f32};
  const Work cycles = work<double>(mixed, 12);
  const Work wide = work<double>({.solver = "gmres", .preconditioner = "none"}, 12);
  EXPECT_LT(cycles.cache_bytes + cycles.scratch_bytes, wide.cache_bytes + wide.scratch_bytes);
}

TEST_P(PlanWorkTest, ADirectMethodFactorisesOnce) {
  const Options options{.solver = "lu"};
  const double first = work<double>(options, 1).flops;
  const double n = 40;
  EXPECT_GT(first, 2.0 / 3 * n * n * n);
  EXPECT_LT(first, 1.1 * 2.0 / 3 * n * n * n + 20 * n * n);
  if (!GetParam().is_gpu()) {  // LU in registers factorises in each cycle
    EXPECT_LT(work<double>(options, 2).flops - first, 10 * n * n);
  }
}

TEST_P(PlanWorkTest, EveryCombinationHasItsWork) {
  const SystemBatch tridiagonal = test::tridiagonal(33, 1);
  const SystemBatch lower = test::triangle_of(batch, test::Half::lower);
  const SystemBatch upper = test::triangle_of(batch, test::Half::upper);
  for (const std::string& solver : solver_names()) {
    for (const std::string& preconditioner : preconditioner_names()) {
      for (const Operation operation : {Operation::none, Operation::transpose}) {
        const bool is_turned = operation != Operation::none;
        const SystemBatch& own = solver == "tridiagonal"                     ? tridiagonal
                                 : solver == (is_turned ? "upper" : "lower") ? lower
                                 : solver == (is_turned ? "lower" : "upper") ? upper
                                                                             : batch;
        const Options options{.solver = solver, .preconditioner = preconditioner, .operation = operation};
        for (const double iterations : {0.0, 1.0, 7.5, 45.0}) {
          const Work told = Plan<double>::work(GetParam(), own.pattern, options, iterations);
          for (const double number : {told.flops, told.memory_bytes, told.cache_bytes}) {
            EXPECT_TRUE(std::isfinite(number) && number > 0) << solver << " with " << preconditioner << ": " << number;
          }
          EXPECT_TRUE(std::isfinite(told.scratch_bytes) && (told.scratch_bytes > 0) == GetParam().is_gpu());
        }
        if (!takes_preconditioner(solver)) {
          break;
        }
      }
    }
  }
  EXPECT_THROW(work<double>({.solver = "tridiagonal"}, 1), Error);
  EXPECT_THROW(work<double>({.solver = "none such"}, 1), Error);
}

TEST_P(PlanWorkTest, IsInTheDescription) {
  const std::string text = Plan<double>::describe(GetParam(), batch.pattern, {.solver = "cg"});
  EXPECT_NE(text.find(" through caches"), std::string::npos) << text;
  EXPECT_NE(text.find(" an iteration"), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(Devices, PlanWorkTest, testing::ValuesIn(test::devices()), test::DeviceName());

}  // namespace
}  // namespace phpc::batch
