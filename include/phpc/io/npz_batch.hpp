#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::io {

/// A batch of linear systems in a NumPy .npz archive: a matrix as scipy.sparse.save_npz writes it, in compressed sparse rows or
/// columns (`indptr`, `indices`, `data`, `shape`, `format`) or as coordinates (`row`, `col` instead), with two arrays more that
/// it may have:
///   values  (sets, entries): the matrices of the batch, entries in the order of `data`; without it `data` is the one set
///   rhs     (systems, rows), or (rows): right-hand sides; or (systems, rows, columns): several of each system
/// `format` may be absent (then rows are compressed), and `shape` but for coordinates. Or a batch in ELL, where all rows have as
/// many places for entries:
///   columns  (width, rows): of each place the column, or -1 for none, in any order
///   values   (sets, width, rows), or (width, rows); what lies at -1 is not looked at
///   rhs      as above; `format` "ell", if it is there
/// Arrays are of integers, float32, float64, complex64 or complex128 in either byte order, stored or deflated. They are read when
/// they are asked for; what is stored can be begun anywhere, what is deflated is read from its beginning.
class NpzBatch {
 public:
  /// Reads the pattern. Throws Error(input) for what is no such archive, a matrix that is not square, has no rows or lists an
  /// entry twice, and arrays whose sizes do not fit together or that contradict the archive's; Error(io) for what cannot be read.
  explicit NpzBatch(const std::string& path);
  ~NpzBatch();
  NpzBatch(const NpzBatch&) = delete;
  NpzBatch& operator=(const NpzBatch&) = delete;

  [[nodiscard]] index_t rows() const { return static_cast<index_t>(row_offsets_.size()) - 1; }
  [[nodiscard]] index_t entries() const { return static_cast<index_t>(column_indices_.size()); }
  /// 0-based; columns ascend within a row, whatever their order in the file.
  [[nodiscard]] const std::vector<std::int32_t>& row_offsets() const { return row_offsets_; }
  [[nodiscard]] const std::vector<std::int32_t>& column_indices() const { return column_indices_; }
  /// Sets of values, whether the archive has right-hand sides, of how many systems, and how many each has.
  [[nodiscard]] index_t value_sets() const { return value_sets_; }
  [[nodiscard]] bool has_rhs() const { return rhs_ != nullptr; }
  [[nodiscard]] index_t rhs_sets() const { return rhs_sets_; }
  [[nodiscard]] index_t rhs_columns() const { return rhs_columns_; }
  /// Of complex numbers two values each are read.
  [[nodiscard]] bool has_complex_values() const;
  [[nodiscard]] bool has_complex_rhs() const;

  /// Sets from `first` on, as many as `values`, of shape (sets, entries), holds. Throws Error(input) when the archive is damaged.
  void read_values(index_t first, std::span<double> values);
  /// The same of right-hand sides, of shape (systems, rows, columns).
  void read_rhs(index_t first, std::span<double> rhs);

 private:
  class Array;

  enum class Compressed { rows, columns };

  void read_pattern(const std::string& path);
  void read_compressed(const std::string& path, const std::vector<std::int32_t>& shape, Compressed compressed);
  void read_coordinates(const std::string& path, const std::vector<std::int32_t>& shape);
  void read_ell(const std::string& path, const std::vector<std::int32_t>& shape);
  /// Offsets of the rows, and the entries' order by rows, from the row of each entry, or -1 for what is none.
  void order_by_rows(const std::string& path, std::span<const std::int32_t> row_of, std::int32_t rows);
  void sort_columns(const std::string& path);

  std::vector<std::int32_t> row_offsets_;
  std::vector<std::int32_t> column_indices_;
  std::vector<std::int32_t> order_;  ///< of each entry its place in the file; empty where the file has them in order
  std::vector<index_t> set_shape_;   ///< of a set of values in the file: (entries), or of ELL (width, rows)
  index_t value_sets_ = 1;
  index_t rhs_sets_ = 0;
  index_t rhs_columns_ = 1;
  std::unique_ptr<Array> values_;
  std::unique_ptr<Array> rhs_;
};

}  // namespace phpc::io
