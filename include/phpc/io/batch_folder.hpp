#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "phpc/core/progress.hpp"
#include "phpc/core/types.hpp"

namespace phpc::io {

struct BatchFolderNames {
  std::string matrix = "A.mtx";
  std::string rhs{};  ///< right-hand sides are read from these files, if any
};

/// A folder of linear systems DIR/<i>/<matrix> (and DIR/<i>/<rhs>), i = 0, 1, ...: square matrices of one pattern (CSR, 0-based,
/// columns ascending within a row). The files are read when they are asked for.
class BatchFolderReader {
 public:
  /// Counts the systems and reads the pattern of system 0; other names in DIR are not looked at. Throws Error(input) that names
  /// the file or system for: no systems, a number left out, a matrix that is not square or has no rows, and whatever
  /// read_matrix_market refuses; Error(io) for what cannot be read.
  BatchFolderReader(std::string directory, BatchFolderNames names);

  [[nodiscard]] index_t systems() const { return systems_; }
  [[nodiscard]] index_t rows() const { return static_cast<index_t>(row_offsets_.size()) - 1; }
  [[nodiscard]] index_t entries() const { return static_cast<index_t>(column_indices_.size()); }
  [[nodiscard]] const std::vector<std::int32_t>& row_offsets() const { return row_offsets_; }
  [[nodiscard]] const std::vector<std::int32_t>& column_indices() const { return column_indices_; }

  /// Whether system 0's matrix, and its right-hand side, are complex. Then all are read as complex numbers, two values each.
  [[nodiscard]] bool has_complex_values() const { return words_ == 2; }
  [[nodiscard]] bool has_complex_rhs() const { return rhs_words_ == 2; }

  /// The matrices of systems from `first` on, as many as `values`, of shape (systems, entries), holds. `threads` files are read
  /// at a time. Throws as the constructor, for a pattern other than system 0's too (zeros that a file lists belong to it), and
  /// for complex numbers where system 0 has real ones; of several errors that of the lowest system.
  void read_values(index_t first, std::span<double> values, int threads, Progress& progress = no_progress()) const;
  /// The same of the right-hand sides, of shape (systems, rows). One of another length is Error(input).
  void read_rhs(index_t first, std::span<double> rhs, int threads, Progress& progress = no_progress()) const;

  /// The path of a system's file.
  [[nodiscard]] std::string matrix_path(index_t system) const;
  [[nodiscard]] std::string rhs_path(index_t system) const;

 private:
  std::string directory_;
  BatchFolderNames names_;
  index_t systems_ = 0;
  std::vector<std::int32_t> row_offsets_;
  std::vector<std::int32_t> column_indices_;
  index_t words_ = 1;  ///< values that a number is
  index_t rhs_words_ = 1;
};

/// A whole folder in memory.
struct BatchFolder {
  index_t systems = 0;
  index_t rows = 0;
  std::vector<std::int32_t> row_offsets;
  std::vector<std::int32_t> column_indices;
  std::vector<double> values;  ///< (systems, entries)
  std::vector<double> rhs;     ///< (systems, rows), empty when not asked for
};

/// Reads all of a folder; errors as BatchFolderReader has them.
BatchFolder read_batch_folder(const std::string& directory, const BatchFolderNames& names, Progress& progress = no_progress());

}  // namespace phpc::io
