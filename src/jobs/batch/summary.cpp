#include "jobs/batch/summary.hpp"

#include <fmt/format.h>

#include "jobs/batch/precision.hpp"

namespace phpc::jobs {

nlohmann::ordered_json described(const BatchOptions& options, const BatchInput& input, const BatchSummary& summary,
                                 const BatchMatrixCounts& matrices, const BatchTiming& timing, exec::Device device) {
  nlohmann::ordered_json json;
  json["solver"] = matrices.differ_in_method ? "auto" : options.method.solver;
  json["preconditioner"] = matrices.differ_in_method ? "auto" : options.method.preconditioner;
  json["precision"] = options.precision;
  json["scaling"] = options.scaling;
  json["transpose"] = options.transpose;
  json["adjoint"] = options.adjoint;
  if (options.tolerances.empty()) {
    json["tolerance"] = options.method.tolerance;
  } else {
    json["tolerances"] = options.tolerances;
  }
  json["tolerance_kind"] = options.tolerance_kind;
  if (!options.guess.empty()) {
    json["guess"] = options.guess;
  }
  json["systems"] = summary.solves() / input.rhs.columns;
  if (input.rhs.columns > 1) {
    json["rhs_per_system"] = input.rhs.columns;
  }
  json["complex"] = input.is_complex;
  json["rows"] = input.pattern.rows();
  json["entries"] = input.pattern.entries();
  if (matrices.patterns > 1) {
    json["patterns"] = matrices.patterns;
    const index_t systems = summary.solves() / input.rhs.columns;
    json["entries_mean"] = matrices.entries / static_cast<double>(systems);
  }
  json["converged"] = summary.converged();
  json["iterations_mean"] = summary.iterations_mean();
  json["seconds"] = timing.solving;
  json["seconds_waiting_for_input"] = timing.waiting;
  if (matrices.patterns == 1) {
    const batch::Work work = work_in(parse_batch_precision(options.precision), input.is_complex, device, input.pattern,
                                     settled_method(options), summary.iterations_mean());
    json["work_of_a_system"] = {{"flops", work.flops},
                                {"memory_bytes", work.memory_bytes},
                                {"cache_bytes", work.cache_bytes},
                                {"scratch_bytes", work.scratch_bytes}};
  }
  return json;
}

void log_summary(const Caller& caller, const BatchOptions& options, const BatchInput& input, const BatchSummary& summary,
                 const BatchMatrixCounts& matrices, const BatchTiming& timing) {
  const index_t rows = input.pattern.rows();
  const index_t entries = matrices.patterns == 1 ? matrices.least_entries : input.pattern.entries();
  const std::string& preconditioner = options.method.preconditioner;
  const index_t sides = input.rhs.columns;
  const index_t systems = summary.solves() / sides;
  const std::string_view unit = sides > 1 ? "right-hand side" : "system";
  const std::string pattern = matrices.patterns > 1 ? fmt::format(" in {} patterns of {} to {} entries", matrices.patterns,
                                                                  matrices.least_entries, matrices.most_entries)
                                                    : fmt::format(" and {} entries", entries);
  const std::string method = matrices.differ_in_method
                                 ? "a solver for each pattern"
                                 : fmt::format("{} {} preconditioner", options.method.solver,
                                               preconditioner == "none" ? "without" : "with " + preconditioner);
  caller.info(fmt::format("{}{} system{} of {} rows{}{}; {}", systems, input.is_complex ? " complex" : "",
                          systems == 1 ? "" : "s", rows, pattern,
                          sides > 1 ? fmt::format(", with {} right-hand sides each", sides) : "", method));
  if (systems == 0) {
    return;
  }
  caller.info(fmt::format("iterations min {}, median {}, max {}, mean {:.2f}", summary.iterations_at(0),
                          summary.iterations_at(0.5), summary.iterations_at(1), summary.iterations_mean()));
  if (const std::string histogram = summary.histogram(); !histogram.empty()) {
    caller.info(fmt::format("{}s by iterations", unit));
    caller.draw(histogram);
  }
  const std::string failures = summary.failures();
  caller.info(fmt::format("{} of {} converged{}; worst true residual {}", summary.converged(), summary.solves(),
                          failures.empty() ? "" : " (" + failures + ")",
                          options.tolerance_kind == "absolute"
                              ? fmt::format("{:.3g}", summary.worst_residual())
                              : fmt::format("{:.3g} of ||b||", summary.worst_relative_residual())));
  const double bytes = (input.is_complex ? 2 : 1) * one_pass_bytes(systems, sides * rows, matrices.entries);
  caller.info(
      fmt::format("solved in {:.3g} s, copies included: {:.3g} us a {}, {:.3g} GB/s (each matrix, b and guess read "
                  "and x written once); {:.3g} s for input",
                  timing.solving, 1e6 * timing.solving / static_cast<double>(summary.solves()), unit,
                  timing.solving > 0 ? 1e-9 * bytes / timing.solving : 0, timing.waiting));
}

void warn_of_unusable_guesses(const Caller& caller, const BatchOptions& options, index_t number) {
  if (number > 0) {
    caller.warning(fmt::format("'{}': {} not finite; zero was taken instead", options.guess,
                               number == 1 ? "1 guess is" : fmt::format("{} guesses are", number)));
  }
}

}  // namespace phpc::jobs
