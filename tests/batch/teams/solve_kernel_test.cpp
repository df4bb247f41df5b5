#include "batch/teams/solve_kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "batch/direct/tridiagonal_systems.hpp"
#include "batch/precond/any_preconditioner.hpp"
#include "batch/precond/identity.hpp"
#include "batch/precond/jacobi.hpp"
#include "batch/solver/bicgstab.hpp"
#include "batch/solver/cg.hpp"
#include "batch/solver/dense_lu.hpp"
#include "batch/solver/gmres.hpp"
#include "batch/solver/idr.hpp"
#include "batch/solver/sparse_lu.hpp"
#include "batch/solver/tridiagonal.hpp"
#include "support/devices.hpp"
#include "support/launch_in_team.hpp"
#include "support/linear_systems.hpp"

namespace phpc::batch {
namespace {

using test::Structure;
using test::SystemBatch;

constexpr unsigned seed = 20261121;
constexpr double tolerance = 1e-9;

struct Solved {
  std::vector<double> x;
  std::vector<Report> reports;
};

/// How much of the work a team may keep in scratch.
enum class Room { all, half_of_the_vectors, collectives_only };

template <class Method, template <class> class Preconditioner, int TestedTeamSize>
Solved run(exec::Device device, const SystemBatch& batch, Room room, int host_team_size, const PatternTable& table = {}) {
  constexpr int TeamSize = test::kernel_team_size(TestedTeamSize);
  constexpr bool is_general =
      std::is_same_v<Preconditioner<MemoryContext<double, 1>>, AnyPreconditioner<MemoryContext<double, 1>>>;
  using Kernel = SolveKernel<double, Method, Preconditioner, TeamSize, is_general>;
  ScratchRequest request;
  request.rows = batch.rows();
  request.entries = batch.pattern.entries();
  request.vectors = first_vector + Method::vectors;
  request.preconditioner_size =
      Preconditioner<MemoryContext<double, TeamSize>>::workspace_size(request.rows, request.entries, table.data()) +
      Method::workspace_size(request.rows, table.data());
  request.collective_bytes = collective_bytes(device.kind(), TeamSize, sizeof(double));
  request.scratch_limit = request.collective_bytes + 15;
  if (room == Room::half_of_the_vectors) {
    request.scratch_limit += static_cast<std::size_t>((first_vector + Method::vectors) / 2 * (request.rows + 1) * 8);
  } else if (room == Room::all) {
    request.scratch_limit +=
        static_cast<std::size_t>(((first_vector + Method::vectors + 3) * (request.rows + 1) + request.preconditioner_size) * 8);
  }
  request.matrix_limit = request.scratch_limit + static_cast<std::size_t>(request.entries) * 8;
  const Placement placement = plan_scratch(request);
  EXPECT_EQ(placement.matrix == Memory::scratch, room == Room::all);
  EXPECT_EQ(placement.workspace_bytes > 0, room != Room::all);

  const index_t systems = batch.systems();
  const exec::Buffer<std::int32_t> row_offsets(device, std::span(batch.pattern.row_offsets));
  const exec::Buffer<std::int32_t> columns(device, std::span(batch.pattern.columns));
  const exec::Buffer<double> values(device, std::span(batch.values));
  const exec::Buffer<double> rhs(device, std::span(batch.rhs));
  exec::Buffer<double> x(device, std::span<const double>(std::vector<double>(batch.rhs.size(), 0.0)));
  exec::Buffer<Report> reports(device, systems);
  exec::Buffer<std::byte> workspace(device, systems * static_cast<index_t>(placement.workspace_bytes));
  const exec::Buffer<std::int32_t> device_table(device, std::span(table));
  SolveJob<double> job{};
  job.table = device_table.data();
  job.matrix = {systems,
                systems,
                0,
                static_cast<std::int32_t>(batch.rows()),
                static_cast<std::int32_t>(batch.pattern.entries()),
                row_offsets.data(),
                columns.data(),
                values.data()};
  job.rhs = rhs.data();
  job.x = x.data();
  job.reports = reports.data();
  job.workspace = workspace.data();
  job.stop = {tolerance, ToleranceKind::relative_to_rhs, static_cast<std::int32_t>(10 * batch.rows() + 10)};
  job.placement = placement;
  test::launch_in_team(device, solve_shape(job), host_team_size, Kernel{job});
  Solved solved{std::vector<double>(batch.rhs.size()), std::vector<Report>(static_cast<std::size_t>(systems))};
  x.copy_to(solved.x);
  reports.copy_to(solved.reports);
  return solved;
}

/// Methods x preconditioners x team sizes x devices, against dense LU.
class SolveKernelTest : public testing::TestWithParam<exec::Device> {
 protected:
  template <class Method, template <class> class Preconditioner, int TeamSize>
  void check(const SystemBatch& batch, Room room, const PatternTable& table = {}) {
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", team size " << TeamSize << ", " << batch.rows() << " rows, room "
                                    << static_cast<int>(room));
    const auto solved = run<Method, Preconditioner, TeamSize>(GetParam(), batch, room, TeamSize, table);
    const auto again = run<Method, Preconditioner, TeamSize>(GetParam(), batch, room, TeamSize, table);
    for (index_t system = 0; system < batch.systems(); ++system) {
      const Report& report = solved.reports[static_cast<std::size_t>(system)];
      test::check_solution(batch, system, solved.x, report, tolerance);
      EXPECT_EQ(report.status, Status::converged) << "system " << system << " " << to_string(report.status);
    }
    EXPECT_EQ(std::memcmp(solved.x.data(), again.x.data(), solved.x.size() * sizeof(double)), 0) << "two runs differ";
  }

