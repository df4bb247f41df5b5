#include "phpc/batch/choose_solver.hpp"

#include <cmath>
#include <type_traits>
#include <vector>

#include "phpc/core/error.hpp"

namespace phpc::batch {

namespace {

// On 2 cores LU took less time than bicgstab with jacobi for matrices four fifths full up to 54 rows, and as much for 144 rows
// three tenths full (the Pele sets). A sparse matrix of 16 rows costs no more to eliminate than to iterate on.
constexpr index_t small_rows = 16;
constexpr index_t most_dense_rows = 256;
constexpr index_t most_direct_rows = 1024;
constexpr double dense_share = 0.2;

/// What the choice depends on.
struct Structure {
  bool has_lower = false;
  bool has_upper = false;
  bool has_wide = false;  ///< an entry off the three diagonals in the middle
  bool full_diagonal = true;
  bool positive_diagonal = true;
  bool dominant = true;  ///< in every row |diagonal| >= sum of the others' magnitudes
};

double size_of(double value) {
  return std::fabs(value);
}
double size_of(Complex<double> value) {
  return std::hypot(value.re, value.im);
}
bool is_positive(double value) {
  return value > 0;
}
bool is_positive(Complex<double> value) {
  return value.re > 0 && value.im == 0;
}
double conjugate_of(double value) {
  return value;
}
Complex<double> conjugate_of(Complex<double> value) {
  return conj(value);
}

template <class T>
Structure structure_of(const CsrPattern& pattern, std::span<const T> values) {
  Structure structure;
  for (std::int32_t row = 0; row < pattern.rows(); ++row) {
    T diagonal{};
    double others = 0;
    const auto end = static_cast<std::size_t>(pattern.row_offsets[static_cast<std::size_t>(row) + 1]);
    for (auto entry = static_cast<std::size_t>(pattern.row_offsets[static_cast<std::size_t>(row)]); entry < end; ++entry) {
      const std::int32_t column = pattern.columns[entry];
      structure.has_lower |= column < row;
      structure.has_upper |= column > row;
      structure.has_wide |= std::abs(column - row) > 1;
      if (column == row) {
        diagonal = values[entry];
      } else {
        others += size_of(values[entry]);
      }
    }
    structure.full_diagonal &= !(diagonal == T{});
    structure.positive_diagonal &= is_positive(diagonal);
    structure.dominant &= size_of(diagonal) >= others;
  }
  return structure;
}

/// Whether the matrix is symmetric, or of complex numbers Hermitian.
template <class T>
bool is_symmetric(const CsrPattern& pattern, std::span<const T> values) {
  // Row by row, the entries of column c come in the order of the entries of row c, which they must mirror.
  std::vector<std::int32_t> next(pattern.row_offsets.begin(), pattern.row_offsets.end() - 1);
  for (std::int32_t row = 0; row < pattern.rows(); ++row) {
    const auto end = static_cast<std::size_t>(pattern.row_offsets[static_cast<std::size_t>(row) + 1]);
    for (auto entry = static_cast<std::size_t>(pattern.row_offsets[static_cast<std::size_t>(row)]); entry < end; ++entry) {
      const auto column = static_cast<std::size_t>(pattern.columns[entry]);
      const auto mirror = static_cast<std::size_t>(next[column]++);
      if (mirror >= static_cast<std::size_t>(pattern.row_offsets[column + 1]) || pattern.columns[mirror] != row ||
          !(values[mirror] == conjugate_of(values[entry]))) {
        return false;
      }
    }
  }
  return true;
}

template <class T>
SolverChoice choose(const CsrPattern& pattern, std::span<const T> values) {
  pattern.validate();
  PHPC_VALIDATE(static_cast<index_t>(values.size()) == pattern.entries(), ErrorKind::usage,
                std::to_string(values.size()) + " values for a pattern of " + std::to_string(pattern.entries()) +
                    " entries; give one system's");
  const Structure structure = structure_of(pattern, values);
  const index_t rows = pattern.rows();
  const char* const kind = std::is_same_v<T, double> ? "symmetric" : "Hermitian";
  const double share = static_cast<double>(pattern.entries()) / (static_cast<double>(rows) * static_cast<double>(rows));
  if (structure.full_diagonal && !structure.has_upper) {
    return {"lower", "none", "no entry is above the diagonal"};
  }
  if (structure.full_diagonal && !structure.has_lower) {
    return {"upper", "none", "no entry is below the diagonal"};
  }
  if (!structure.has_wide && structure.full_diagonal && structure.dominant) {
    return {"tridiagonal", "none", "every entry is on the three diagonals in the middle, the middle one outweighs the others"};
  }
  if (rows <= small_rows) {
    return {"lu", "none", "the systems are small, " + std::to_string(rows) + " rows"};
  }
  if (share >= dense_share && rows <= most_dense_rows) {
    return {"lu", "none", std::to_string(std::lround(100 * share)) + " % of all places are entries"};
  }
  if (structure.positive_diagonal && is_symmetric(pattern, values)) {
    return {"cg", "jacobi", std::string("the matrix is ") + kind + " with a positive diagonal"};
  }
  if (!structure.full_diagonal) {
    const bool direct = rows <= most_direct_rows;
    return {direct ? "lu" : "gmres", "none", "the diagonal holds zeros"};
  }
  return {"bicgstab", "jacobi", std::string("the matrix is sparse and not ") + kind + " with a positive diagonal"};
}

}  // namespace

SolverChoice choose_solver(const CsrPattern& pattern, std::span<const double> values) {
  return choose(pattern, values);
}

SolverChoice choose_solver(const CsrPattern& pattern, std::span<const Complex<double>> values) {
  return choose(pattern, values);
}

}  // namespace phpc::batch
