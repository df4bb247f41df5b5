#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/app.hpp"
#include "phpc/batch/solver.hpp"
#include "phpc/core/error.hpp"
#include "phpc/io/batch_folder.hpp"
#include "phpc/io/matrix_market.hpp"
#include "phpc/io/npy.hpp"

namespace phpc::cli {

namespace {

constexpr std::array statuses{batch::Status::converged, batch::Status::max_iterations, batch::Status::breakdown,
                              batch::Status::stagnated, batch::Status::not_finite};

struct BatchState {
  std::string directory;
  std::string matrix_name = "A.mtx";
  std::string rhs_name = "b.mtx";
  std::string rhs = "file";
  index_t systems = 0;
  batch::Options options;
  std::string tolerance_kind = batch::tolerance_kind_names().front();
  std::string solution_path;
  std::string report_path;
  bool allow_unconverged = false;
};

/// The folder as a batch of `systems` systems; system i is the folder's system i modulo their number.
struct Problem {
  batch::CsrBatch<double> matrix;
  std::vector<double> rhs;
};

Problem read_problem(const BatchState& state, Progress& progress) {
  io::BatchFolder folder =
      io::read_batch_folder(state.directory, {state.matrix_name, state.rhs == "file" ? state.rhs_name : ""}, progress);
  const index_t systems = state.systems > 0 ? state.systems : folder.systems;
  std::vector<double> rhs;
  if (state.rhs == "ones") {
    rhs.assign(static_cast<std::size_t>(systems * folder.rows), 1.0);
  } else if (systems == folder.systems) {
    rhs = std::move(folder.rhs);
  } else {
    rhs.resize(static_cast<std::size_t>(systems * folder.rows));
    for (index_t system = 0; system < systems; ++system) {
      std::copy_n(folder.rhs.begin() + system % folder.systems * folder.rows, folder.rows, rhs.begin() + system * folder.rows);
    }
  }
  return {batch::CsrBatch<double>({std::move(folder.row_offsets), std::move(folder.column_indices)}, std::move(folder.values),
                                  systems),
          std::move(rhs)};
}

index_t count(const std::vector<batch::Report>& reports, batch::Status status) {
  return std::count_if(reports.begin(), reports.end(), [&](const batch::Report& report) { return report.status == status; });
}

/// What the reports of a batch come to.
struct Summary {
  index_t systems = 0;
  index_t converged = 0;
  std::int32_t iterations_min = 0;
  std::int32_t iterations_median = 0;
  std::int32_t iterations_max = 0;
  double iterations_mean = 0;
  double worst_relative_residual = 0;  ///< NaN when a system has none
  std::string failures;                ///< "3 stagnated, 1 breakdown"
};

Summary summarize(const std::vector<batch::Report>& reports) {
  Summary summary;
  summary.systems = static_cast<index_t>(reports.size());
  summary.converged = count(reports, batch::Status::converged);
  std::vector<std::int32_t> iterations;
  for (const batch::Report& report : reports) {
    iterations.push_back(report.iterations);
    summary.iterations_mean += static_cast<double>(report.iterations) / static_cast<double>(reports.size());
    const double relative = report.relative_residual();
    if (!(relative <= summary.worst_relative_residual)) {
      summary.worst_relative_residual = relative;  // a NaN stays: no comparison with it holds
    }
  }
  if (!iterations.empty()) {
    std::sort(iterations.begin(), iterations.end());
    summary.iterations_min = iterations.front();
    summary.iterations_median = iterations[iterations.size() / 2];
    summary.iterations_max = iterations.back();
  }
  for (const batch::Status status : statuses) {
    if (const index_t number = count(reports, status); number > 0 && status != batch::Status::converged) {
      summary.failures += fmt::format("{}{} {}", summary.failures.empty() ? "" : ", ", number, batch::to_string(status));
    }
  }
  return summary;
}

nlohmann::ordered_json described(const BatchState& state, const Problem& problem, const Summary& summary, double seconds) {
  nlohmann::ordered_json json;
  json["solver"] = state.options.solver;
  json["preconditioner"] = state.options.preconditioner;
  json["tolerance"] = state.options.tolerance;
  json["tolerance_kind"] = state.tolerance_kind;
  json["systems"] = summary.systems;
  json["rows"] = problem.matrix.rows();
  json["entries"] = problem.matrix.entries();
  json["converged"] = summary.converged;
  json["iterations_mean"] = summary.iterations_mean;
  json["seconds"] = seconds;
  return json;
}

void write_solution(io::OutputFile& out, const std::vector<double>& x, index_t systems, index_t rows) {
  if (out.path().ends_with(".mtx")) {
    io::write_matrix_market_array(out, rows, systems, x);
  } else {
    const index_t shape[] = {systems, rows};
    io::write_npy(out, io::NpyType::float64, shape, std::as_bytes(std::span(x)));
  }
}

void write_report(io::OutputFile& out, io::TableFormat format, const std::vector<batch::Report>& reports,
                  const nlohmann::ordered_json& meta) {
  io::TableWriter table(out, format, {"system", "iterations", "residual", "relative_residual", "status"}, meta);
  index_t system = 0;
  for (const batch::Report& report : reports) {
    table.row({system++, static_cast<index_t>(report.iterations), report.residual_norm, report.relative_residual(),
               std::string(batch::to_string(report.status))});
  }
  table.finish();
}

int solve_batch(Session& session, BatchState& state) {
  state.options.tolerance_kind = batch::parse_tolerance_kind(state.tolerance_kind);
  const std::string report_path = state.report_path.empty() && state.solution_path.empty() ? "-" : state.report_path;
  PHPC_VALIDATE(report_path.empty() || report_path != state.solution_path, ErrorKind::usage,
                fmt::format("the solutions and the report would both go to '{}'; give two places", report_path));
  const std::vector<exec::Device> devices = session.devices();
  std::optional<io::OutputFile> solution_file;
  if (!state.solution_path.empty()) {
    solution_file.emplace(state.solution_path);
  }
  std::optional<io::OutputFile> report_file;
  if (!report_path.empty()) {
    report_file.emplace(report_path);
  }

  const Problem problem = read_problem(state, session.progress());
  const batch::CsrBatch<double>& matrix = problem.matrix;
  std::vector<double> x(problem.rhs.size(), 0.0);
  const auto start = std::chrono::steady_clock::now();
  const std::vector<batch::Report> reports =
      batch::solve<double>(matrix, problem.rhs, x, state.options, devices, session.progress());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  const Summary summary = summarize(reports);
  session.note(fmt::format("{} systems of {} rows and {} entries; {} with {} preconditioner", matrix.systems(), matrix.rows(),
                           matrix.entries(), state.options.solver, state.options.preconditioner));
  session.note(fmt::format("iterations min {}, median {}, max {}, mean {:.2f}", summary.iterations_min, summary.iterations_median,
                           summary.iterations_max, summary.iterations_mean));
  session.note(fmt::format("{} of {} converged; worst true residual {:.3g} of ||b||; {:.3g} s, copies included",
                           summary.converged, summary.systems, summary.worst_relative_residual, seconds));
  if (solution_file) {
    write_solution(*solution_file, x, matrix.systems(), matrix.rows());
    solution_file->commit();
  }
  if (report_file) {
    nlohmann::ordered_json meta = session.meta(devices);
    meta["batch"] = described(state, problem, summary, seconds);
    write_report(*report_file, session.table_format(), reports, meta);
    report_file->commit();
  }
  PHPC_VALIDATE(summary.failures.empty() || state.allow_unconverged, ErrorKind::input,
                fmt::format("{} of {} systems did not converge ({}); raise --tol or --max-iterations, try another --precond, or "
                            "accept it with --allow-unconverged",
                            summary.systems - summary.converged, summary.systems, summary.failures));
  return exit_success;
}

void add_input_options(CLI::App& command, BatchState& state) {
  constexpr const char* group = "Input";
  command.add_option("DIR", state.directory, "Folder with DIR/<i>/A.mtx (and b.mtx), i = 0, 1, ...: MatrixMarket, one pattern")
      ->required()
      ->group(group);
  command.add_option("--matrix-name", state.matrix_name, "File of each system's matrix")->capture_default_str()->group(group);
  command.add_option("--rhs", state.rhs, "Right-hand sides: from each system's file, or all ones")
      ->capture_default_str()
      ->check(CLI::IsMember({"file", "ones"}))
      ->group(group);
  command.add_option("--rhs-name", state.rhs_name, "File of each system's right-hand side")->capture_default_str()->group(group);
  command
      .add_option("--systems", state.systems,
                  "Solve this many systems, taking those of DIR again from the first when they run out; 0 = those of DIR")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber)
      ->group(group);
}

void add_method_options(CLI::App& command, BatchState& state) {
  constexpr const char* group = "Method";
  batch::Options& options = state.options;
  command
      .add_option("--solver", options.solver,
                  "Method: bicgstab, gmres for any matrix, cg for symmetric definite ones, richardson; direct: lu, tridiagonal, "
                  "lower, upper")
      ->capture_default_str()
      ->check(CLI::IsMember(batch::solver_names()))
      ->group(group);
  command.add_option("--precond", options.preconditioner, "Preconditioner")
      ->capture_default_str()
      ->check(CLI::IsMember(batch::preconditioner_names()))
      ->group(group);
  command.add_option("--tol", options.tolerance, "Tolerance of the true residual ||b - A x||")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber)
      ->group(group);
  command
      .add_option("--tol-kind", state.tolerance_kind,
                  "What the tolerance is relative to: ||b||, the initial residual, or nothing")
      ->capture_default_str()
      ->check(CLI::IsMember(batch::tolerance_kind_names()))
      ->group(group);
  command.add_option("--max-iterations", options.max_iterations, "Most iterations of a system; 0 = twice its rows")
      ->capture_default_str()
      ->check(CLI::Range(index_t{0}, index_t{2147483647}))
      ->group(group);
}