  template <int TeamSize>
  void check_team_size() {
    const index_t systems = TeamSize > 32 ? 2 : 5;  // teams far larger than the machine are slow on the host
    for (const index_t rows : {1, 2, 33}) {
      const SystemBatch symmetric = test::random_systems(Structure::symmetric, rows, systems, seed);
      const SystemBatch general = test::random_systems(Structure::general, rows, systems, seed + 1);
      check<ConjugateGradients, IdentityPreconditioner, TeamSize>(symmetric, Room::all);
      check<BiCgStab, IdentityPreconditioner, TeamSize>(general, Room::all);
    }
    const SystemBatch stiff = test::random_systems(Structure::symmetric, 40, systems, seed + 2, 1e4);
    check<ConjugateGradients, JacobiPreconditioner, TeamSize>(stiff, Room::collectives_only);
    check<BiCgStab, JacobiPreconditioner, TeamSize>(stiff, Room::half_of_the_vectors);
    // Solver tests run the others in teams of 1 and of 64; kernels of odd sizes are compiled for this test alone.
    if constexpr (TeamSize == 3) {
      check<Gmres, JacobiPreconditioner, TeamSize>(stiff, Room::half_of_the_vectors);
      check<Idr, JacobiPreconditioner, TeamSize>(stiff, Room::half_of_the_vectors);
      const SystemBatch skewed = test::random_systems(Structure::general, 33, systems, seed + 4, 1e3);
      check<BiCgStab, AnyPreconditioner, TeamSize>(skewed, Room::all, ilu_table(skewed.pattern, {}));
      check<BiCgStab, AnyPreconditioner, TeamSize>(skewed, Room::collectives_only, isai_table(skewed.pattern, {}));
      check<Idr, AnyPreconditioner, TeamSize>(skewed, Room::half_of_the_vectors, block_jacobi_table(skewed.pattern, {}));
      check<Idr, AnyPreconditioner, TeamSize>(skewed, Room::all, ilu_isai_table(skewed.pattern, {}));
      check<DenseLu, IdentityPreconditioner, TeamSize>(stiff, Room::all);
      check<SparseLu, IdentityPreconditioner, TeamSize>(stiff, Room::all, sparse_lu_table(stiff.pattern));
      check<Tridiagonal, IdentityPreconditioner, TeamSize>(test::tridiagonal(40, systems), Room::collectives_only);
    }
  }
};

TEST_P(SolveKernelTest, TeamsOf1) {
  check_team_size<1>();
}
TEST_P(SolveKernelTest, TeamsOf3) {
  check_team_size<3>();
}
TEST_P(SolveKernelTest, TeamsOf32) {
  check_team_size<32>();
}
TEST_P(SolveKernelTest, TeamsOf65) {
  check_team_size<65>();
}
TEST_P(SolveKernelTest, TeamsOf256) {
  check_team_size<256>();
}

// What the teams leave in memory that is not theirs shows here: a system that blows up, beside ones that must not notice.
TEST_P(SolveKernelTest, ASystemOfNansChangesNoNeighbour) {
  for (const Room room : {Room::all, Room::half_of_the_vectors, Room::collectives_only}) {
    SystemBatch batch = test::random_systems(Structure::general, 20, 6, seed + 3);
    const auto healthy = run<BiCgStab, JacobiPreconditioner, 32>(GetParam(), batch, room, 3);
    batch.values[batch.place(2, 7, 7)] = std::numeric_limits<double>::quiet_NaN();
    batch.rhs[4 * 20 + 3] = std::numeric_limits<double>::infinity();
    const auto sick = run<BiCgStab, JacobiPreconditioner, 32>(GetParam(), batch, room, 3);
    for (std::size_t system = 0; system < 6; ++system) {
      if (system == 2 || system == 4) {
        EXPECT_EQ(sick.reports[system].status, Status::not_finite);
        EXPECT_TRUE(std::isnan(sick.reports[system].residual_norm));
        for (std::size_t i = 0; i < 20; ++i) {
          EXPECT_EQ(sick.x[system * 20 + i], 0.0);
        }
      } else {
        EXPECT_EQ(std::memcmp(&sick.x[system * 20], &healthy.x[system * 20], 20 * sizeof(double)), 0) << "system " << system;
        EXPECT_EQ(sick.reports[system].iterations, healthy.reports[system].iterations);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, SolveKernelTest, testing::ValuesIn(test::devices()),
                         [](const auto& instance) { return test::test_name(instance.param); });

}  // namespace
}  // namespace phpc::batch
