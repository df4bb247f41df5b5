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

/// Where results go.
struct Outputs {
  std::optional<BatchOutput> solutions;
  std::optional<BatchOutput> report;
  std::optional<io::OutputFile> json_report;
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
  caller.note(fmt::format("solver {}: {} (by system 0)", choice.solver, choice.reason));
}

/// The solver and the preconditioner that it takes, as they will run.
void settle_method(const Caller& caller, BatchOptions& options, const BatchInput& input) {
  options.method = settled_method(options);
  options.method.rhs_per_system = input.rhs.columns;
  if (options.method.solver == "auto") {
    choose_method(caller, options, input);
  }
  const std::string given = options.preconditioner_given ? options.method.preconditioner : "none";
  drop_unused_preconditioner(options);
  if (given != "none" && options.method.preconditioner == "none") {
    caller.note(fmt::format("{} takes no preconditioner; {} is left out", options.method.solver, given));
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

/// The outputs that are written piece by piece.
std::vector<BatchOutput*> streams_of(Outputs& outputs) {
  std::vector<BatchOutput*> streams;
  for (auto* const output : {&outputs.solutions, &outputs.report}) {
    if (*output) {
      streams.push_back(&**output);
    }
  }
  return streams;
}

void validate_source(const BatchOptions& options) {
  PHPC_VALIDATE(options.input.empty() != options.problem.empty(), ErrorKind::usage,
                options.input.empty()
                    ? "no INPUT; give a folder, a .mtx, .npz or .npy file, or --problem (see portable-hpc batch --help)"
                    : "both INPUT and --problem; give one of them");
}

std::vector<FilePlace> output_places(const BatchOptions& options, const std::string& report, const std::optional<Shard>& shard) {
  if (!shard) {
    return {{options.solutions, "-o"}, {report, "--report"}, {options.plot, "--plot"}};
  }
  std::vector<FilePlace> places = shard_places(*shard, options.solutions, "-o");
  const std::vector<FilePlace> of_report = shard_places(*shard, report, "--report");
  places.insert(places.end(), of_report.begin(), of_report.end());
  return places;
}

}  // namespace

void solve_batch(Caller& caller, BatchOptions options, const ChooseDevices& choose_devices) {
  const std::optional<Shard> shard = parse_shard(options.sharding);
  const bool report_by_default = options.report.empty() && options.solutions.empty() && !shard;
  const std::string report = report_by_default ? "-" : options.report;
  validate_source(options);
  const bool as_json = !report.empty() && table_format(report, options.table_format, "--report") == io::TableFormat::json;
  const BatchResult solutions = solution_format(options.solutions);
  if (shard) {
    PHPC_VALIDATE(!as_json, ErrorKind::usage, "--shard writes lines that merge puts together; give --format tsv");
    PHPC_VALIDATE(!report.empty() || !options.solutions.empty(), ErrorKind::usage,
                  "--shard writes parts of files; give -o FILE, --report FILE or both");
  }
  PHPC_VALIDATE(!shard || options.plot.empty(), ErrorKind::usage, "--plot shows a whole batch, and --shard solves a part of it");
  const std::vector<exec::Device> devices = choose_devices();
  std::optional<io::OutputFile> plot_file;
  if (!options.plot.empty()) {
    plot_file.emplace(options.plot);
  }
  Outputs outputs;
  if (!shard) {
    if (!options.solutions.empty()) {
      outputs.solutions.emplace(solutions, options.solutions);
    }
    if (as_json) {
      outputs.json_report.emplace(report);
    } else if (!report.empty()) {
      outputs.report.emplace(BatchResult::tsv_report, report);
    }
  }

  const BatchInput input = open_batch_input(options);
  validate_places(output_places(options, report, shard), places_of(input.files, "an input"));
  settle_method(caller, options, input);
  const SolveShape shape{input.pattern.rows(), input.rhs.columns, input.is_complex};
  if (shard) {
    const auto part = [&](std::optional<BatchOutput>& output, BatchResult result, const std::string& path) {
      if (!path.empty()) {
        output.emplace(result, path, shape, *shard, options.sharding, caller, shard_job(options, input, result),
                       devices.front().properties().name);
      }
    };
    part(outputs.solutions, solutions, options.solutions);
    part(outputs.report, BatchResult::tsv_report, report);
  }
  const std::vector<BatchOutput*> streams = streams_of(outputs);
  for (BatchOutput* const stream : streams) {
    stream->begin(input.systems, shape);
  }
  std::vector<batch::Report> kept;
  std::optional<ConvergenceCurves> curves;
  if (plot_file) {
    curves.emplace(options.method.tolerance, settled_method(options).tolerance_kind);
  }
  BatchRun solve(caller, options, input, devices, curves ? &*curves : nullptr);
  solve.run(left_of(streams, input.systems), streams, outputs.json_report ? &kept : nullptr);

  const BatchSummary& summary = solve.summary();
  say_summary(caller, options, input, summary, solve.matrices(), solve.timing());
  say_unusable_guesses(caller, options, solve.unusable_guesses());
  for (BatchOutput* const stream : streams) {
    stream->commit();
  }
  if (plot_file) {
    const std::string what = options.problem.empty() ? options.input : options.problem;
    plot_file->write(io::to_svg(curves->plot(fmt::format("{} systems of {}, {}", input.systems, what, options.method.solver))));
    plot_file->commit();
  }
  if (outputs.json_report) {
    nlohmann::ordered_json meta = caller.meta(devices);
    meta["batch"] = described(options, input, summary, solve.matrices(), solve.timing());
    write_json_report(*outputs.json_report, kept, input.rhs.columns, meta);
    outputs.json_report->commit();
  }
  PHPC_VALIDATE(summary.failures().empty() || options.allow_unconverged, ErrorKind::input,
                fmt::format("{} of {} {} did not converge ({}); raise --tol or --max-iterations, try another --precond, or "
                            "accept it with --allow-unconverged",
                            summary.solves() - summary.converged(), summary.solves(),
                            input.rhs.columns > 1 ? "right-hand sides" : "systems", summary.failures()));
}

}  // namespace phpc::jobs
