// Batched solvers: device time of a whole batch, data on the device. Set PHPC_BENCH_DEVICE to choose the device,
// PHPC_BENCH_SYSTEMS to the number of systems, and PHPC_BENCH_FOLDER to a folder as `portable-hpc batch` reads it, to time its
// systems (with a right-hand side of ones) too.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

#include "phpc/batch/plan.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/io/batch_folder.hpp"
#include "support.hpp"

namespace phpc::bench {
namespace {

using exec::Buffer;

struct Problem {
  batch::CsrPattern pattern;
  std::vector<double> values;  ///< (value sets, entries)
  std::vector<double> rhs;     ///< (value sets, rows)
};

index_t systems() {
  const char* const wanted = std::getenv("PHPC_BENCH_SYSTEMS");
  const auto number = parse_integer(wanted == nullptr ? "" : wanted);
  return number && *number > 0 ? *number : index_t{1} << (device().is_gpu() ? 17 : 13);
}

/// Most systems that are made; a larger batch repeats them, each in memory of its own.
constexpr index_t different_systems = 8192;

/// The seed paper's 3-point problem: h ~ N(0.5, 0.1) for every row, 2 / h on the diagonal and -1 beside it; then a right-hand
/// side ~ N(0.5, 0.1), constant within a system.
Problem stencil(index_t rows) {
  Problem problem;
  problem.pattern.row_offsets.push_back(0);
  for (index_t row = 0; row < rows; ++row) {
    for (index_t column = std::max<index_t>(row - 1, 0); column <= std::min(row + 1, rows - 1); ++column) {
      problem.pattern.columns.push_back(static_cast<std::int32_t>(column));
    }
    problem.pattern.row_offsets.push_back(static_cast<std::int32_t>(problem.pattern.columns.size()));
  }
  std::ranlux48 engine(15);
  std::normal_distribution<double> normal(0.5, 0.1);
  const index_t count = std::min(systems(), different_systems);
  for (index_t system = 0; system < count; ++system) {
    for (index_t row = 0; row < rows; ++row) {
      for (auto entry = problem.pattern.row_offsets[static_cast<std::size_t>(row)];
           entry < problem.pattern.row_offsets[static_cast<std::size_t>(row) + 1]; ++entry) {
        problem.values.push_back(problem.pattern.columns[static_cast<std::size_t>(entry)] == row ? 2 / normal(engine) : -1.0);
      }
    }
  }
  for (index_t system = 0; system < count; ++system) {
    problem.rhs.insert(problem.rhs.end(), static_cast<std::size_t>(rows), normal(engine));
  }
  return problem;
}

/// Like the Newton matrices of a chemical mechanism: nine tenths full, I - gamma J, where species of very different amounts
/// (over seven orders of magnitude) couple: ill-conditioned as it stands, tame when scaled. 64 different systems.
Problem chemistry(index_t rows) {
  std::mt19937_64 engine(15);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> normal(0, 0.5 / std::sqrt(static_cast<double>(rows)));
  Problem problem;
  std::vector<double> amounts;
  problem.pattern.row_offsets.push_back(0);
  for (index_t row = 0; row < rows; ++row) {
    amounts.push_back(std::pow(10.0, -7 * uniform(engine)));
    for (index_t column = 0; column < rows; ++column) {
      if (row == column || uniform(engine) < 0.9) {
        problem.pattern.columns.push_back(static_cast<std::int32_t>(column));
      }
    }
    problem.pattern.row_offsets.push_back(static_cast<std::int32_t>(problem.pattern.columns.size()));
  }
  for (int system = 0; system < 64; ++system) {
    for (index_t row = 0; row < rows; ++row) {
      for (auto entry = problem.pattern.row_offsets[static_cast<std::size_t>(row)];
           entry < problem.pattern.row_offsets[static_cast<std::size_t>(row) + 1]; ++entry) {
        const index_t column = problem.pattern.columns[static_cast<std::size_t>(entry)];
        const double coupling =
            normal(engine) * amounts[static_cast<std::size_t>(row)] / amounts[static_cast<std::size_t>(column)];
        problem.values.push_back(row == column ? 1 + std::fabs(normal(engine)) : coupling);
      }
      problem.rhs.push_back(1);
    }
  }
  return problem;
}

/// Times the solve of systems() systems, each with values of its own in device memory.
void time_solve(benchmark::State& state, const Problem& problem, const batch::Options& options) {
  const index_t count = systems();
  const index_t rows = problem.pattern.rows();
  const index_t entries = problem.pattern.entries();
  const index_t sets = static_cast<index_t>(problem.rhs.size()) / rows;
  Buffer<double> values(device(), count * entries);
  Buffer<double> rhs(device(), count * rows);
  for (index_t system = 0; system < count; system += sets) {
    const auto taken = static_cast<std::size_t>(std::min(sets, count - system));
    values.copy_from(std::span(problem.values).first(taken * static_cast<std::size_t>(entries)), system * entries);
    rhs.copy_from(std::span(problem.rhs).first(taken * static_cast<std::size_t>(rows)), system * rows);
  }
  const std::vector<double> zeros(static_cast<std::size_t>(count * rows), 0.0);
  const Buffer<double> guess(device(), std::span(zeros));
  Buffer<double> x(device(), count * rows);
  Buffer<batch::Report> reports(device(), count);
  batch::Plan<double> plan(device(), problem.pattern, count, options);
  for (auto _ : state) {
    exec::copy_bytes(device(), x.data(), device(), guess.data(), static_cast<std::size_t>(count * rows) * sizeof(double));
    const auto start = std::chrono::steady_clock::now();
    plan.execute(count, count, 0, values.data(), rhs.data(), x.data(), reports.data());
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::vector<batch::Report> told(static_cast<std::size_t>(count));
  reports.copy_to(told);
  double iterations = 0;
  double unconverged = 0;
  for (const batch::Report& report : told) {
    iterations += report.iterations;
    unconverged += report.status == batch::Status::converged ? 0 : 1;
  }
  state.counters["iterations_mean"] = iterations / static_cast<double>(count);
  state.counters["unconverged"] = unconverged;
  state.SetItemsProcessed(state.iterations() * count);
  // One pass: the matrix, b and the guess read, x written.
  state.SetBytesProcessed(state.iterations() * count * (entries + 3 * rows) * static_cast<index_t>(sizeof(double)));
}

void stencil3(benchmark::State& state, const std::string& solver) {
  time_solve(state, stencil(state.range(0)), {.solver = solver, .preconditioner = "none", .max_iterations = 500});
}
BENCHMARK_CAPTURE(stencil3, cg, "cg")->RangeMultiplier(2)->Range(16, 256)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(stencil3, bicgstab, "bicgstab")
    ->RangeMultiplier(2)
    ->Range(16, 256)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

void chemistry_like(benchmark::State& state) {
  time_solve(state, chemistry(state.range(0)), {});
}
BENCHMARK(chemistry_like)->Arg(22)->Arg(54)->Arg(144)->UseManualTime()->Unit(benchmark::kMillisecond);

void folder(benchmark::State& state, const std::string& solver) {
  const char* const path = std::getenv("PHPC_BENCH_FOLDER");
  if (path == nullptr) {
    state.SkipWithError("PHPC_BENCH_FOLDER names no folder");
    return;
  }
  io::BatchFolder batch = io::read_batch_folder(path, {});
  const std::vector<double> ones(static_cast<std::size_t>(batch.systems * batch.rows), 1.0);
  time_solve(state, {{batch.row_offsets, batch.column_indices}, std::move(batch.values), ones}, {.solver = solver});
}
BENCHMARK_CAPTURE(folder, bicgstab, "bicgstab")->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(folder, lu, "lu")->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace phpc::bench
