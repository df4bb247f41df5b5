#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::batch {

/// The sparsity pattern that all systems of a uniform batch share: square, compressed sparse rows, 0-based.
/// Rows and entries of one system are below 2^31; what counts over the whole batch is 64-bit.
struct CsrPattern {
  std::vector<std::int32_t> row_offsets;  ///< rows + 1 of them: entries of row i are [row_offsets[i], row_offsets[i + 1])
  std::vector<std::int32_t> columns;      ///< of each entry, ascending and without duplicates within a row

  [[nodiscard]] index_t rows() const { return static_cast<index_t>(row_offsets.size()) - 1; }
  [[nodiscard]] index_t entries() const { return static_cast<index_t>(columns.size()); }
  /// Throws Error(input) unless the arrays are a pattern as described above with at least one row.
  void validate() const;
};

/// A pattern's transpose, and where in the values of the original each of its entries stands.
struct TransposedPattern {
  CsrPattern pattern;
  std::vector<std::int32_t> order;  ///< (entries): entry e of the transpose is entry order[e] of the original
};

TransposedPattern transposed(const CsrPattern& pattern);

/// A batch of matrices as kernels see it; trivially copyable, owns nothing. System i has the values of set
/// (first_set + (first_repeat + i) / repeat) % value_sets: `repeat` right-hand sides in a row share a matrix.
template <class T>
struct CsrView {
  index_t systems;
  index_t value_sets;
  index_t first_set;
  std::int32_t rows;
  std::int32_t entries;
  const std::int32_t* row_offsets;  ///< rows + 1
  const std::int32_t* columns;      ///< entries
  const T* values;                  ///< (value_sets, entries), row-major
  std::int32_t repeat = 1;
  std::int32_t first_repeat = 0;

  [[nodiscard, gnu::always_inline]] index_t set_of(index_t system) const {
    return (first_set + (repeat == 1 ? system : (first_repeat + system) / repeat)) % value_sets;
  }
};

/// An owning uniform batch in host memory: one pattern, `value_sets()` sets of values, `systems()` systems. System i has the
/// values of set i % value_sets(): as many sets as systems is the usual batch, one set is one matrix with many right-hand
/// sides, and a few sets repeated make a large batch of a small one, without copies.
template <class T>
class CsrBatch {
 public:
  /// `values` has shape (sets, pattern.entries()), row-major; any values, NaN included, are taken. Throws Error(input) for a
  /// malformed pattern, values that are no whole number of sets, or systems without a set.
  CsrBatch(CsrPattern pattern, std::vector<T> values, index_t systems);
  /// One system a set of values.
  CsrBatch(CsrPattern pattern, std::vector<T> values);

  [[nodiscard]] const CsrPattern& pattern() const { return pattern_; }
  [[nodiscard]] index_t rows() const { return pattern_.rows(); }
  [[nodiscard]] index_t entries() const { return pattern_.entries(); }
  [[nodiscard]] index_t systems() const { return systems_; }
  [[nodiscard]] index_t value_sets() const { return value_sets_; }
  [[nodiscard]] std::span<const T> values() const { return values_; }
  /// Systems [begin, begin + count) where the batch lies in host memory.
  [[nodiscard]] CsrView<T> view(index_t begin, index_t count) const;

 private:
  CsrPattern pattern_;
  std::vector<T> values_;
  index_t value_sets_;
  index_t systems_;
};

extern template class CsrBatch<float>;
extern template class CsrBatch<double>;
extern template class CsrBatch<Complex<float>>;
extern template class CsrBatch<Complex<double>>;

}  // namespace phpc::batch
