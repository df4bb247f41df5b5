// Kernels of slice layouts, run on the host in teams of real threads, each of them a sub-group of its own: where their entries
// come from, their barriers and their arithmetic. What the lanes of a sub-group exchange shows on a GPU, where the tests of
// solver_test.cpp take these kernels.
#include "batch/slices/slice_kernel.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "batch/precond/identity.hpp"
#include "batch/precond/jacobi.hpp"
#include "batch/slices/mixed_slice_kernel.hpp"
#include "batch/solver/bicgstab.hpp"
#include "batch/solver/cg.hpp"
#include "batch/systems_job.hpp"
#include "support/launch_in_team.hpp"
#include "support/linear_systems.hpp"

namespace phpc::batch {
namespace {

using test::Structure;
using test::SystemBatch;

class SliceKernelTest : public testing::Test {
 protected:
  static constexpr unsigned seed = 20261125;

  template <class Kernel>
  static void check(const SystemBatch& batch, int rows_of_a_thread, int slots, bool tails, std::int32_t room, double tolerance,
                    std::size_t value_bytes = sizeof(double)) {
    const auto rows = static_cast<int>(batch.rows());
    SCOPED_TRACE(testing::Message() << rows << " rows, " << rows_of_a_thread << " a thread, room for " << room << ", seed "
                                    << seed);
    const SliceLayout layout = slice_layout(
        batch.pattern, {rows_of_a_thread, slots, (rows + rows_of_a_thread - 1) / rows_of_a_thread, tails}, 1, value_bytes, room);
    ASSERT_TRUE(tails || layout.tail_shift < 0);
    std::vector<double> x(batch.rhs.size(), 0.0);
    std::vector<Report> reports(static_cast<std::size_t>(batch.systems()));
    Kernel kernel{};
    kernel.job = {test::systems_job(batch, x, reports, tolerance, 200),
                  {layout.positions.data(), layout.register_columns.data(), layout.slices.data(), layout.scratch_columns.data(),
                   layout.places.data(), layout.columns.data(), layout.pads.data(), static_cast<std::int32_t>(layout.pads.size()),
                   layout.slices.back(), layout.staged_slots, layout.tail_shift, layout.row_shift}};
    const exec::LaunchShape shape{.groups = batch.systems(),
                                  .scratch_bytes = slice_scratch_bytes(layout, value_bytes, sizeof(double)),
                                  .team_size = layout.shape.threads};
    test::launch_in_host_team(shape, layout.shape.threads, kernel);
    for (index_t system = 0; system < batch.systems(); ++system) {
      const Report& report = reports[static_cast<std::size_t>(system)];
      test::check_solution(batch, system, x, report, tolerance);
      EXPECT_EQ(report.status, Status::converged) << to_string(report.status);
    }
  }
};

TEST_F(SliceKernelTest, AnyPatternInRegistersScratchAndMemory) {
  for (const index_t rows : {1, 2, 13, 40}) {
    const SystemBatch general = test::random_systems(Structure::general, rows, 3, seed, 1e3, {3, 30});
    const SystemBatch symmetric = test::random_systems(Structure::symmetric, rows, 3, seed, 1, {2, 12});
    for (const std::int32_t room : {0, 150, 100000}) {
      check<SliceKernel<double, BiCgStab, JacobiPreconditioner, 4, 4, true>>(general, 4, 4, true, room, 1e-10);
      check<SliceKernel<double, ConjugateGradients, IdentityPreconditioner, 4, 4, true>>(symmetric, 4, 4, true, room, 1e-10);
    }
    check<SliceKernel<double, BiCgStab, JacobiPreconditioner, 4, 4, false>>(general, 4, 4, false, 100000, 1e-10);
    check<SliceKernel<double, BiCgStab, IdentityPreconditioner, 8, 3, true>>(symmetric, 8, 3, true, 100, 1e-10);
    check<SliceKernel<double, ConjugateGradients, JacobiPreconditioner, 8, 16, false>>(symmetric, 8, 16, false, 100, 1e-10);
  }
}

TEST_F(SliceKernelTest, CyclesOfFloat) {
  for (const index_t rows : {1, 13, 40}) {
    const SystemBatch general = test::random_systems(Structure::general, rows, 3, seed, 1e3, {3, 30});
    const SystemBatch symmetric = test::random_systems(Structure::symmetric, rows, 3, seed, 1, {2, 12});
    for (const std::int32_t room : {0, 100000}) {
      check<MixedSliceKernel<BiCgStab, JacobiPreconditioner, 4, 4, true>>(general, 4, 4, true, room, 1e-12, sizeof(float));
      check<MixedSliceKernel<ConjugateGradients, IdentityPreconditioner, 4, 4, true>>(symmetric, 4, 4, true, room, 1e-12,
                                                                                      sizeof(float));
    }
    check<MixedSliceKernel<BiCgStab, JacobiPreconditioner, 4, 4, false>>(general, 4, 4, false, 100000, 1e-12, sizeof(float));
  }
}

}  // namespace
}  // namespace phpc::batch
