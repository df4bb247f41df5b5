#pragma once
#include <gtest/gtest.h>

#include <cstring>

#include "phpc/batch/solver.hpp"
#include "support/devices.hpp"
#include "support/linear_systems.hpp"

namespace phpc::batch {

using test::equal_systems;
using test::random_systems;
using test::Structure;
using test::SystemBatch;

inline constexpr unsigned seed = 20261122;

struct Solved {
  std::vector<double> x;
  std::vector<Report> reports;
};

inline Solved solve_all(const SystemBatch& batch, const Options& options, std::vector<exec::Device> devices,
                        std::vector<double> guess = {}, const PerSystem& per_system = {}) {
  Solved solved;
  solved.x = guess.empty() ? std::vector<double>(batch.rhs.size(), 0.0) : std::move(guess);
  solved.reports = solve<double>(batch.matrix(), batch.rhs, solved.x, options, devices, no_progress(), per_system);
  return solved;
}

inline void expect_same_bytes(const Solved& a, const Solved& b) {
  EXPECT_EQ(std::memcmp(a.x.data(), b.x.data(), a.x.size() * sizeof(double)), 0);
  for (std::size_t system = 0; system < a.reports.size(); ++system) {
    EXPECT_EQ(std::memcmp(&a.reports[system], &b.reports[system], sizeof(Report)), 0) << "system " << system;
  }
}

/// Those that solve any regular system of these tests, and those of them that iterate.
inline const std::vector<std::string> dependable = {"bicgstab", "cg", "gmres", "idr", "lu", "sparse-lu"};
inline const std::vector<std::string> krylov = {"bicgstab", "cg", "gmres", "idr"};

class SolverTest : public testing::TestWithParam<exec::Device> {
 protected:
  /// A team size for kernels that work in scratch, where a GPU would take those in registers, which round otherwise; 0 elsewhere.
  static int scratch_team_size() { return GetParam().kind() == exec::DeviceKind::nvidia ? 64 : 0; }

  Solved solve_here(const SystemBatch& batch, const Options& options, std::vector<double> guess = {},
                    const PerSystem& per_system = {}) {
    return solve_all(batch, options, {GetParam()}, std::move(guess), per_system);
  }
  void expect_status(const SystemBatch& batch, const Options& options, Status status) {
    const Solved solved = solve_here(batch, options);
    for (index_t system = 0; system < batch.systems(); ++system) {
      const Report& report = solved.reports[static_cast<std::size_t>(system)];
      EXPECT_EQ(report.status, status) << options.solver << "+" << options.preconditioner << ": " << to_string(report.status);
      test::check_solution(batch, system, solved.x, report, options.tolerance);
    }
  }
};

}  // namespace phpc::batch
