#include "cli/batch_solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "cli/batch_history.hpp"
#include "cli/batch_input.hpp"
#include "cli/batch_output.hpp"
#include "cli/batch_report.hpp"
#include "cli/batch_summary.hpp"
#include "cli/file_places.hpp"
#include "cli/processors.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/core/threads.hpp"

namespace phpc::cli {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Steps within a stage that somebody else began.
class StepProgress final : public Progress {
 public:
  explicit StepProgress(Progress& progress) : progress_(progress) {}
  void begin(std::string_view, std::uint64_t) override {}
  void advance(std::uint64_t count) override { progress_.advance(count); }
  void end() override {}

 private:
  Progress& progress_;
};

/// Where results go.
struct Outputs {
  std::optional<BatchOutput> solutions;
  std::optional<BatchOutput> report;
  std::optional<io::OutputFile> json_report;
};

/// What `auto` takes, by the pattern and the first system's values.
void choose_method(const Session& session, BatchOptions& options, const BatchInput& input) {
  PHPC_VALIDATE(input.values.sets > 0, ErrorKind::input, "no system to choose a solver for; name one by --solver");
  std::vector<double> values(static_cast<std::size_t>(input.values.length));
  if (!values.empty()) {
    input.values.read(0, values, no_progress());
  }
  const batch::SolverChoice choice = choose_solver(input.pattern, values, input.is_complex, options.method);
  take_choice(choice, options);
  session.note(fmt::format("solver {}: {} (by system 0)", choice.solver, choice.reason));
}

/// The solver and the preconditioner that it takes, as they will run.
void settle_method(const Session& session, BatchOptions& options, const BatchInput& input) {
  options.method = settled_method(options);
  options.method.rhs_per_system = input.rhs.columns;
  if (options.method.solver == "auto") {
    choose_method(session, options, input);
  }
  const std::string given = options.preconditioner_given ? options.method.preconditioner : "none";
  drop_unused_preconditioner(options);
  if (given != "none" && options.method.preconditioner == "none") {
    session.note(fmt::format("{} takes no preconditioner; {} is left out", options.method.solver, given));
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

std::uint64_t piece_bytes(const BatchOptions& options) {
  constexpr std::uint64_t most = std::uint64_t{1} << 30;
  const std::uint64_t half = exec::Device::host().free_memory_bytes() / 2;
  const std::uint64_t chosen = half > 0 ? std::min(half, most) : most;
  return (options.memory > 0 ? options.memory : chosen) / 2;  // one piece is read while another is solved
}

/// Solves the systems of a range, piece by piece. All reports are kept only where `kept` is given, histories taken only for
/// curves.
class Solve {
 public:
  Solve(Session& session, const BatchOptions& options, const BatchInput& input, std::vector<exec::Device> devices,
        ConvergenceCurves* curves)
      : session_(session),
        options_(options),
        input_(input),
        devices_(std::move(devices)),
        precision_(parse_batch_precision(options.precision)),
        curves_(curves),
        history_length_(curves == nullptr ? 0 : batch::iteration_cap(options.method, input.pattern.rows()) + 1) {}

  void run(exec::Range systems, const std::vector<BatchOutput*>& streams, std::vector<batch::Report>* kept) {
    if (history_length_ > 0) {
      const std::uint64_t history = static_cast<std::uint64_t>(history_length_) * sizeof(double);
      PHPC_VALIDATE(
          history <= piece_bytes(options_), ErrorKind::memory,
          fmt::format("--plot keeps the residuals of up to {} iterations, {} a system (a piece of a batch takes {}); lower "
                      "--max-iterations, or allow more with --memory",
                      history_length_ - 1, format_bytes(history), format_bytes(piece_bytes(options_))));
    }
    const index_t copies = options_.transpose || options_.adjoint ? 2 : 1;
    const index_t most = systems_in(input_, piece_bytes(options_), history_length_ * input_.rhs.columns, copies);
    const auto piece_at = [&](index_t begin) { return exec::Range{begin, std::min(begin + most, systems.end)}; };
    if (systems.size() == 0) {
      if (systems.begin == 0) {
        solve({}, {});  // wrong options are errors for no systems as well
      }
      return;
    }
    BatchPiece piece = timed([&] { return read_beside(piece_at(systems.begin), session_.progress()).get(); });
    session_.progress().begin(input_.rhs.columns > 1 ? "right-hand sides" : "systems",
                              static_cast<std::uint64_t>(systems.size() * input_.rhs.columns));
    for (exec::Range now = piece_at(systems.begin); now.size() > 0; now = piece_at(now.end)) {
      std::future<BatchPiece> next;
      if (now.end < systems.end) {
        next = read_beside(piece_at(now.end), no_progress());
      }
      std::vector<double> x = starting_points(piece);
      const std::vector<batch::Report> reports = solve(piece, x);
      summary_.add(reports);
      if (kept != nullptr) {
        kept->insert(kept->end(), reports.begin(), reports.end());
      }
      write_piece(streams, now, x, reports);
      if (next.valid()) {
        piece = timed([&] { return next.get(); });
      }
    }
    session_.progress().end();
  }

  [[nodiscard]] const BatchSummary& summary() const { return summary_; }
  [[nodiscard]] const BatchTiming& timing() const { return timing_; }
  /// Systems whose guess is not finite.
  [[nodiscard]] index_t unusable_guesses() const { return unusable_guesses_; }

 private:
  /// On a thread that may use all processors, as may those that it starts.
  [[nodiscard]] std::future<BatchPiece> read_beside(exec::Range systems, Progress& progress) const {
    return start_work([this, systems, &progress] {
      use_all_processors();
      return read_piece(input_, systems, progress);
    });
  }

  /// The guesses of a piece, which is left without them. Systems whose guess is not finite in the numbers solved in start from
  /// zero, as all do without guesses.
  std::vector<double> starting_points(BatchPiece& piece) {
    std::vector<double> x = std::exchange(piece.guesses, {});
    x.resize(piece.rhs.size(), 0.0);
    const double most =
        precision_ == BatchPrecision::f32 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
    const index_t rows = input_.pattern.rows() * (input_.is_complex ? 2 : 1);
    for (auto guess = x.begin(); guess != x.end(); guess += rows) {
      if (!std::all_of(guess, guess + rows, [&](double value) { return std::abs(value) <= most; })) {
        std::fill_n(guess, rows, 0.0);
        ++unusable_guesses_;
      }
    }
    return x;
  }

  std::vector<batch::Report> solve(const BatchPiece& piece, std::span<double> x) {
    StepProgress progress(session_.progress());
    const auto start = Clock::now();
    std::vector<double> history(static_cast<std::size_t>(piece.systems * input_.rhs.columns * history_length_));
    std::vector<batch::Report> reports =
        solve_in(precision_, {input_.pattern, piece.systems, piece.values, piece.rhs, input_.is_complex}, x, options_.method,
                 devices_, progress, {.tolerances = piece.tolerances, .history = history});
    timing_.solving += seconds_since(start);
    if (curves_ != nullptr) {
      curves_->add(history, history_length_, reports, piece.tolerances);
    }
    return reports;
  }

  template <class Get>
  BatchPiece timed(const Get& get) {
    const auto start = Clock::now();
    BatchPiece piece = get();
    timing_.waiting += seconds_since(start);
    return piece;
  }

  Session& session_;
  const BatchOptions& options_;
  const BatchInput& input_;
  std::vector<exec::Device> devices_;
  BatchPrecision precision_;
  ConvergenceCurves* curves_;  ///< or none
  index_t history_length_;     ///< of each system
  BatchSummary summary_;
  BatchTiming timing_;
  index_t unusable_guesses_ = 0;
};

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

int solve_batch(Session& session, BatchOptions options) {
  const std::optional<Shard> shard = parse_shard(options.sharding);
  const bool report_by_default = options.report.empty() && options.solutions.empty() && !shard;
  const std::string report = report_by_default ? "-" : options.report;
  validate_source(options);
  const bool as_json = !report.empty() && session.table_format(report, "--report") == io::TableFormat::json;
  const BatchResult solutions = solution_format(options.solutions);
  if (shard) {
    PHPC_VALIDATE(!as_json, ErrorKind::usage, "--shard writes lines that merge puts together; give --format tsv");
    PHPC_VALIDATE(!report.empty() || !options.solutions.empty(), ErrorKind::usage,
                  "--shard writes parts of files; give -o FILE, --report FILE or both");
  }
  PHPC_VALIDATE(!shard || options.plot.empty(), ErrorKind::usage, "--plot shows a whole batch, and --shard solves a part of it");
  const std::vector<exec::Device> devices = session.devices();
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
  settle_method(session, options, input);
  if (session.is_verbose()) {
    for (const exec::Device device : devices) {
      session.detail_of(device, describe_in(parse_batch_precision(options.precision), input.is_complex, device, input.pattern,
                                            settled_method(options), !options.plot.empty()));
    }
  }
  const SolveShape shape{input.pattern.rows(), input.rhs.columns, input.is_complex};
  if (shard) {
    const auto part = [&](std::optional<BatchOutput>& output, BatchResult result, const std::string& path) {
      if (!path.empty()) {
        output.emplace(result, path, shape, *shard, options.sharding, session, shard_job(options, input, result),
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
  Solve solve(session, options, input, devices, curves ? &*curves : nullptr);
  solve.run(left_of(streams, input.systems), streams, outputs.json_report ? &kept : nullptr);

  const BatchSummary& summary = solve.summary();
  say_summary(session, options, input, summary, solve.timing());
  say_unusable_guesses(session, options, solve.unusable_guesses());
  for (BatchOutput* const stream : streams) {
    stream->commit();
  }
  if (plot_file) {
    const std::string what = options.problem.empty() ? options.input : options.problem;
    plot_file->write(io::to_svg(curves->plot(fmt::format("{} systems of {}, {}", input.systems, what, options.method.solver))));
    plot_file->commit();
  }
  if (outputs.json_report) {
    nlohmann::ordered_json meta = session.meta(devices);
    meta["batch"] = described(options, input, summary, solve.timing());
    write_json_report(*outputs.json_report, kept, input.rhs.columns, meta);
    outputs.json_report->commit();
  }
  PHPC_VALIDATE(summary.failures().empty() || options.allow_unconverged, ErrorKind::input,
                fmt::format("{} of {} {} did not converge ({}); raise --tol or --max-iterations, try another --precond, or "
                            "accept it with --allow-unconverged",
                            summary.solves() - summary.converged(), summary.solves(),
                            input.rhs.columns > 1 ? "right-hand sides" : "systems", summary.failures()));
  return exit_success;
}

}  // namespace phpc::cli
