// Batched solvers: device time of a whole batch, data on the device. Set PHPC_BENCH_DEVICE to choose the device,
// PHPC_BENCH_SYSTEMS to the number of systems, and PHPC_BENCH_FOLDER to a folder as `portable-hpc batch` reads it, to time its
// systems (with a right-hand side of ones) too, with the preconditioner PHPC_BENCH_PRECONDITIONER in blocks of
// PHPC_BENCH_BLOCK_ROWS, in teams of PHPC_BENCH_TEAM_SIZE, and PHPC_BENCH_ROWS to the most rows of the stencils.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>

#include "phpc/batch/plan.hpp"
#include "phpc/batch/problems.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/io/batch_folder.hpp"
#include "support.hpp"

namespace phpc::bench {
namespace {

using exec::Buffer;

struct Systems {
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

/// `count` systems of a problem as batch::Problem has them.
Systems made(const std::string& text, index_t count) {
  const batch::Problem problem(text, 15);
  const auto rows = static_cast<std::size_t>(problem.pattern().rows());
  const auto entries = static_cast<std::size_t>(problem.pattern().entries());
  const auto sets = static_cast<std::size_t>(count);
  Systems systems{problem.pattern(), std::vector<double>(sets * entries), std::vector<double>(sets * rows)};
  for (std::size_t set = 0; set < sets; ++set) {
    problem.fill_values(static_cast<index_t>(set), std::span(systems.values).subspan(set * entries, entries));
    problem.fill_rhs(static_cast<index_t>(set), std::span(systems.rhs).subspan(set * rows, rows));
  }
  return systems;
}

/// Times the solve of systems() systems, each with values of its own in device memory.
void time_solve(benchmark::State& state, const Systems& problem, const batch::Options& options) {
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
  const index_t count = std::min(systems(), different_systems);
  time_solve(state, made("stencil3:" + std::to_string(state.range(0)), count),
             {.solver = solver, .preconditioner = "none", .max_iterations = 500});
}
/// 16, 32, ... up to PHPC_BENCH_ROWS (256): 131 072 systems of 2048 rows take 11 GB.
void doubled_rows(benchmark::internal::Benchmark* bench) {
  const char* const given = std::getenv("PHPC_BENCH_ROWS");
  const index_t most = given != nullptr ? std::atoll(given) : 256;
  for (index_t rows = 16; rows <= most; rows *= 2) {
    bench->Arg(rows);
  }
}
BENCHMARK_CAPTURE(stencil3, cg, "cg")->Apply(doubled_rows)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(stencil3, bicgstab, "bicgstab")->Apply(doubled_rows)->UseManualTime()->Unit(benchmark::kMillisecond);

void chemistry_like(benchmark::State& state) {
  constexpr index_t different = 64;
  time_solve(state, made("chemistry:" + std::to_string(state.range(0)), different), {});
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
  batch::Options options{.solver = solver};
  if (const char* const name = std::getenv("PHPC_BENCH_PRECONDITIONER")) {
    options.preconditioner = name;
  }
  if (const char* const rows = std::getenv("PHPC_BENCH_BLOCK_ROWS")) {
    options.block_size = std::atoi(rows);
  }
  if (const char* const size = std::getenv("PHPC_BENCH_TEAM_SIZE")) {
    options.team_size = std::atoi(size);
  }
  time_solve(state, {{batch.row_offsets, batch.column_indices}, std::move(batch.values), ones}, options);
}
BENCHMARK_CAPTURE(folder, bicgstab, "bicgstab")->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(folder, lu, "lu")->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(folder, sparse_lu, "sparse-lu")->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace phpc::bench
