#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::io {

/// Which elements of dense matrices are entries of a batch's pattern.
enum class DenseZeros {
  dropped,  ///< those that are not zero in one matrix at least
  kept,     ///< all
};

/// A batch of dense matrices in a .npy file of real or complex numbers, of shape (systems, rows, rows), or (rows, rows): one.
/// Only values of the pattern are given out, and they are read when they are asked for. In an array in Fortran order each reading
/// goes through the file once for 128 MiB.
class NpyBatch {
 public:
  /// Works out the pattern, for which the matrices are read until it is full. Throws Error(input) for what is no such array, is
  /// cut short, or has as many elements a matrix as a pattern cannot; Error(io) for what cannot be read.
  NpyBatch(std::string path, DenseZeros zeros);

  [[nodiscard]] index_t rows() const { return rows_; }
  [[nodiscard]] index_t entries() const { return static_cast<index_t>(column_indices_.size()); }
  [[nodiscard]] index_t systems() const { return systems_; }
  /// Of complex numbers two values each are read.
  [[nodiscard]] bool is_complex() const { return words_ == 2; }
  /// CSR, 0-based, columns ascending within a row.
  [[nodiscard]] const std::vector<std::int32_t>& row_offsets() const { return row_offsets_; }
  [[nodiscard]] const std::vector<std::int32_t>& column_indices() const { return column_indices_; }

  /// The values of systems from `first` on, as many as `values`, of shape (systems, entries), holds.
  void read_values(index_t first, std::span<double> values) const;

 private:
  [[nodiscard]] index_t places() const { return rows_ * rows_; }
  /// Calls visit(block) for blocks of whole matrices, `count` from `first` on, as long as it returns true.
  template <class Visit>
  void for_each_block(index_t first, index_t count, Visit visit) const;
  /// Which places of a matrix are entries.
  [[nodiscard]] std::vector<char> find_entries() const;
  void make_pattern(const std::vector<char>& is_entry);

  std::string path_;
  index_t systems_ = 1;
  index_t rows_ = 0;
  index_t words_ = 1;  ///< values that an element is
  index_t block_ = 1;  ///< matrices that are read at a time
  std::vector<std::int32_t> row_offsets_;
  std::vector<std::int32_t> column_indices_;
};

}  // namespace phpc::io
