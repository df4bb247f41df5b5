#include "phpc/io/batch_folder.hpp"

#include <dirent.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/core/threads.hpp"
#include "phpc/io/matrix_market.hpp"

namespace phpc::io {

namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const { closedir(directory); }
};

/// The system's number if `name` is one as this folder writes them: digits without leading zeros.
std::optional<index_t> system_number(std::string_view name) {
  const bool digits = std::all_of(name.begin(), name.end(), [](char letter) { return letter >= '0' && letter <= '9'; });
  if (!digits || (name.size() > 1 && name[0] == '0')) {
    return std::nullopt;
  }
  return parse_integer(name);
}

/// How many systems the folder holds; checks that their numbers run from 0 without a gap.
index_t count_systems(const std::string& path) {
  const std::unique_ptr<DIR, CloseDirectory> directory(opendir(path.c_str()));
  if (directory == nullptr) {
    fail_errno(fmt::format("cannot open folder '{}'", path), errno);
  }
  std::vector<index_t> numbers;
  errno = 0;
  for (const dirent* entry = readdir(directory.get()); entry != nullptr; entry = readdir(directory.get())) {
    if (const std::optional<index_t> number = system_number(entry->d_name)) {
      numbers.push_back(*number);
    }
  }
  if (errno != 0) {
    fail_errno(fmt::format("cannot read folder '{}'", path), errno);
  }
  std::sort(numbers.begin(), numbers.end());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    PHPC_VALIDATE(numbers[i] == static_cast<index_t>(i), ErrorKind::input,
                  fmt::format("'{}' has no system {} (it has {}); number the folders from 0 without gaps", path, i, numbers[i]));
  }
  PHPC_VALIDATE(!numbers.empty(), ErrorKind::input,
                fmt::format("'{}' holds no systems (no folders named 0, 1, ...); give a folder of <i>/A.mtx files", path));
  return static_cast<index_t>(numbers.size());
}

/// Calls work(i) for i in [0, count) on several threads; the first error by number is thrown once all have stopped.
void for_each_file(index_t count, int threads, Progress& progress, const std::function<void(index_t)>& work) {
  std::atomic<index_t> next{0};
  std::mutex mutex;
  index_t failed = count;
  std::exception_ptr error;
  const auto take = [&] {
    for (index_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
      try {
        work(i);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        next.store(count);  // those before it are under way or done
        if (i < failed) {
          failed = i;
          error = std::current_exception();
        }
      }
      const std::scoped_lock lock(mutex);
      progress.advance(1);
    }
  };
  progress.begin("systems read", static_cast<std::uint64_t>(count));
  {
    Threads others;
    others.start(static_cast<int>(std::min<index_t>(threads, count)) - 1, take);
    take();
  }
  progress.end();
  if (error) {
    std::rethrow_exception(error);
  }
}

void check_square(const CsrMatrix& matrix, const std::string& path) {
  PHPC_VALIDATE(matrix.rows == matrix.columns, ErrorKind::input,
                fmt::format("{}: a {} x {} matrix; a linear system needs a square one", path, matrix.rows, matrix.columns));
  PHPC_VALIDATE(matrix.rows > 0, ErrorKind::input, fmt::format("{}: a matrix without rows", path));
}

/// One file's numbers as those of system 0 are, of `words` values each.
std::vector<double> of_words(std::vector<double> values, bool is_complex, index_t words, const std::string& path) {
  PHPC_VALIDATE(!is_complex || words == 2, ErrorKind::input,
                fmt::format("{}: complex numbers where system 0 has real ones; write those as complex too", path));
  if (is_complex || words == 1) {
    return values;
  }
  std::vector<double> numbers(2 * values.size(), 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    numbers[2 * i] = values[i];
  }
  return numbers;
}

/// A hash (FNV-1a) of what tells most patterns apart.
std::uint64_t hash_of(const FolderPattern& pattern) {
  std::uint64_t hash = 14695981039346656037U;
  for (const auto& numbers : {std::cref(pattern.row_offsets), std::cref(pattern.column_indices)}) {
    for (const std::int32_t number : numbers.get()) {
      hash = (hash ^ static_cast<std::uint32_t>(number)) * 1099511628211U;
    }
  }
  return hash;
}

}  // namespace

/// Keeps the patterns that were met, each once. For several threads at once.
class BatchFolderReader::Patterns {
 public:
  /// The pattern kept that equals `pattern`, which is kept itself where there is none.
  std::shared_ptr<const FolderPattern> shared(FolderPattern pattern) {
    const std::uint64_t hash = hash_of(pattern);
    const std::scoped_lock lock(mutex_);
    const auto [first, last] = patterns_.equal_range(hash);
    for (auto known = first; known != last; ++known) {
      if (*known->second == pattern) {
        return known->second;
      }
    }
    return patterns_.emplace(hash, std::make_shared<const FolderPattern>(std::move(pattern)))->second;
  }

 private:
  std::mutex mutex_;
  std::unordered_multimap<std::uint64_t, std::shared_ptr<const FolderPattern>> patterns_;
};

