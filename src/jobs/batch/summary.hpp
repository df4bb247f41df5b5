#pragma once
#include <nlohmann/json.hpp>

#include "jobs/batch/input.hpp"
#include "jobs/batch/options.hpp"
#include "jobs/batch/report.hpp"
#include "jobs/caller.hpp"

namespace phpc::jobs {

/// What matrices were solved with.
struct BatchMatrixCounts {
  index_t patterns = 0;
  index_t least_entries = 0;  ///< of a pattern
  index_t most_entries = 0;
  double entries = 0;  ///< of all systems
  bool differ_in_method = false;
};

/// Seconds of a run.
struct BatchTiming {
  double solving = 0;
  double waiting = 0;  ///< for input
};

/// The run as the meta block of a report in JSON has it; where all systems have one pattern, with the work of one on `device`.
nlohmann::ordered_json described(const BatchOptions& options, const BatchInput& input, const BatchSummary& summary,
                                 const BatchMatrixCounts& matrices, const BatchTiming& timing, exec::Device device);

/// Logs what a run came to: its systems, iterations, residuals and times.
void log_summary(const Caller& caller, const BatchOptions& options, const BatchInput& input, const BatchSummary& summary,
                 const BatchMatrixCounts& matrices, const BatchTiming& timing);

/// Warns of guesses that were not finite, if there were any.
void warn_of_unusable_guesses(const Caller& caller, const BatchOptions& options, index_t number);

}  // namespace phpc::jobs
