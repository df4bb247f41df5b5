#include "cli/bench/batch.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/commands/job_options.hpp"
#include "cli/commands/shard_options.hpp"
#include "cli/options/number_check.hpp"
#include "cli/options/option_tree.hpp"
#include "cli/options/plot_option.hpp"
#include "jobs/batch/options.hpp"
#include "jobs/batch/solve.hpp"
#include "phpc/batch/problems.hpp"

namespace phpc::cli {

namespace {

/// Options of matrices.
void add_matrix_options(CLI::App& command, jobs::BatchOptions& options) {
  command.option_defaults()->group("Input");
  static const std::string problems[] = {"stencil3:", "lesp:", "random-spd:", "chemistry:"};
  CLI::Option* const input = command.add_option(
      "INPUT", options.input,
      "Folder with INPUT/<i>/A.mtx (and b.mtx), i = 0, 1, ...: MatrixMarket files of one size, those of a pattern solved "
      "together; or one .mtx file; "
      "or a .npz file: a csr, csc or coo matrix as scipy.sparse.save_npz writes it, where there are several with an "
      "array `values` of shape (systems, entries), or matrices in ELL, `columns` of shape (width, rows), -1 for none, "
      "and "
      "`values` of shape (systems, width, rows), and right-hand sides `rhs` of shape (systems, rows) or (systems, rows, "
      "columns); or a .npy file of dense matrices, of shape (systems, rows, rows). Numbers are real or complex; where any "
      "are complex, all are taken as such");
  command
      .add_option("--problem", options.problem,
                  "Systems made by a rule instead of INPUT: stencil3:N (3-point, symmetric), lesp:N (MATLAB's), random-spd:N,NNZ "
                  "(symmetric positive definite, NNZ entries), chemistry:N (nine tenths full, badly scaled)")
      ->type_name(with_words("PROBLEM", problems))
      ->excludes(input);
  command
      .add_option("--zeros", options.zeros,
                  "Of dense matrices: dropped: the pattern has what is not zero in one of them at least, for which all are read "
                  "first; kept: it has every element")
      ->capture_default_str()
      ->check(CLI::IsMember({"dropped", "kept"}));
  command.add_option("--matrix-name", options.matrix_name, "File of each system's matrix in a folder")->capture_default_str();
}

/// Options of right-hand sides, guesses and how many systems there are.
void add_vector_options(CLI::App& command, jobs::BatchOptions& options) {
  command.option_defaults()->group("Input");
  static const std::string right_hand_sides[] = {"file", "ones", "random"};
  command
      .add_option("--rhs", options.rhs,
                  "Right-hand sides: file (b.mtx of each system or beside the .mtx file, rhs of the .npz, or as the problem has "
                  "them), ones, random (uniform in [-1, 1)), or a .npy file of shape (systems, rows), (systems, rows, "
                  "columns) for several of each system, or (rows) for one of all, or a .mtx file of one column, or as many for "
                  "each system")
      ->capture_default_str()
      ->type_name(with_words("RHS", right_hand_sides));
  command.add_option("--rhs-name", options.rhs_name, "File of each system's right-hand side")->capture_default_str();
  command
      .add_option(
          "--guess", options.guess,
          "Where to start from: the solutions of an earlier run, .npy or .mtx, or such a file, of shape (systems, rows), or "
          "(rows), one for all, with columns as --rhs has them. A system whose guess meets the tolerance takes no iteration; one "
          "whose guess holds a NaN or infinity starts from zero. Direct methods solve for the correction to it. Default: zeros")
      ->type_name("FILE");
  command
      .add_option("--systems", options.systems,
                  "Solve this many systems, taking matrices, right-hand sides, guesses and tolerances again from the first when "
                  "they run out; 0 = "
                  "those of INPUT, or 1024 of a problem")
      ->capture_default_str()
      ->transform(whole_number(0, most_units));
  command.add_option("--seed", options.seed, "Of --problem and --rhs random")->capture_default_str()->transform(whole_number(0));
}

/// Options of what solves the systems, in which numbers and storage.
void add_method_options(CLI::App& command, jobs::BatchOptions& options) {
  command.option_defaults()->group("Method");
  batch::Options& method = options.method;
  std::vector<std::string> solvers = batch::solver_names();
  solvers.emplace_back("auto");
  command
      .add_option("--solver", method.solver,
                  "Method: bicgstab, gmres, idr for any matrix, cg for symmetric (or Hermitian) definite ones, richardson; "
                  "direct: lu, sparse-lu (no "
                  "pivot search), tridiagonal, lower, upper; auto: by pattern and values of system 0, and says why")
      ->capture_default_str()
      ->check(CLI::IsMember(solvers));
  command.add_option("--precond", method.preconditioner, "Preconditioner (direct methods take none)")
      ->capture_default_str()
      ->check(CLI::IsMember(batch::preconditioner_names()));
  command.add_option("--block-size", method.block_size, "Rows of block-jacobi's blocks")
      ->capture_default_str()
      ->transform(whole_number(1, 32));
  command
      .add_option("--precision", options.precision,
                  "Numbers to solve in: f64; mixed: cycles in f32, residual and x in f64 (bicgstab, cg, gmres, lu, sparse-lu); "
                  "f32 throughout")
      ->capture_default_str()
      ->transform(precision_name())
      ->check(CLI::IsMember(jobs::batch_precision_names()));
  command
      .add_option("--scaling", options.scaling,
                  "auto: scale rows and columns within the solve, by powers of two; residuals stay those of A and b")
      ->capture_default_str()
      ->check(CLI::IsMember({"none", "auto"}));
  CLI::Option* const transpose =
      command.add_flag("--transpose", options.transpose, "Solve A^T x = b instead of A x = b, by any method");
  command
      .add_flag("--adjoint", options.adjoint,
                "Solve A^H x = b, with the conjugate transpose, instead: of real matrices what --transpose does")
      ->excludes(transpose);
  std::vector<std::string> formats = batch::storage_names();
  formats.emplace_back("auto");
  command
      .add_option("--matrix-format", options.matrix_format,
                  "How matrices lie in the memory of devices other than the host: csr; ell: an equal number of entries of each "
                  "row, side by side; dense: all elements, without indices; auto: dense if all are entries, else csr")
      ->capture_default_str()
      ->check(CLI::IsMember(formats));
}

/// Options of when a solve ends, and of the threads that share it.
void add_limit_options(CLI::App& command, jobs::BatchOptions& options) {
  command.option_defaults()->group("Method");
  batch::Options& method = options.method;
  CLI::Option* const tolerance = command.add_option("--tol", method.tolerance, "Tolerance of the true residual ||b - A x||")
                                     ->capture_default_str()
                                     ->transform(real_number(0));
  command
      .add_option("--tol-kind", options.tolerance_kind,
                  "What the tolerance is relative to: ||b||, the residual of the guess, or nothing")
      ->capture_default_str()
      ->check(CLI::IsMember(batch::tolerance_kind_names()));
  command
      .add_option(
          "--tolerances", options.tolerances,
          "A tolerance for each system, in place of --tol: a .npy file of shape (systems), of the kind that --tol-kind says")
      ->type_name("FILE")
      ->excludes(tolerance);
  command
      .add_option(
          "--team-size", method.team_size,
          "Threads that share a system on a GPU, one of 32, 64, 128, 256 (bicgstab, cg with jacobi or none; sparse-lu), 64, 256 "
          "(lu, f32) or 64; 0 = chosen by device and rows, registers instead of threads' scratch where there are kernels for "
          "the pattern. On the host and the x86_64 device a system has one thread: 0 or 1")
      ->capture_default_str()
      ->transform(whole_number(0, 1024));
  command.add_option("--max-iterations", method.max_iterations, "Most iterations of a system; 0 = twice its rows")
      ->capture_default_str()
      ->transform(whole_number(0, 2147483647));
}

void add_output_options(CLI::App& command, jobs::BatchOptions& options) {
  command.option_defaults()->group("Output");
  command.add_option(
      "-o,--output", options.solutions,
      "Solutions: .npy, float64 or, of complex systems, complex128, of the shape of the right-hand sides; or .mtx, a column "
      "for each of them");
  command.add_option("--report", options.report,
                     "Table of iterations, true residual and status of each system, .tsv or .json; standard output where neither "
                     "this nor -o is "
                     "given");
  add_plot_option(
      command, options.plot,
      "Draw the residuals by iteration as an SVG picture: median, tenths and extremes of all systems, and the tolerance; of "
      "--bench the times. A name that ends in .svg or has no ending");
  command.add_flag("--allow-unconverged", options.allow_unconverged, "Exit 0 even if some system did not converge");
  add_memory_option(command, options.memory,
                    "The most memory for systems at a time, as in 500MB or 2GiB: larger batches are read, solved and written in "
                    "pieces. Default: half of what is free, of the machine, the job's control group or ulimit, at most 1 GiB");
}

void add_bench_options(CLI::App& command, BatchBenchOptions& options) {
  command.option_defaults()->group(bench_group);
  CLI::Option* const bench = command.add_flag(
      "--bench", options.runs_bench,
      "Time solves of batches in the device's memory and write a table of them to --report; with several devices, on "
      "the first one and on all. Of INPUT or --problem several numbers of systems, or --systems; without them stencil3 "
      "of "
      "16 to 2048 rows, by cg and bicgstab without preconditioner. --systems is 131072 on GPUs and 8192 on hosts where "
      "it "
      "is 0");
  command
      .add_option(
          "--sweep", options.sweep,
          "What changes from one measurement to the next: rows of --problem, systems, threads of a team, or --matrix-format")
      ->check(CLI::IsMember({"rows", "systems", "team-size", "matrix-format"}))
      ->needs(bench);
  command
      .add_option("--values", options.values,
                  "Its values. Default: 16 to 2048 rows, 8192 to 131072 systems (512 to 8192 on hosts), all team sizes that the "
                  "solver has there")
      ->type_name("N,M")
      ->needs(bench);
  command.add_option("--repeats", options.repeats, "Solves that are timed, after one that is not counted")
      ->capture_default_str()
      ->transform(whole_number(1, 1000000))
      ->needs(bench);
  exclude_from_bench(*bench, command, [](const std::string& name, const std::string& /*group*/) {
    return name == "--output" || name == "--allow-unconverged" || name == "--guess" || name == "--tolerances";
  });
}

/// Warns of options that were given and change nothing beside the others.
void warn_of_idle_options(const CLI::App& command, const jobs::BatchOptions& options, const Session& session) {
  const auto warn = [&](const std::string& name, bool is_idle, const char* why) {
    if (is_idle && command.count(name) > 0) {
      session.warning(fmt::format("{} changes nothing: {}", name, why));
    }
  };
  const bool may_choose_blocks = options.method.solver == "auto" && !options.preconditioner_given;
  warn("--block-size", options.method.preconditioner != "block-jacobi" && !may_choose_blocks, "it is for --precond block-jacobi");
  warn("--seed", options.problem.empty() && options.rhs != "random", "it is for --problem and --rhs random");
  warn("--rhs-name", options.rhs != "file", "it is for --rhs file");
  std::error_code error;
  warn("--matrix-name", !std::filesystem::is_directory(options.input, error), "it is for systems in a folder");
}

}  // namespace

void add_batch_command(CLI::App& app, Session& session) {
  CLI::App* const command = app.add_subcommand("batch", "Solve a batch of small sparse linear systems");
  const auto options = std::make_shared<BatchBenchOptions>();
  add_matrix_options(*command, *options);
  add_vector_options(*command, *options);
  add_method_options(*command, *options);
  add_limit_options(*command, *options);
  add_output_options(*command, *options);
  add_shard_options(*command, options->sharding);
  session.add_format_option(*command);
  add_bench_options(*command, *options);
  session.add_common_options(*command);
  command->footer(
      "A system is converged when ||b - A x||, recomputed from the x written, meets the tolerance. Exit code 1 if any is not;\n"
      "solutions and report are written all the same.\n"
      "Example: portable-hpc batch systems --solver bicgstab --precond jacobi --tol 1e-6 -o x.npy --report report.tsv\n"
      "Example: portable-hpc batch matrices.npz --rhs ones --solver auto -o x.npy\n"
      "Example: portable-hpc batch dense.npy --rhs b.npy --guess x0.npy -o x.npy\n"
      "Example: portable-hpc batch --problem stencil3:64 --systems 100000 --solver cg --report report.tsv\n"
      "Example: portable-hpc batch systems --shard 0/16 --resume -o x.npy\n"
      "Example: portable-hpc batch --bench --problem chemistry:32 --sweep matrix-format --device 0\n"
      "Example: portable-hpc batch --bench --sweep rows --plot times.svg --report times.tsv");
  command->callback([command, options, &session] {
    options->solver_given = command->count("--solver") > 0;
    options->preconditioner_given = command->count("--precond") > 0;
    session.action = [command, options, &session]() -> int {
      warn_of_idle_options(*command, *options, session);
      options->table_format = session.format();
      if (options->runs_bench) {
        return bench_batch(session, *options);
      }
      jobs::solve_batch(session, *options, [&session] { return session.devices(); });
      return exit_success;
    };
  });
}

}  // namespace phpc::cli
