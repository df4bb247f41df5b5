#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "phpc/core/progress.hpp"
#include "phpc/core/types.hpp"

namespace phpc::io {

struct BatchFolderNames {
  std::string matrix = "A.mtx";
  std::string rhs{};  ///< right-hand sides are read from these files, if any
};

/// A uniform batch of linear systems: square matrices of one pattern (CSR, 0-based, columns ascending within a row).
struct BatchFolder {
  index_t systems = 0;
  index_t rows = 0;
  std::vector<std::int32_t> row_offsets;
  std::vector<std::int32_t> column_indices;
  std::vector<double> values;  ///< (systems, entries)
  std::vector<double> rhs;     ///< (systems, rows), empty when not asked for
};

/// Reads DIR/<i>/<matrix> (and DIR/<i>/<rhs>) for i = 0, 1, ... in numeric order; other names in DIR are not looked at.
/// Throws Error(input) that names the file or system for: no systems, a number left out, a matrix that is not square or has no
/// rows, a pattern other than system 0's (zeros that a file lists belong to it), a right-hand side of another length, and
/// whatever read_matrix_market refuses; Error(io) for what cannot be read.
BatchFolder read_batch_folder(const std::string& directory, const BatchFolderNames& names, Progress& progress = no_progress());

}  // namespace phpc::io
