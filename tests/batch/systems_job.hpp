#pragma once
#include <span>

#include "batch/system/solve_job.hpp"
#include "support/linear_systems.hpp"

namespace phpc::test {

/// What kernels are given to solve the batch to a tolerance relative to b.
inline batch::SystemsJob<double> systems_job(const SystemBatch& systems, std::span<double> x, std::span<batch::Report> reports,
                                             double tolerance, std::int32_t iterations) {
  return {.matrix = {.systems = systems.systems(),
                     .value_sets = systems.systems(),
                     .first_set = 0,
                     .rows = static_cast<std::int32_t>(systems.rows()),
                     .entries = static_cast<std::int32_t>(systems.pattern.entries()),
                     .row_offsets = systems.pattern.row_offsets.data(),
                     .columns = systems.pattern.columns.data(),
                     .values = systems.values.data()},
          .rhs = systems.rhs.data(),
          .x = x.data(),
          .reports = reports.data(),
          .tolerances = nullptr,
          .stop = {tolerance, batch::ToleranceKind::relative_to_rhs, iterations}};
}

}  // namespace phpc::test
