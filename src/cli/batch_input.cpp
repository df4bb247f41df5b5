#include "cli/batch_input.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <limits>
#include <memory>

#include "cli/memory_check.hpp"
#include "phpc/batch/problems.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/first_error.hpp"
#include "phpc/core/threads.hpp"
#include "phpc/io/array_reader.hpp"
#include "phpc/io/batch_folder.hpp"
#include "phpc/io/matrix_market.hpp"
#include "phpc/io/npz_batch.hpp"

namespace phpc::cli {

namespace {

constexpr index_t default_problem_systems = 1024;

/// Of no use, and left out, where no parts are made.
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

/// Sets that all are in memory.
BatchInput::Read held(std::vector<double> sets, index_t length) {
  return [sets = std::move(sets), length](index_t first, std::span<double> values, Progress&) {
    std::copy_n(sets.begin() + first * length, values.size(), values.begin());
  };
}

/// What `read` gives, kept from its first use on: for sets that are needed again and again.
BatchInput::Read kept(BatchInput::Read read, index_t sets, index_t length) {
  const auto all = std::make_shared<std::vector<double>>();
  return [read = std::move(read), all, sets, length](index_t first, std::span<double> values, Progress& progress) {
    if (all->empty()) {
      all->resize(static_cast<std::size_t>(sets * length));
      read(0, *all, progress);
    }
    std::copy_n(all->begin() + first * length, values.size(), values.begin());
  };
}

/// Sets that are made one by one, on all threads.
template <class Make>
BatchInput::Read made_by(index_t length, const Make& make) {
  return [length, make, threads = omp_get_max_threads()](index_t first, std::span<double> sets, Progress&) {
    const index_t count = static_cast<index_t>(sets.size()) / length;
    // On threads of its own, for it runs beside a solve: OpenMP would start a second team, and ends the program if it cannot.
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

void open_folder(const BatchOptions& options, BatchInput& input) {
  const bool has_rhs = options.rhs == "file";
  const auto folder = std::make_shared<io::BatchFolderReader>(
      options.input, io::BatchFolderNames{options.matrix_name, has_rhs ? options.rhs_name : ""});
  input.pattern = {folder->row_offsets(), folder->column_indices()};
  const int threads = omp_get_max_threads();
  input.value_sets = folder->systems();
  input.read_values = [folder, threads](index_t first, std::span<double> values, Progress& progress) {
    folder->read_values(first, values, threads, progress);
  };
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
    input.rhs_sets = folder->systems();
    input.read_rhs = [folder, threads](index_t first, std::span<double> rhs, Progress& progress) {
      folder->read_rhs(first, rhs, threads, progress);
    };
    const auto rhs_path = [&](index_t system) { return folder->rhs_path(system); };
    input.identity["rhs"] = fingerprint_of_all_if(options, input, folder->systems(), rhs_path);
  }
}

void open_npz(const BatchOptions& options, BatchInput& input) {
  input.identity = fingerprint_if(options, input, options.input);
  const auto archive = std::make_shared<io::NpzBatch>(options.input);
  input.files.push_back(options.input);
  input.pattern = {archive->row_offsets(), archive->column_indices()};
  input.value_sets = archive->value_sets();
  input.read_values = [archive](index_t first, std::span<double> values, Progress&) { archive->read_values(first, values); };
  if (options.rhs == "file") {
    PHPC_VALIDATE(archive->has_rhs(), ErrorKind::usage,
                  fmt::format("'{}' holds no right-hand sides (an array rhs); give --rhs ones, random or a file", options.input));
    input.rhs_sets = archive->rhs_sets();
    input.read_rhs = [archive](index_t first, std::span<double> rhs, Progress&) { archive->read_rhs(first, rhs); };
  }
}

void open_matrix(const BatchOptions& options, BatchInput& input) {
  input.identity = {{"matrix", fingerprint_if(options, input, options.input)}};
  io::CsrMatrix matrix = io::read_matrix_market(options.input);
  input.files.push_back(options.input);
  PHPC_VALIDATE(
      matrix.rows == matrix.columns && matrix.rows > 0, ErrorKind::input,
      fmt::format("{}: a {} x {} matrix; a linear system needs a square one", options.input, matrix.rows, matrix.columns));
  input.pattern = {std::move(matrix.row_offsets), std::move(matrix.column_indices)};
  input.value_sets = 1;
  input.read_values = held(std::move(matrix.values), input.pattern.entries());
  if (options.rhs == "file") {
    const std::string path = (std::filesystem::path(options.input).parent_path() / options.rhs_name).string();
    input.files.push_back(path);
    input.rhs_sets = 1;
    input.identity["rhs"] = fingerprint_if(options, input, path);
    input.read_rhs = held(io::read_matrix_market_vector(path, matrix.rows), matrix.rows);
  }
}

/// Of a made pattern and one system with it. The places of a random pattern are kept in a tree while it is made.
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
  input.value_sets = problem->value_sets(systems);
  const index_t entries = input.pattern.entries();
  const index_t rows = input.pattern.rows();
  input.read_values = made_by(entries, [problem](index_t set, std::span<double> values) { problem->fill_values(set, values); });
  input.identity = {{"problem", options.problem}, {"seed", options.seed}};
  if (options.rhs == "file") {
    input.rhs_sets = systems;
    input.read_rhs = made_by(rows, [problem](index_t system, std::span<double> rhs) { problem->fill_rhs(system, rhs); });
  }
}

/// Right-hand sides of a .npy file, of shape (systems, rows) or (rows).
void open_npy_rhs(const BatchOptions& options, BatchInput& input) {
  const index_t rows = input.pattern.rows();
  const io::ArrayReader reader = io::open_npy(options.rhs);
  const std::vector<index_t>& shape = reader.shape();
  const bool is_real = reader.type() == io::NpyType::float64 || reader.type() == io::NpyType::float32;
  PHPC_VALIDATE(is_real && !shape.empty() && shape.size() <= 2 && shape.back() == rows, ErrorKind::input,
                fmt::format("'{}' holds {} of shape ({}); right-hand sides are real, of shape (systems, {})", options.rhs,
                            io::to_string(reader.type()), fmt::join(shape, ", "), rows));
  input.rhs_sets = shape.size() == 1 ? 1 : shape.front();
  input.read_rhs = [path = options.rhs, rows](index_t first, std::span<double> rhs, Progress&) {
    io::ArrayReader part = io::open_npy(path);
    part.keep_only(first * rows, static_cast<index_t>(rhs.size()));
    if (part.type() == io::NpyType::float64) {
      part.read(std::as_writable_bytes(rhs));
      return;
    }
    std::vector<float> narrow(rhs.size());
    part.read(std::as_writable_bytes(std::span(narrow)));
    std::copy(narrow.begin(), narrow.end(), rhs.begin());
  };
}

/// Whatever --rhs names but the input's own.
void open_rhs(const BatchOptions& options, BatchInput& input) {
  const index_t rows = input.pattern.rows();
  if (options.rhs == "ones") {
    input.rhs_sets = 1;
    input.read_rhs = held(std::vector<double>(static_cast<std::size_t>(rows), 1.0), rows);
  } else if (options.rhs == "random") {
    input.rhs_sets = input.systems > 0 ? input.systems : options.systems > 0 ? options.systems : input.value_sets;
    input.read_rhs = made_by(rows, [seed = static_cast<std::uint64_t>(options.seed)](index_t system, std::span<double> rhs) {
      batch::fill_random_rhs(seed, system, rhs);
    });
    input.identity = {{"input", std::move(input.identity)}, {"seed", options.seed}};
  } else {
    PHPC_VALIDATE(options.rhs.ends_with(".npy") || options.rhs.ends_with(".mtx"), ErrorKind::usage,
                  fmt::format("--rhs {} is none of file, ones, random, and no .npy or .mtx file", options.rhs));
    input.identity = {{"input", std::move(input.identity)}, {"rhs", fingerprint_if(options, input, options.rhs)}};
    input.files.push_back(options.rhs);
    if (options.rhs.ends_with(".npy")) {
      open_npy_rhs(options, input);
    } else {
      input.rhs_sets = 1;
      input.read_rhs = held(io::read_matrix_market_vector(options.rhs, rows), rows);
    }
  }
}

/// Sets that a file has fewer of than there are systems are read once, where they are few.
void keep_repeated_sets(BatchInput& input) {
  constexpr index_t most_values = index_t{1} << 25;
  const auto keep = [&](BatchInput::Read& read, index_t sets, index_t length) {
    if (sets > 0 && sets < input.systems && sets <= most_values / std::max<index_t>(1, length)) {
      read = kept(std::move(read), sets, length);
    }
  };
  keep(input.read_values, input.value_sets, input.pattern.entries());
  keep(input.read_rhs, input.rhs_sets, input.pattern.rows());
}

/// Sets that systems from `first` on have, each once: as many as there are, or as systems.
std::vector<double> read_sets(const BatchInput::Read& read, index_t sets, index_t length, exec::Range systems,
                              Progress& progress) {
  const index_t count = std::min(sets, systems.size());
  std::vector<double> values(static_cast<std::size_t>(count * length));
  if (values.empty()) {
    return values;
  }
  const index_t first = systems.begin % sets;
  const index_t before_wrap = std::min(count, sets - first);
  const std::span<double> all(values);
  read(first, all.first(static_cast<std::size_t>(before_wrap * length)), progress);
  if (before_wrap < count) {
    read(0, all.subspan(static_cast<std::size_t>(before_wrap * length)), progress);
  }
  return values;
}

}  // namespace

BatchInput open_batch_input(const BatchOptions& options) {
  BatchInput input;
  input.fingerprints = fingerprints(options.sharding);
  if (!options.problem.empty()) {
    open_problem(options, input);
  } else if (std::filesystem::is_directory(options.input)) {
    open_folder(options, input);
  } else if (options.input.ends_with(".npz")) {
    open_npz(options, input);
  } else {
    open_matrix(options, input);
  }
  if (!input.read_rhs) {
    open_rhs(options, input);
  }
  PHPC_VALIDATE(std::min(input.value_sets, input.rhs_sets) > 0 || options.systems == 0, ErrorKind::input,
                fmt::format("{} systems of {} matrices and {} right-hand sides; give one at least of each", options.systems,
                            input.value_sets, input.rhs_sets));
  PHPC_VALIDATE(input.value_sets == input.rhs_sets || input.value_sets == 1 || input.rhs_sets == 1 || options.systems > 0,
                ErrorKind::input,
                fmt::format("{} matrices and {} right-hand sides; give as many of one as of the other, or one of one, or say "
                            "--systems: then both repeat",
                            input.value_sets, input.rhs_sets));
  if (options.systems > 0) {
    input.systems = options.systems;
  } else if (input.systems == 0 && input.value_sets > 0 && input.rhs_sets > 0) {
    input.systems = std::max(input.value_sets, input.rhs_sets);
  }
  const index_t numbers = 2 * input.pattern.rows() + input.pattern.entries() + 8;  // of a system and all that belongs to it
  constexpr index_t longest = std::numeric_limits<index_t>::max() / 16;
  PHPC_VALIDATE(std::max({input.systems, input.value_sets, input.rhs_sets}) <= longest / numbers, ErrorKind::usage,
                fmt::format("{} systems of {} rows and {} entries (their bytes do not fit in 63 bits); give fewer --systems",
                            input.systems, input.pattern.rows(), input.pattern.entries()));
  keep_repeated_sets(input);
  return input;
}

BatchPiece read_piece(const BatchInput& input, exec::Range systems, Progress& progress) {
  const index_t rows = input.pattern.rows();
  std::vector<double> values = read_sets(input.read_values, input.value_sets, input.pattern.entries(), systems, progress);
  std::vector<double> rhs = read_sets(input.read_rhs, input.rhs_sets, rows, systems, progress);
  const std::size_t own = rhs.size();
  rhs.resize(static_cast<std::size_t>(systems.size() * rows));
  for (std::size_t at = own; at < rhs.size(); ++at) {
    rhs[at] = rhs[at - own];
  }
  return {batch::CsrBatch<double>(input.pattern, std::move(values), systems.size()), std::move(rhs)};
}

index_t systems_in(const BatchInput& input, std::uint64_t bytes, index_t values_more) {
  const auto number = [](index_t values) { return static_cast<std::uint64_t>(values) * sizeof(double); };
  // Right-hand side, solution and its report.
  const std::uint64_t each = 2 * number(input.pattern.rows()) + number(values_more) + sizeof(batch::Report);
  const std::uint64_t set = number(input.pattern.entries());
  const std::uint64_t all_sets = static_cast<std::uint64_t>(input.value_sets) * set;
  const std::uint64_t with_sets = bytes / (each + set);
  if (with_sets <= static_cast<std::uint64_t>(input.value_sets)) {
    return std::max<index_t>(1, static_cast<index_t>(with_sets));
  }
  return static_cast<index_t>((bytes - all_sets) / each);
}

}  // namespace phpc::cli
