#include "jobs/batch/input.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>

#include "jobs/memory_check.hpp"
#include "phpc/batch/problems.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/first_error.hpp"
#include "phpc/core/threads.hpp"
#include "phpc/io/batch_folder.hpp"
#include "phpc/io/matrix_market.hpp"
#include "phpc/io/npy_batch.hpp"
#include "phpc/io/npz_batch.hpp"

namespace phpc::jobs {

namespace {

constexpr index_t default_problem_systems = 1024;

/// The fingerprint of a file; null without --shard, since only parts are compared by it.
nlohmann::ordered_json fingerprint_if(const BatchOptions& options, BatchInput& input, const std::string& path) {
  return options.sharding.shard.empty() ? nlohmann::ordered_json() : input.fingerprints.of(path);
}

template <class Path>
nlohmann::ordered_json fingerprint_of_all_if(const BatchOptions& options, BatchInput& input, index_t count, const Path& path_of) {
  if (options.sharding.shard.empty()) {
    return {};
  }
  std::vector<std::string> paths;
  paths.reserve(static_cast<std::size_t>(count));
  for (index_t i = 0; i < count; ++i) {
    paths.push_back(path_of(i));
  }
  return input.fingerprints.of_all(paths);
}

/// Sets that make(number, values) makes one by one, on several threads.
template <class Make>
BatchSets::Read made_by(index_t length, const Make& make) {
  return [length, make, threads = omp_get_max_threads()](index_t first, std::span<double> sets, Progress&) {
    const index_t count = static_cast<index_t>(sets.size()) / length;
    // Not by OpenMP: while another thread solves it would start a second team, and end the program where it could not.
    constexpr index_t block = 64;
    FirstError error;
    std::atomic<index_t> next = 0;
    const auto work = [&] {
      error.guard([&] {
        for (index_t begin = next.fetch_add(block); begin < count; begin = next.fetch_add(block)) {
          for (index_t i = begin; i < std::min(begin + block, count); ++i) {
            make(first + i, sets.subspan(static_cast<std::size_t>(i * length), static_cast<std::size_t>(length)));
          }
        }
      });
    };
    {
      Threads others;
      others.start(static_cast<int>(std::min<index_t>(threads - 1, count / block)), work);
      work();
    }
    error.rethrow();
  };
}

/// Whether INPUT is an array of dense matrices.
bool is_dense(const BatchOptions& options) {
  return options.problem.empty() && options.input.ends_with(".npy") && !std::filesystem::is_directory(options.input);
}

void open_folder(const BatchOptions& options, BatchInput& input) {
  const bool has_rhs = options.rhs == "file";
  const auto folder = std::make_shared<io::BatchFolderReader>(
      options.input, io::BatchFolderNames{options.matrix_name, has_rhs ? options.rhs_name : ""});
  input.pattern = {folder->row_offsets(), folder->column_indices()};
  const int threads = omp_get_max_threads();
  const index_t words = folder->has_complex_values() ? 2 : 1;
  input.values = {folder->entries() * words, folder->systems(),
                  [folder, threads](index_t first, std::span<double> values, Progress& progress) {
                    folder->read_values(first, values, threads, progress);
                  },
                  1, words == 2};
  input.matrices = {folder->systems(), folder->first_pattern(),
                    [folder, threads](index_t first, index_t count, Progress& progress) {
                      return folder->read_matrices(first, count, threads, progress);
                    }};
  if (options.method.solver == "auto") {
    input.matrices.give_first_values();
  }
  const auto matrix_path = [&](index_t system) { return folder->matrix_path(system); };
  input.identity = {{"systems", folder->systems()},
                    {"matrices", fingerprint_of_all_if(options, input, folder->systems(), matrix_path)}};
  for (index_t system = 0; system < folder->systems(); ++system) {
    input.files.push_back(folder->matrix_path(system));
    if (has_rhs) {
      input.files.push_back(folder->rhs_path(system));
    }
  }
  if (has_rhs) {
    const index_t rhs_words = folder->has_complex_rhs() ? 2 : 1;
    input.rhs = {folder->rows() * folder->rhs_columns() * rhs_words, folder->systems(),
                 [folder, threads](index_t first, std::span<double> rhs, Progress& progress) {
                   folder->read_rhs(first, rhs, threads, progress);
                 },
                 folder->rhs_columns(), rhs_words == 2};
    const auto rhs_path = [&](index_t system) { return folder->rhs_path(system); };
    input.identity["rhs"] = fingerprint_of_all_if(options, input, folder->systems(), rhs_path);
  }
}

void open_npz(const BatchOptions& options, BatchInput& input) {
  input.identity = fingerprint_if(options, input, options.input);
  const auto archive = std::make_shared<io::NpzBatch>(options.input);
  input.files.push_back(options.input);
  input.pattern = {archive->row_offsets(), archive->column_indices()};
  const index_t words = archive->has_complex_values() ? 2 : 1;
  input.values = {archive->entries() * words, archive->value_sets(),
                  [archive](index_t first, std::span<double> values, Progress&) { archive->read_values(first, values); }, 1,
                  words == 2};
  if (options.rhs == "file") {
    PHPC_VALIDATE(archive->has_rhs(), ErrorKind::usage,
                  fmt::format("'{}' holds no right-hand sides (an array rhs); give --rhs ones, random or a file", options.input));
    const index_t rhs_words = archive->has_complex_rhs() ? 2 : 1;
    const index_t columns = archive->rhs_columns();
    input.rhs = {archive->rows() * columns * rhs_words, archive->rhs_sets(),
                 [archive, columns, rhs_words](index_t first, std::span<double> rhs, Progress&) {
                   archive->read_rhs(first, rhs);
                   transpose_blocks(rhs, archive->rows(), columns, rhs_words);
                 },
                 columns, rhs_words == 2};
  }
}

void open_dense(const BatchOptions& options, BatchInput& input) {
  input.identity = {{"matrices", fingerprint_if(options, input, options.input)}, {"zeros", options.zeros}};
  PHPC_VALIDATE(options.rhs != "file", ErrorKind::usage,
                fmt::format("'{}' holds matrices alone; give --rhs ones, random or a file", options.input));
  const auto dense =
      std::make_shared<io::NpyBatch>(options.input, options.zeros == "kept" ? io::DenseZeros::kept : io::DenseZeros::dropped);
  input.files.push_back(options.input);
  input.pattern = {dense->row_offsets(), dense->column_indices()};
  const index_t words = dense->is_complex() ? 2 : 1;
  input.values = {dense->entries() * words, dense->systems(),
                  [dense](index_t first, std::span<double> values, Progress&) { dense->read_values(first, values); }, 1,
                  words == 2};
}

/// Numbers of a MatrixMarket file, `length` in a set.
BatchSets held_numbers(std::vector<double> values, bool is_complex, index_t length) {
  BatchSets sets = held_sets(std::move(values), length * (is_complex ? 2 : 1));
  sets.is_complex = is_complex;
  return sets;
}

/// The columns of a MatrixMarket file, those of system after system as -o writes them: `columns` a set, or where that is 0 as
/// many as make a set for each of `systems` systems, one if that does not come out. Throws Error(input) for no whole number of
/// sets.
BatchSets market_vectors(const std::string& path, index_t rows, index_t systems, index_t columns, const std::string& what) {
  io::MarketVectors vectors = io::read_matrix_market_vectors(path, rows);
  const bool comes_out = systems > 0 && vectors.columns % systems == 0;
  const index_t in_a_set = columns > 0 ? columns : comes_out ? vectors.columns / systems : 1;
  PHPC_VALIDATE(vectors.columns % in_a_set == 0, ErrorKind::input,
                fmt::format("'{}': {} columns of {}, and a system has {} right-hand sides; give as many of one as of the other",
                            path, vectors.columns, what, in_a_set));
  BatchSets sets = held_numbers(std::move(vectors.values), vectors.is_complex, rows * in_a_set);
  sets.columns = in_a_set;
  return sets;
}

void open_matrix(const BatchOptions& options, BatchInput& input) {
  input.identity = {{"matrix", fingerprint_if(options, input, options.input)}};
  io::CsrMatrix matrix = io::read_matrix_market(options.input);
  input.files.push_back(options.input);
  PHPC_VALIDATE(
      matrix.rows == matrix.columns && matrix.rows > 0, ErrorKind::input,
      fmt::format("{}: a {} x {} matrix; a linear system needs a square one", options.input, matrix.rows, matrix.columns));
  input.pattern = {std::move(matrix.row_offsets), std::move(matrix.column_indices)};
  input.values = held_numbers(std::move(matrix.values), matrix.is_complex, input.pattern.entries());
  input.values.sets = 1;  // of a matrix without entries too
  if (options.rhs == "file") {
    const std::string path = (std::filesystem::path(options.input).parent_path() / options.rhs_name).string();
    input.files.push_back(path);
    input.identity["rhs"] = fingerprint_if(options, input, path);
    input.rhs = market_vectors(path, matrix.rows, 1, 0, "right-hand sides");
  }
}

/// Throws Error(memory) where the pattern of a problem and one system need more than there is. The places of a random pattern lie
/// in a tree while it is made.
void validate_problem_memory(const std::string& text) {
  const batch::ProblemSize size = batch::problem_size(text);
  const double entry = 2 * sizeof(std::int32_t) + sizeof(double) + (text.starts_with("random-spd") ? 32 : 0);
  validate_memory(exec::Device::host(), entry * static_cast<double>(size.most_entries) + 40 * static_cast<double>(size.rows),
                  fmt::format("one system of --problem {}", text), "give fewer rows or entries");
}

void open_problem(const BatchOptions& options, BatchInput& input) {
  validate_problem_memory(options.problem);
  const auto problem = std::make_shared<batch::Problem>(options.problem, static_cast<std::uint64_t>(options.seed));
  input.pattern = problem->pattern();
  const index_t systems = options.systems > 0 ? options.systems : default_problem_systems;
  input.systems = systems;
  const index_t entries = input.pattern.entries();
  const index_t rows = input.pattern.rows();
  input.values = {entries, problem->value_sets(systems),
                  made_by(entries, [problem](index_t set, std::span<double> values) { problem->fill_values(set, values); })};
  input.identity = {{"problem", options.problem}, {"seed", options.seed}};
  if (options.rhs == "file") {
    input.rhs = {rows, systems,
                 made_by(rows, [problem](index_t system, std::span<double> rhs) { problem->fill_rhs(system, rhs); })};
  }
}

/// Opens the right-hand sides that --rhs names, where these are not the input's own.
void open_rhs(const BatchOptions& options, BatchInput& input) {
  const index_t rows = input.pattern.rows();
  if (options.rhs == "ones") {
    input.rhs = held_sets(std::vector<double>(static_cast<std::size_t>(rows), 1.0), rows);
  } else if (options.rhs == "random") {
    const index_t sets = input.systems > 0 ? input.systems : options.systems > 0 ? options.systems : input.values.sets;
    const auto fill = [seed = static_cast<std::uint64_t>(options.seed)](index_t system, std::span<double> rhs) {
      batch::fill_random_rhs(seed, system, rhs);
    };
    input.rhs = {rows, sets, made_by(rows, fill)};
    input.identity = {{"input", std::move(input.identity)}, {"seed", options.seed}};
  } else {
    PHPC_VALIDATE(options.rhs.ends_with(".npy") || options.rhs.ends_with(".mtx"), ErrorKind::usage,
                  fmt::format("--rhs {} is none of file, ones, random, and no .npy or .mtx file", options.rhs));
    input.identity = {{"input", std::move(input.identity)}, {"rhs", fingerprint_if(options, input, options.rhs)}};
    input.files.push_back(options.rhs);
    const std::string what = "right-hand sides";
    const index_t systems = input.systems > 0 ? input.systems : input.values.sets;
    input.rhs = options.rhs.ends_with(".npy") ? npy_vectors(options.rhs, rows, what)
                                              : market_vectors(options.rhs, rows, systems, 0, what);
  }
}

/// The tolerances of some systems. Throws Error(input) for what is none.
std::vector<double> read_tolerances(const BatchInput& input, exec::Range systems, Progress& progress) {
  std::vector<double> tolerances = read_for_each(input.tolerances, systems, progress);
  for (std::size_t i = 0; i < tolerances.size(); ++i) {
    PHPC_VALIDATE(std::isfinite(tolerances[i]) && tolerances[i] >= 0, ErrorKind::input,
                  fmt::format("the tolerance of system {} is {}; --tolerances takes numbers >= 0",
                              systems.begin + static_cast<index_t>(i), tolerances[i]));
  }
  std::vector<double> of_columns;
  for (const double tolerance : tolerances) {
    of_columns.insert(of_columns.end(), static_cast<std::size_t>(input.rhs.columns), tolerance);
  }
  return of_columns;
}

/// What --guess or --tolerances names: a set for each system, or one for all; nothing where the option is not given.
BatchSets open_option(const BatchOptions& options, BatchInput& input, const std::string& option, const std::string& path,
                      const std::string& what) {
  if (path.empty()) {
    return {};
  }
  const bool is_guess = option == "guess";
  const bool is_market = is_guess && path.ends_with(".mtx");
  PHPC_VALIDATE(path.ends_with(".npy") || is_market, ErrorKind::usage,
                fmt::format("--{} {} is no .npy{} file", option, path, is_guess ? " or .mtx" : ""));
  input.identity = {{"input", std::move(input.identity)}, {option, fingerprint_if(options, input, path)}};
  input.files.push_back(path);
  const index_t rows = input.pattern.rows();
  BatchSets sets = is_market  ? market_vectors(path, rows, input.systems, input.rhs.columns, what)
                   : is_guess ? npy_vectors(path, rows, what)
                              : npy_numbers(path, what);
  PHPC_VALIDATE(sets.sets == input.systems || sets.sets == 1 || options.systems > 0, ErrorKind::input,
                fmt::format("'{}' holds {} of {} systems, and there are {}; give as many, or one for all, or say --systems: then "
                            "all repeat",
                            path, what, sets.sets, input.systems));
  PHPC_VALIDATE(sets.sets > 0 || input.systems == 0, ErrorKind::input, fmt::format("'{}' holds no {}", path, what));
  return sets;
}

}  // namespace

BatchInput open_batch_input(const BatchOptions& options) {
  BatchInput input;
  input.fingerprints = fingerprints(options.sharding);
  PHPC_VALIDATE(options.zeros == "dropped" || is_dense(options), ErrorKind::usage,
                "--zeros kept is for dense matrices in a .npy file; a pattern of sparse ones has the zeros that it lists");
  if (!options.problem.empty()) {
    open_problem(options, input);
  } else if (std::filesystem::is_directory(options.input)) {
    open_folder(options, input);
  } else if (options.input.ends_with(".npz")) {
    open_npz(options, input);
  } else if (is_dense(options)) {
    open_dense(options, input);
  } else {
    open_matrix(options, input);
  }
  if (!input.rhs.read) {
    open_rhs(options, input);
  }
  PHPC_VALIDATE(std::min(input.values.sets, input.rhs.sets) > 0 || options.systems == 0, ErrorKind::input,
                fmt::format("{} systems of {} matrices and {} right-hand sides; give one at least of each", options.systems,
                            input.values.sets, input.rhs.sets));
  PHPC_VALIDATE(input.values.sets == input.rhs.sets || input.values.sets == 1 || input.rhs.sets == 1 || options.systems > 0,
                ErrorKind::input,
                fmt::format("{} matrices and {} right-hand sides; give as many of one as of the other, or one of one, or say "
                            "--systems: then both repeat",
                            input.values.sets, input.rhs.sets));
  if (options.systems > 0) {
    input.systems = options.systems;
  } else if (input.systems == 0 && input.values.sets > 0 && input.rhs.sets > 0) {
    input.systems = std::max(input.values.sets, input.rhs.sets);
  }
  input.guesses = open_option(options, input, "guess", options.guess, "guesses");
  PHPC_VALIDATE(
      input.guesses.sets == 0 || input.guesses.columns == input.rhs.columns, ErrorKind::input,
      fmt::format("'{}': columns of guesses, {}, and of right-hand sides, {}, differ; give as many of one as of the other",
                  options.guess, input.guesses.columns, input.rhs.columns));
  input.tolerances = open_option(options, input, "tolerances", options.tolerances, "tolerances");
  input.is_complex = input.values.is_complex || input.rhs.is_complex || input.guesses.is_complex;
  if (input.is_complex) {
    if (!input.values.is_complex) {
      input.matrices.make_complex();
    }
    for (BatchSets* const sets : {&input.values, &input.rhs, &input.guesses}) {
      *sets = as_complex(std::move(*sets));
    }
  }
  const index_t numbers = 2 * input.rhs.length + input.pattern.entries() + 8;  // of a system and all that belongs to it
  constexpr index_t longest = std::numeric_limits<index_t>::max() / 16;
  PHPC_VALIDATE(std::max({input.systems, input.values.sets, input.rhs.sets}) <= longest / numbers, ErrorKind::usage,
                fmt::format("{} systems of {} rows and {} entries (their bytes do not fit in 63 bits); give fewer --systems",
                            input.systems, input.pattern.rows(), input.pattern.entries()));
  if (!input.matrices) {
    input.values = kept_if_repeated(std::move(input.values), input.systems);
  } else if (is_kept_if_repeated(input.values, input.systems)) {
    input.matrices.keep();  // the values stay unread, but for system 0's: others may have another pattern
  }
  for (BatchSets* const sets : {&input.rhs, &input.guesses, &input.tolerances}) {
    *sets = kept_if_repeated(std::move(*sets), input.systems);
  }
  return input;
}

BatchPiece read_piece(const BatchInput& input, exec::Range systems, Progress& progress) {
  std::vector<BatchGroup> groups;
  if (input.matrices) {
    groups = input.matrices.groups(systems, progress);
  } else {
    groups.push_back({input.pattern, read_sets(input.values, systems, progress), systems.size(), {}});
  }
  return {std::move(groups), read_for_each(input.rhs, systems, progress), read_for_each(input.guesses, systems, progress),
          read_tolerances(input, systems, progress)};
}

index_t systems_in(const BatchInput& input, std::uint64_t bytes, index_t values_more, index_t copies) {
  const auto number = [](index_t values) { return static_cast<std::uint64_t>(values) * sizeof(double); };
  // Right-hand sides, solutions and their reports.
  const std::uint64_t each =
      2 * number(input.rhs.length) + number(values_more) + static_cast<std::uint64_t>(input.rhs.columns) * sizeof(batch::Report);
  const std::uint64_t set = number(copies * input.values.length);
  const std::uint64_t all_sets = static_cast<std::uint64_t>(input.values.sets) * set;
  const std::uint64_t with_sets = bytes / (each + set);
  if (with_sets <= static_cast<std::uint64_t>(input.values.sets)) {
    return std::max<index_t>(1, static_cast<index_t>(with_sets));
  }
  return static_cast<index_t>((bytes - all_sets) / each);
}

}  // namespace phpc::jobs