BatchFolderReader::BatchFolderReader(std::string directory, BatchFolderNames names)
    : directory_(std::move(directory)),
      names_(std::move(names)),
      systems_(count_systems(directory_)),
      patterns_(std::make_shared<Patterns>()) {
  CsrMatrix matrix = read_matrix_market(matrix_path(0));
  check_square(matrix, matrix_path(0));
  first_pattern_ = patterns_->shared({std::move(matrix.row_offsets), std::move(matrix.column_indices)});
  words_ = matrix.is_complex ? 2 : 1;
  if (!names_.rhs.empty()) {
    const MarketVectors vectors = read_matrix_market_vectors(rhs_path(0), rows());
    rhs_words_ = vectors.is_complex ? 2 : 1;
    rhs_columns_ = vectors.columns;
  }
}

std::string BatchFolderReader::matrix_path(index_t system) const {
  return fmt::format("{}/{}/{}", directory_, system, names_.matrix);
}

std::string BatchFolderReader::rhs_path(index_t system) const {
  return fmt::format("{}/{}/{}", directory_, system, names_.rhs);
}

std::vector<FolderMatrix> BatchFolderReader::read_matrices(index_t first, index_t count, int threads, Progress& progress) const {
  PHPC_EXPECT(first >= 0 && count >= 0 && first + count <= systems_);
  std::vector<FolderMatrix> matrices(static_cast<std::size_t>(count));
  for_each_file(count, threads, progress, [&](index_t i) {
    const index_t system = first + i;
    const std::string path = matrix_path(system);
    CsrMatrix matrix = read_matrix_market(path);
    PHPC_VALIDATE(matrix.rows == rows() && matrix.columns == rows(), ErrorKind::input,
                  fmt::format("{}: system {} is {} x {}, system 0 is {} x {}; a batch holds systems of one size", path, system,
                              matrix.rows, matrix.columns, rows(), rows()));
    matrices[static_cast<std::size_t>(i)] = {patterns_->shared({std::move(matrix.row_offsets), std::move(matrix.column_indices)}),
                                             of_words(std::move(matrix.values), matrix.is_complex, words_, path)};
  });
  return matrices;
}

void BatchFolderReader::read_values(index_t first, std::span<double> values, int threads, Progress& progress) const {
  const index_t length = entries() * words_;
  const index_t count = length == 0 ? 0 : static_cast<index_t>(values.size()) / length;
  PHPC_EXPECT(static_cast<index_t>(values.size()) == count * length);
  auto next = values.begin();
  for (const FolderMatrix& matrix : read_matrices(first, count, threads, progress)) {
    const index_t system = first + (next - values.begin()) / length;
    PHPC_VALIDATE(matrix.pattern == first_pattern_, ErrorKind::input,
                  fmt::format("{}: the pattern of system {} ({} entries) differs from system 0's ({} entries); list the same "
                              "entries, zeros included, in every system",
                              matrix_path(system), system, matrix.pattern->column_indices.size(), entries()));
    next = std::copy(matrix.values.begin(), matrix.values.end(), next);
  }
}

void BatchFolderReader::read_rhs(index_t first, std::span<double> rhs, int threads, Progress& progress) const {
  const index_t length = rows() * rhs_columns_ * rhs_words_;
  const index_t count = static_cast<index_t>(rhs.size()) / length;
  PHPC_EXPECT(first >= 0 && first + count <= systems_ && static_cast<index_t>(rhs.size()) == count * length);
  for_each_file(count, threads, progress, [&](index_t i) {
    const std::string path = rhs_path(first + i);
    MarketVectors vectors = read_matrix_market_vectors(path, rows());
    PHPC_VALIDATE(vectors.columns == rhs_columns_, ErrorKind::input,
                  fmt::format("{}: columns of system {}, {}, and of system 0, {}, differ; give as many right-hand sides of each",
                              path, first + i, vectors.columns, rhs_columns_));
    const std::vector<double> numbers = of_words(std::move(vectors.values), vectors.is_complex, rhs_words_, path);
    std::copy(numbers.begin(), numbers.end(), rhs.begin() + i * length);
  });
}

BatchFolder read_batch_folder(const std::string& directory, const BatchFolderNames& names, Progress& progress) {
  const BatchFolderReader reader(directory, names);
  BatchFolder batch;
  batch.systems = reader.systems();
  batch.rows = reader.rows();
  batch.row_offsets = reader.row_offsets();
  batch.column_indices = reader.column_indices();
  batch.values.resize(static_cast<std::size_t>(batch.systems * reader.entries() * (reader.has_complex_values() ? 2 : 1)));
  reader.read_values(0, batch.values, 1, progress);
  if (!names.rhs.empty()) {
    batch.rhs.resize(
        static_cast<std::size_t>(batch.systems * batch.rows * reader.rhs_columns() * (reader.has_complex_rhs() ? 2 : 1)));
    reader.read_rhs(0, batch.rhs, 1, progress);
  }
  return batch;
}

}  // namespace phpc::io
