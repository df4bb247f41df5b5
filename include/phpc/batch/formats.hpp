#pragma once
#include <span>
#include <vector>

#include "phpc/batch/matrix.hpp"

/// Batches of matrices in other formats, and their exact conversions to and from CsrBatch: no value is changed, NaN and signed
/// zeros included. How values lie on a device is another matter: storage.hpp.
namespace phpc::batch {

/// Dense matrices, `values` (sets, rows, rows), row-major.
template <class T>
struct DenseBatch {
  index_t rows = 0;
  std::vector<T> values;

  [[nodiscard]] index_t sets() const { return rows > 0 ? static_cast<index_t>(values.size()) / (rows * rows) : 0; }
};

/// What a dense matrix's pattern in CSR has.
enum class Zeros {
  kept,    ///< every element: one pattern for whatever the values are
  dropped  ///< elements that are not zero in at least one matrix of the batch
};

/// Rows of `width` entries at most, as Ginkgo and SciPy's ancestors store them: element k of row i at k * rows + i.
template <class T>
struct EllBatch {
  index_t rows = 0;
  index_t width = 0;
  /// (width, rows): ascending within a row; no_column where a row has fewer entries, after them.
  std::vector<std::int32_t> columns;
  std::vector<T> values;  ///< (sets, width, rows); what lies at no_column is not looked at, and 0 when made here

  static constexpr std::int32_t no_column = -1;
  [[nodiscard]] index_t sets() const { return width * rows > 0 ? static_cast<index_t>(values.size()) / (width * rows) : 0; }
};

/// Bands as LAPACK stores them, by diagonals: A(i, j) at row upper + i - j, column j of (lower + upper + 1, rows), row-major.
/// Tridiagonal matrices are those of lower = upper = 1.
template <class T>
struct BandBatch {
  index_t rows = 0;
  index_t lower = 0;      ///< diagonals below the main one
  index_t upper = 0;      ///< diagonals above it
  std::vector<T> values;  ///< (sets, lower + upper + 1, rows); places outside the matrix are not looked at, and 0 when made here

  [[nodiscard]] index_t diagonals() const { return lower + upper + 1; }
  [[nodiscard]] index_t sets() const { return rows > 0 ? static_cast<index_t>(values.size()) / (diagonals() * rows) : 0; }
};

/// To CSR, a system for each set of values. Throw Error(input) for values that are no whole number of sets, sizes that are none,
/// and columns that do not ascend or lie outside the matrix.
template <class T>
CsrBatch<T> to_csr(const DenseBatch<T>& batch, Zeros zeros = Zeros::kept);
template <class T>
CsrBatch<T> to_csr(const EllBatch<T>& batch);
template <class T>
CsrBatch<T> to_csr(const BandBatch<T>& batch);

/// From CSR, every set of values once. to_dense throws Error(memory) for more than 2^40 values.
template <class T>
DenseBatch<T> to_dense(const CsrBatch<T>& batch);
template <class T>
EllBatch<T> to_ell(const CsrBatch<T>& batch);
/// The narrowest band that holds the pattern.
template <class T>
BandBatch<T> to_band(const CsrBatch<T>& batch);
/// Throws Error(input) for a pattern with entries outside the band.
template <class T>
BandBatch<T> to_band(const CsrBatch<T>& batch, index_t lower, index_t upper);

/// Tridiagonal systems from their diagonals, each (sets, rows): lower[0] and upper[rows - 1] of each set are not looked at.
/// Throws Error(input) for sizes that differ or are no whole number of sets.
template <class T>
BandBatch<T> tridiagonal_batch(index_t rows, std::span<const T> lower, std::span<const T> middle, std::span<const T> upper);

}  // namespace phpc::batch
