#include "jobs/batch/solve.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "jobs/batch/history.hpp"
#include "jobs/batch/input.hpp"
#include "jobs/batch/output.hpp"
#include "jobs/batch/report.hpp"
#include "jobs/batch/run.hpp"
#include "jobs/batch/summary.hpp"
#include "jobs/file_places.hpp"
#include "jobs/output_format.hpp"
#include "phpc/core/error.hpp"

namespace phpc::jobs {

namespace {

/// What the options say of results, checked.
struct Targets {
  std::optional<Shard> shard;
  std::string report;                                  ///< path of the table; empty: none
  bool report_is_json = false;                         ///< else TSV
  BatchResult solutions = BatchResult::npy_solutions;  ///< the form of the solutions, where there are any
};

/// The files of results. Of a shard, parts of them.
struct Outputs {
  /// Opens all files of a whole batch; of a shard none: open_parts() does when the input is known.
  Outputs(const BatchOptions& options, const Targets& targets) {
    if (!options.plot.empty()) {
      plot.emplace(options.plot);
    }
    if (targets.shard) {
      return;
    }
    if (!options.solutions.empty()) {
      solutions.emplace(targets.solutions, options.solutions);
    }
    if (targets.report_is_json) {
      json_report.emplace(targets.report);
    } else if (!targets.report.empty()) {
      report.emplace(BatchResult::tsv_report, targets.report);
    }
  }

  std::optional<BatchOutput> solutions;
  std::optional<BatchOutput> report;
  std::optional<io::OutputFile> json_report;
  std::optional<io::OutputFile> plot;

