#include "phpc/io/batch_folder.hpp"

#include <dirent.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>

#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"
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

void append_matrix(BatchFolder& batch, const CsrMatrix& matrix, const std::string& path, index_t system) {
  if (system == 0) {
    PHPC_VALIDATE(matrix.rows == matrix.columns, ErrorKind::input,
                  fmt::format("{}: a {} x {} matrix; a linear system needs a square one", path, matrix.rows, matrix.columns));
    PHPC_VALIDATE(matrix.rows > 0, ErrorKind::input, fmt::format("{}: a matrix without rows", path));
    batch.rows = matrix.rows;
    batch.row_offsets = matrix.row_offsets;
    batch.column_indices = matrix.column_indices;
    batch.values.reserve(static_cast<std::size_t>(batch.systems) * matrix.values.size());
  } else {
    PHPC_VALIDATE(matrix.rows == batch.rows && matrix.columns == batch.rows, ErrorKind::input,
                  fmt::format("{}: system {} is {} x {}, system 0 is {} x {}; a batch holds systems of one size", path, system,
                              matrix.rows, matrix.columns, batch.rows, batch.rows));
    PHPC_VALIDATE(matrix.row_offsets == batch.row_offsets && matrix.column_indices == batch.column_indices, ErrorKind::input,
                  fmt::format("{}: the pattern of system {} ({} entries) differs from system 0's ({} entries); list the same "
                              "entries, zeros included, in every system",
                              path, system, matrix.values.size(), batch.column_indices.size()));
  }
  batch.values.insert(batch.values.end(), matrix.values.begin(), matrix.values.end());
}

void append_rhs(BatchFolder& batch, const std::vector<double>& rhs, const std::string& path) {
  PHPC_VALIDATE(static_cast<index_t>(rhs.size()) == batch.rows, ErrorKind::input,
                fmt::format("{}: a right-hand side of {} values for a matrix of {} rows", path, rhs.size(), batch.rows));
  batch.rhs.insert(batch.rhs.end(), rhs.begin(), rhs.end());
}

}  // namespace

BatchFolder read_batch_folder(const std::string& directory, const BatchFolderNames& names, Progress& progress) {
  BatchFolder batch;
  batch.systems = count_systems(directory);
  progress.begin("systems read", static_cast<std::uint64_t>(batch.systems));
  for (index_t system = 0; system < batch.systems; ++system) {
    const std::string prefix = fmt::format("{}/{}/", directory, system);
    append_matrix(batch, read_matrix_market(prefix + names.matrix), prefix + names.matrix, system);
    if (!names.rhs.empty()) {
      append_rhs(batch, read_matrix_market_vector(prefix + names.rhs), prefix + names.rhs);
    }
    progress.advance(1);
  }
  progress.end();
  return batch;
}

}  // namespace phpc::io
