#pragma once
#include <algorithm>

#include "phpc/core/types.hpp"

namespace phpc::io {

/// Whether a file with so many entries may be believed to hold a matrix of so many rows, for which memory is taken: each row of a
/// regular matrix has an entry, and each entry takes bytes of the file. Few rows are believed anyway; that their matrix is
/// singular is for the solver to say.
constexpr bool has_credible_rows(index_t rows, index_t entries) {
  constexpr index_t few = 1024;
  return rows <= std::max(few, entries);
}

}  // namespace phpc::io