  /// Those that are written piece by piece.
  std::vector<BatchOutput*> streams() {
    std::vector<BatchOutput*> streams;
    for (auto* const output : {&solutions, &report}) {
      if (*output) {
        streams.push_back(&**output);
      }
    }
    return streams;
  }
};

/// What `auto` takes, by the pattern and the first system's values.
void choose_method(const Caller& caller, BatchOptions& options, const BatchInput& input) {
  PHPC_VALIDATE(input.values.sets > 0, ErrorKind::input, "no system to choose a solver for; name one by --solver");
  std::vector<double> values(static_cast<std::size_t>(input.values.length));
  if (!values.empty()) {
    input.values.read(0, values, no_progress());
  }
  const batch::SolverChoice choice = choose_solver(input.pattern, values, input.is_complex, options.method);
  take_choice(choice, options);
  caller.info(fmt::format("solver {}: {} (by system 0)", choice.solver, choice.reason));
}

/// The solver and the preconditioner that it takes, as they will run.
void settle_method(const Caller& caller, BatchOptions& options, const BatchInput& input) {
  options.method = settled_method(options);
  options.method.rhs_per_system = input.rhs.columns;
  options.wanted_preconditioner = options.method.preconditioner;
  if (options.method.solver == "auto") {
    choose_method(caller, options, input);
  }
  const std::string given = options.preconditioner_given ? options.method.preconditioner : "none";
  drop_unused_preconditioner(options);
  if (given != "none" && options.method.preconditioner == "none") {
    caller.warning(fmt::format("{} takes no preconditioner; {} is left out", options.method.solver, given));
  }
}

ShardOutput::Job shard_job(const BatchOptions& options, const BatchInput& input, BatchResult result) {
  const batch::Options& method = options.method;
  nlohmann::ordered_json parameters{{"input", input.identity},
                                    {"rhs", options.rhs},
                                    {"systems", input.systems},
                                    {"solver", method.solver},
                                    {"precond", method.preconditioner},
                                    {"block-size", method.block_size},
                                    {"precision", options.precision},
                                    {"scaling", options.scaling},
                                    {"transpose", options.transpose},
                                    {"adjoint", options.adjoint},
                                    {"team-size", method.team_size},
                                    {"matrix-format", options.matrix_format},
                                    {"tol", method.tolerance},
                                    {"tol-kind", options.tolerance_kind},
                                    {"max-iterations", method.max_iterations},
                                    {"output", name_of(result)}};
  return {"batch", std::move(parameters), "systems", input.systems, "", input.fingerprints, ""};
}

void validate_source(const BatchOptions& options) {
  PHPC_VALIDATE(options.input.empty() != options.problem.empty(), ErrorKind::usage,
                options.input.empty()
                    ? "no INPUT; give a folder, a .mtx, .npz or .npy file, or --problem (see portable-hpc batch --help)"
                    : "both INPUT and --problem; give one of them");
}

/// Throws Error(usage) where options do not go together.
Targets targets_of(const BatchOptions& options) {
  Targets targets{.shard = parse_shard(options.sharding), .report = options.report};
  if (options.report.empty() && options.solutions.empty() && !targets.shard) {
    targets.report = "-";
  }
  validate_source(options);
  targets.report_is_json =
      !targets.report.empty() && table_format(targets.report, options.table_format, "--report") == io::TableFormat::json;
  targets.solutions = solution_format(options.solutions);
  if (targets.shard) {
    PHPC_VALIDATE(!targets.report_is_json, ErrorKind::usage, "--shard writes lines that merge puts together; give --format tsv");
    PHPC_VALIDATE(!targets.report.empty() || !options.solutions.empty(), ErrorKind::usage,
                  "--shard writes parts of files; give -o FILE, --report FILE or both");
    PHPC_VALIDATE(options.plot.empty(), ErrorKind::usage, "--plot shows a whole batch, and --shard solves a part of it");
  }
  return targets;
}

std::vector<FilePlace> output_places(const BatchOptions& options, const Targets& targets) {
  if (!targets.shard) {
    return {{options.solutions, "-o"}, {targets.report, "--report"}, {options.plot, "--plot"}};
  }
  std::vector<FilePlace> places = shard_places(*targets.shard, options.solutions, "-o");
  const std::vector<FilePlace> of_report = shard_places(*targets.shard, targets.report, "--report");
  places.insert(places.end(), of_report.begin(), of_report.end());
  return places;
}

/// Opens the parts of a shard, or finds what an earlier run left of them.
void open_parts(Outputs& outputs, const Caller& caller, const BatchOptions& options, const Targets& targets,
                const BatchInput& input, SolveShape shape, const std::string& device) {
  const auto open = [&](std::optional<BatchOutput>& output, BatchResult result, const std::string& path) {
    if (!path.empty()) {
      output.emplace(result, path, shape, *targets.shard, options.sharding, caller, shard_job(options, input, result), device);
    }
  };
  open(outputs.solutions, targets.solutions, options.solutions);
  open(outputs.report, BatchResult::tsv_report, targets.report);
}

void write_plot(io::OutputFile& file, const BatchOptions& options, const BatchInput& input, const BatchMatrixCounts& matrices,
                const ConvergenceCurves& curves) {
  const std::string what = options.problem.empty() ? options.input : options.problem;
  const std::string solver = matrices.differ_in_method ? "a solver for each pattern" : options.method.solver;
  file.write(io::to_svg(curves.plot(fmt::format("{} systems of {}, {}", input.systems, what, solver))));
  file.commit();
}

void validate_convergence(const BatchOptions& options, const BatchInput& input, const BatchSummary& summary) {
  PHPC_VALIDATE(summary.failures().empty() || options.allow_unconverged, ErrorKind::input,
                fmt::format("{} of {} {} did not converge ({}); raise --tol or --max-iterations, try another --precond, or "
                            "accept it with --allow-unconverged",
                            summary.solves() - summary.converged(), summary.solves(),
                            input.rhs.columns > 1 ? "right-hand sides" : "systems", summary.failures()));
}

}  // namespace

void solve_batch(Caller& caller, BatchOptions options, const ChooseDevices& choose_devices) {
  const Targets targets = targets_of(options);
  const std::vector<exec::Device> devices = choose_devices();
  Outputs outputs(options, targets);
  const BatchInput input = open_batch_input(options);
  validate_places(output_places(options, targets), places_of(input.files, "an input"));
  settle_method(caller, options, input);
  const SolveShape shape{input.pattern.rows(), input.rhs.columns, input.is_complex};
  if (targets.shard) {
    open_parts(outputs, caller, options, targets, input, shape, devices.front().properties().name);
  }
  const std::vector<BatchOutput*> streams = outputs.streams();
  for (BatchOutput* const stream : streams) {
    stream->begin(input.systems, shape);
  }
  std::vector<batch::Report> kept;
  std::optional<ConvergenceCurves> curves;
  if (outputs.plot) {
    curves.emplace(options.method.tolerance, settled_method(options).tolerance_kind);
  }
  BatchRun run(caller, options, input, devices, curves ? &*curves : nullptr);
  run.run(left_of(streams, input.systems), streams, outputs.json_report ? &kept : nullptr);

  log_summary(caller, options, input, run.summary(), run.matrices(), run.timing());
  warn_of_unusable_guesses(caller, options, run.unusable_guesses());
  for (BatchOutput* const stream : streams) {
    stream->commit();
  }
  if (outputs.plot) {
    write_plot(*outputs.plot, options, input, run.matrices(), *curves);
  }
  if (outputs.json_report) {
    nlohmann::ordered_json meta = caller.meta(devices);
    meta["batch"] = described(options, input, run.summary(), run.matrices(), run.timing(), devices.front());
    write_json_report(*outputs.json_report, kept, input.rhs.columns, meta);
    outputs.json_report->commit();
  }
  validate_convergence(options, input, run.summary());
}

}  // namespace phpc::jobs
