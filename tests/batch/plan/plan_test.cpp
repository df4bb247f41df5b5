#include "phpc/batch/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "phpc/batch/problems.hpp"
#include "phpc/core/error.hpp"
#include "support/devices.hpp"
#include "support/linear_systems.hpp"

namespace phpc::batch {
namespace {

class PlanTest : public testing::TestWithParam<exec::Device> {};

TEST_P(PlanTest, OnePlanSolvesAgainAndAgain) {
  const exec::Device device = GetParam();
  Plan<double> plan(device, test::random_systems(test::Structure::general, 31, 1, 5).pattern, 40, {.scratch_limit = 2000});
  for (const index_t systems : {40, 7, 1, 0}) {
    test::SystemBatch batch = test::random_systems(test::Structure::general, 31, systems, 5);
    const exec::Buffer<double> values(device, std::span<const double>(batch.values));
    const exec::Buffer<double> rhs(device, std::span<const double>(batch.rhs));
    exec::Buffer<double> x(device, std::span<const double>(std::vector<double>(batch.rhs.size(), 0.0)));
    exec::Buffer<Report> reports(device, systems);
    plan.execute(systems, systems, 0, values.data(), rhs.data(), x.data(), reports.data());
    std::vector<double> solution(batch.rhs.size());
    std::vector<Report> told(static_cast<std::size_t>(systems));
    x.copy_to(solution);
    reports.copy_to(told);
    for (index_t system = 0; system < systems; ++system) {
      test::check_solution(batch, system, solution, told[static_cast<std::size_t>(system)], 1e-6);
      EXPECT_EQ(told[static_cast<std::size_t>(system)].status, Status::converged);
    }
  }
}

TEST_P(PlanTest, MoreSystemsThanPlannedIsAnError) {
  Plan<double> plan(GetParam(), {{0, 1}, {0}}, 3, {});
  EXPECT_THROW(plan.execute(4, 4, 0, nullptr, nullptr, nullptr, nullptr), Error);
  EXPECT_THROW(plan.execute(3, 0, 0, nullptr, nullptr, nullptr, nullptr), Error);
}

TEST_P(PlanTest, WorkspaceIsWhatDoesNotFit) {
  const CsrPattern pattern = test::random_systems(test::Structure::general, 100, 1, 5).pattern;
  EXPECT_EQ(Plan<double>::workspace_bytes(GetParam(), pattern, {}), 0U);
  // 6 vectors of BiCGSTAB and 2 of Jacobi; host packs keep theirs on their thread.
  EXPECT_EQ(Plan<double>::workspace_bytes(GetParam(), pattern, {.scratch_limit = 1}), GetParam().is_host() ? 0 : 8U * 800);
}

TEST_P(PlanTest, TellsWhichKernelItTakes) {
  const CsrPattern pattern = test::random_systems(test::Structure::general, 100, 1, 5).pattern;
  const std::string text = Plan<double>::describe(GetParam(), pattern, {.preconditioner = "ilu"});
  EXPECT_TRUE(text.starts_with("bicgstab with ilu in f64, ")) << text;
  const std::string expected = GetParam().is_host() ? "in each lane" : GetParam().is_gpu() ? "a team of 64" : "a team of 1 ";
  EXPECT_NE(text.find(expected), std::string::npos) << text;
  // Stencils are solved in registers on NVIDIA GPUs, unless a history is wanted.
  const CsrPattern stencil = Problem("stencil3:32", 1).pattern();
  const std::string quick = Plan<double>::describe(GetParam(), stencil, {.solver = "cg"});
  EXPECT_EQ(quick.find("in registers: ") != std::string::npos, GetParam().kind() == exec::DeviceKind::nvidia) << quick;
  const std::string recorded = Plan<double>::describe(GetParam(), stencil, {.solver = "cg"}, true);
  EXPECT_EQ(recorded.find("in registers: "), std::string::npos) << recorded;
  EXPECT_NE(recorded.find(GetParam().is_gpu() ? "a team of 64 " : "a "), std::string::npos) << recorded;
  const std::string single = Plan<float>::describe(GetParam(), pattern, {.solver = "lu", .scratch_limit = 1});
  EXPECT_TRUE(single.starts_with("lu in f32, ")) << single;
  EXPECT_THROW(Plan<double>::describe(GetParam(), pattern, {.solver = "tridiagonal"}), Error);
}

TEST_P(PlanTest, TeamsHaveTheSizeAskedForOrAreRefused) {
  const CsrPattern pattern = test::random_systems(test::Structure::general, 40, 1, 5).pattern;
  for (const char* const solver : {"bicgstab", "gmres", "lu"}) {
    const std::vector<int> sizes = team_sizes(GetParam().kind(), {.solver = solver});
    for (const int size : {1, 7, 32, 64, 128, 256}) {
      SCOPED_TRACE(testing::Message() << solver << ", " << size);
      const Options options{.solver = solver, .team_size = size};
      if (std::find(sizes.begin(), sizes.end(), size) != sizes.end()) {
        EXPECT_EQ(Plan<double>(GetParam(), pattern, 2, options).team_size(), size);
      } else {
        EXPECT_THROW(Plan<double>(GetParam(), pattern, 2, options), Error);
      }
    }
    EXPECT_EQ(Plan<double>(GetParam(), pattern, 2, {.solver = solver}).team_size() > 1, GetParam().is_gpu());
  }
  EXPECT_EQ(team_sizes(GetParam().kind()).size(), GetParam().is_gpu() ? 4U : 1U);
}

INSTANTIATE_TEST_SUITE_P(Devices, PlanTest, testing::ValuesIn(test::devices()),
                         [](const auto& instance) { return test::test_name(instance.param); });

}  // namespace
}  // namespace phpc::batch
