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

}  // namespace

BatchFolderReader::BatchFolderReader(std::string directory, BatchFolderNames names)
    : directory_(std::move(directory)), names_(std::move(names)), systems_(count_systems(directory_)) {
  CsrMatrix matrix = read_matrix_market(matrix_path(0));
  check_square(matrix, matrix_path(0));
  row_offsets_ = std::move(matrix.row_offsets);
  column_indices_ = std::move(matrix.column_indices);
}

std::string BatchFolderReader::matrix_path(index_t system) const {
  return fmt::format("{}/{}/{}", directory_, system, names_.matrix);
}

std::string BatchFolderReader::rhs_path(index_t system) const {
  return fmt::format("{}/{}/{}", directory_, system, names_.rhs);
}

void BatchFolderReader::read_values(index_t first, std::span<double> values, int threads, Progress& progress) const {
  const index_t count = entries() == 0 ? 0 : static_cast<index_t>(values.size()) / entries();
  PHPC_EXPECT(first >= 0 && first + count <= systems_ && static_cast<index_t>(values.size()) == count * entries());
  for_each_file(count, threads, progress, [&](index_t i) {
    const index_t system = first + i;
    const std::string path = matrix_path(system);
    const CsrMatrix matrix = read_matrix_market(path);
    PHPC_VALIDATE(matrix.rows == rows() && matrix.columns == rows(), ErrorKind::input,
                  fmt::format("{}: system {} is {} x {}, system 0 is {} x {}; a batch holds systems of one size", path, system,
                              matrix.rows, matrix.columns, rows(), rows()));
    PHPC_VALIDATE(matrix.row_offsets == row_offsets_ && matrix.column_indices == column_indices_, ErrorKind::input,
                  fmt::format("{}: the pattern of system {} ({} entries) differs from system 0's ({} entries); list the same "
                              "entries, zeros included, in every system",
                              path, system, matrix.values.size(), entries()));
    std::copy(matrix.values.begin(), matrix.values.end(), values.begin() + i * entries());
  });
}

void BatchFolderReader::read_rhs(index_t first, std::span<double> rhs, int threads, Progress& progress) const {
  const index_t count = static_cast<index_t>(rhs.size()) / rows();
  PHPC_EXPECT(first >= 0 && first + count <= systems_ && static_cast<index_t>(rhs.size()) == count * rows());
  for_each_file(count, threads, progress, [&](index_t i) {
    const std::vector<double> vector = read_matrix_market_vector(rhs_path(first + i), rows());
    std::copy(vector.begin(), vector.end(), rhs.begin() + i * rows());
  });
}

BatchFolder read_batch_folder(const std::string& directory, const BatchFolderNames& names, Progress& progress) {
  const BatchFolderReader reader(directory, names);
  BatchFolder batch;
  batch.systems = reader.systems();
  batch.rows = reader.rows();
  batch.row_offsets = reader.row_offsets();
  batch.column_indices = reader.column_indices();
  batch.values.resize(static_cast<std::size_t>(batch.systems * reader.entries()));
  reader.read_values(0, batch.values, 1, progress);
  if (!names.rhs.empty()) {
    batch.rhs.resize(static_cast<std::size_t>(batch.systems * batch.rows));
    reader.read_rhs(0, batch.rhs, 1, progress);
  }
  return batch;
}

}  // namespace phpc::io
