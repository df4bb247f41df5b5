#pragma once
#include <cstdint>
#include <memory>
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

/// A pattern in CSR, 0-based, columns ascending within a row.
struct FolderPattern {
  std::vector<std::int32_t> row_offsets;
  std::vector<std::int32_t> column_indices;
  friend bool operator==(const FolderPattern&, const FolderPattern&) = default;
};

/// One system's matrix.
struct FolderMatrix {
  std::shared_ptr<const FolderPattern> pattern;  ///< the same object for all of the same pattern
  std::vector<double> values;                    ///< of its entries, two each where those of system 0 are complex
};

/// A folder of linear systems DIR/<i>/<matrix> (and DIR/<i>/<rhs>), i = 0, 1, ...: square matrices of one size, whose patterns
/// may differ. The files are read when they are asked for.
class BatchFolderReader {
 public:
  /// Counts the systems and reads the pattern of system 0; other names in DIR are not looked at. Throws Error(input) that names
  /// the file or system for: no systems, a number left out, a matrix that is not square or has no rows, and whatever
  /// read_matrix_market refuses; Error(io) for what cannot be read.
  BatchFolderReader(std::string directory, BatchFolderNames names);

  [[nodiscard]] index_t systems() const { return systems_; }
  [[nodiscard]] index_t rows() const { return static_cast<index_t>(row_offsets().size()) - 1; }
  /// System 0's pattern.
  [[nodiscard]] index_t entries() const { return static_cast<index_t>(column_indices().size()); }
  [[nodiscard]] const std::vector<std::int32_t>& row_offsets() const { return first_pattern_->row_offsets; }
  [[nodiscard]] const std::vector<std::int32_t>& column_indices() const { return first_pattern_->column_indices; }
  [[nodiscard]] const std::shared_ptr<const FolderPattern>& first_pattern() const { return first_pattern_; }

  /// Whether system 0's matrix, and its right-hand side, are complex. Then all are read as complex numbers, two values each.
  [[nodiscard]] bool has_complex_values() const { return words_ == 2; }
  [[nodiscard]] bool has_complex_rhs() const { return rhs_words_ == 2; }
  /// Right-hand sides of system 0, of which all have as many.
  [[nodiscard]] index_t rhs_columns() const { return rhs_columns_; }

  /// The matrices of `count` systems from `first` on, whatever their patterns (zeros that a file lists belong to them). `threads`
  /// files are read at a time. Throws as the constructor, for matrices of another size too, and for complex numbers where system
  /// 0 has real ones; of several errors that of the lowest system.
  [[nodiscard]] std::vector<FolderMatrix> read_matrices(index_t first, index_t count, int threads,
                                                        Progress& progress = no_progress()) const;
  /// The values of systems from `first` on, as many as `values`, of shape (systems, entries), holds, all of system 0's pattern.
  /// Throws as read_matrices(), for another pattern too.
  void read_values(index_t first, std::span<double> values, int threads, Progress& progress = no_progress()) const;
  /// The same of the right-hand sides, of shape (systems, rhs_columns(), rows). Others than so many of `rows` rows are
  /// Error(input).
  void read_rhs(index_t first, std::span<double> rhs, int threads, Progress& progress = no_progress()) const;

  /// The path of a system's file.
  [[nodiscard]] std::string matrix_path(index_t system) const;
  [[nodiscard]] std::string rhs_path(index_t system) const;

 private:
  std::string directory_;
  BatchFolderNames names_;
  index_t systems_ = 0;
  std::shared_ptr<const FolderPattern> first_pattern_;
  index_t words_ = 1;  ///< values that a number is
  index_t rhs_words_ = 1;
  index_t rhs_columns_ = 1;
  class Patterns;
  std::shared_ptr<Patterns> patterns_;  ///< all that were met
};

/// A whole folder in memory.
struct BatchFolder {
  index_t systems = 0;
  index_t rows = 0;
  std::vector<std::int32_t> row_offsets;
  std::vector<std::int32_t> column_indices;
  std::vector<double> values;  ///< (systems, entries)
  std::vector<double> rhs;     ///< (systems, columns, rows), empty when not asked for
};

/// Reads all of a folder, whose systems have one pattern; errors as BatchFolderReader has them.
BatchFolder read_batch_folder(const std::string& directory, const BatchFolderNames& names, Progress& progress = no_progress());

}  // namespace phpc::io
