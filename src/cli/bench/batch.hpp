#pragma once
#include <string>
#include <vector>

#include "cli/session/session.hpp"
#include "jobs/batch/options.hpp"
#include "measure/statistics.hpp"
#include "phpc/batch/work.hpp"

namespace phpc::cli {

/// What a user asks of `batch --bench`.
struct BatchBenchOptions : jobs::BatchOptions {
  bool runs_bench = false;
  std::string sweep;   ///< rows, systems, team-size or matrix-format; empty = rows of a problem, systems of an input
  std::string values;  ///< of what is swept over, as a list; empty = chosen
  int repeats = 5;
};

/// What is measured at one point of a sweep: solves of a whole batch that lies in the devices' memory, each system with values of
/// its own; its guesses are zeros again before each solve.
struct BatchBenchResult {
  std::string solver;
  std::string preconditioner;
  index_t devices = 1;
  index_t rows = 0;
  index_t entries = 0;
  bool is_complex = false;
  batch::Storage storage = batch::Storage::csr;
  index_t values = 0;  ///< of a matrix as it lies on the device
  std::size_t value_bytes = sizeof(double);
  index_t systems = 0;
  int team_size = 0;  ///< that solved a system, on the first device
  bench::Statistics seconds;
  double iterations_mean = 0;
  index_t unconverged = 0;
  batch::Work work{};  ///< of a system on the first device, by the mean of iterations

  /// Operations of all systems by the median time, 10^9 a second.
  [[nodiscard]] double gigaflops() const;
  /// One pass over all that the problem is made of: matrices, right-hand sides and guesses read, solutions written.
  [[nodiscard]] double gigabytes_per_second() const;
};

/// Throws Error(memory) where run_batch_bench() would take more than is free, on the host or on a device.
void validate_bench_memory(const jobs::BatchOptions& options, index_t systems, const std::vector<exec::Device>& devices);

/// Solves the batch of the options `repeats` times on `devices`, which share it evenly, after one solve that is not counted. Host
/// clock from the launches until all devices are done. Throws Error.
BatchBenchResult run_batch_bench(const jobs::BatchOptions& options, index_t systems, int repeats,
                                 const std::vector<exec::Device>& devices);

/// `batch --bench`: the measurements of the paper on batched solvers (Nguyen et al. 2023), as the options ask for them. A table
/// to options.report (standard output where it is empty), a picture to options.plot. Returns the exit code.
int bench_batch(Session& session, const BatchBenchOptions& options);

}  // namespace phpc::cli