void add_output_options(CLI::App& command, BatchState& state) {
  constexpr const char* group = "Output";
  command
      .add_option("-o,--output", state.solution_path,
                  "Solutions: .npy of shape (systems, rows), float64; or .mtx, a column for each system")
      ->group(group);
  command
      .add_option(
          "--report", state.report_path,
          "Table of iterations, true residual and status of each system; standard output where neither this nor -o is given")
      ->group(group);
  command.add_flag("--allow-unconverged", state.allow_unconverged, "Exit 0 even if some system did not converge")->group(group);
}

}  // namespace

void add_batch_command(CLI::App& app, Session& session) {
  CLI::App* const command = app.add_subcommand("batch", "Solve a batch of small sparse linear systems");
  const auto state = std::make_shared<BatchState>();
  add_input_options(*command, *state);
  add_method_options(*command, *state);
  add_output_options(*command, *state);
  session.add_format_option(*command);
  session.add_common_options(*command);
  command->footer(
      "A system is converged when ||b - A x||, recomputed from the x written, meets the tolerance. Exit code 1 if any is not;\n"
      "solutions and report are written all the same.\n"
      "Example: portable-hpc batch systems --solver bicgstab --precond jacobi --tol 1e-6 -o x.npy --report report.tsv");
  command->callback([state, &session] { session.action = [state, &session] { return solve_batch(session, *state); }; });
}

}  // namespace phpc::cli
