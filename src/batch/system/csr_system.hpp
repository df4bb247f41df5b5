#pragma once
#include <cstdint>

#include "batch/math/product_sums.hpp"
#include "batch/math/value.hpp"

namespace phpc::batch {

/// The matrix of one system (of one a lane, where Value is a pack) in CSR.
template <class Value>
struct CsrSystem {
  std::int32_t rows;
  std::int32_t entries;
  const std::int32_t* row_offsets;
  const std::int32_t* columns;
  const Value* values;

  /// Row `row` of A times x.
  [[nodiscard, gnu::always_inline]] Value row_times(std::int32_t row, const Value* x) const {
    const std::int32_t begin = row_offsets[row];
    const std::int32_t end = row_offsets[row + 1];
    if constexpr (lanes<Value> > 1) {
      // Rows of a 3-point stencil, without a loop: the branch at the end of so short a loop is often mispredicted, which took a
      // fifth of BiCGSTAB's time.
      if (end - begin == 3) {
        return values[begin] * x[columns[begin]] + values[begin + 1] * x[columns[begin + 1]] +
               values[begin + 2] * x[columns[begin + 2]];
      }
    }
    Value sum{};
    for (std::int32_t entry = begin; entry < end; ++entry) {
      sum += values[entry] * x[columns[entry]];
    }
    return sum;
  }

  /// Row `row` of A times x, by a Sum of product_sums.hpp.
  template <class Sum>
  [[nodiscard, gnu::always_inline]] Sum row_sum(std::int32_t row, const Value* x) const {
    Sum sum;
    for (std::int32_t entry = row_offsets[row]; entry < row_offsets[row + 1]; ++entry) {
      sum.add_product(values[entry], x[columns[entry]]);
    }
    return sum;
  }

  /// A's diagonal element of `row`; 0 when the pattern has none.
  [[nodiscard, gnu::always_inline]] Value diagonal(std::int32_t row) const {
    Value value{};
    for (std::int32_t entry = row_offsets[row]; entry < row_offsets[row + 1]; ++entry) {
      if (columns[entry] == row) {
        value = values[entry];
      }
    }
    return value;
  }
};

}  // namespace phpc::batch
