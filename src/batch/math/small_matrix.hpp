#pragma once
#include "batch/math/value.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

/// A small dense matrix in memory (one a lane, where Value is a pack), with the steps of Gauss-Jordan elimination that one thread
/// does.
template <class Value>
struct SmallMatrix {
  Value* data;
  index_t row_stride;
  index_t column_stride;

  [[nodiscard, gnu::always_inline]] Value& at(int row, int column) const {
    return data[row * row_stride + column * column_stride];
  }

  /// The row of the largest element of column `step` among rows `step` ... rows - 1, lane by lane.
  [[nodiscard, gnu::always_inline]] CountOf<Value> thread_pivot_row(int step, int rows) const {
    RealOf<Value> largest = magnitude(at(step, step));
    CountOf<Value> row = CountOf<Value>{} + step;
    for (int i = step + 1; i < rows; ++i) {
      const RealOf<Value> size = magnitude(at(i, step));
      const MaskOf<Value> larger = size > largest;
      largest = select(larger, size, largest);
      assign(row, larger, i);
    }
    return row;
  }

  /// Exchanges the elements place(one) and place(other), where `other` differs from lane to lane.
  template <class Place>
  [[gnu::always_inline]] static void thread_exchange(int one, CountOf<Value> other, Place place) {
    for (int lane = 0; lane < lanes<Value>; ++lane) {
      const auto from = static_cast<int>(lane_of(other, lane));
      if (from != one) {
        exchange_lane(place(one), place(from), lane);
      }
    }
  }
  [[gnu::always_inline]] void thread_exchange_rows(int row, CountOf<Value> other, int first_column, int columns) const {
    for (int j = first_column; j < columns; ++j) {
      thread_exchange(row, other, [&](int i) -> Value& { return at(i, j); });
    }
  }

  /// row i -= factor * row k, in columns from first_column on.
  [[gnu::always_inline]] void thread_subtract(int i, int k, Value factor, int first_column, int columns) const {
    for (int j = first_column; j < columns; ++j) {
      at(i, j) -= factor * at(k, j);
    }
  }
};

/// 1 / value, or 1 where that is no number: a row without a pivot is not preconditioned.
template <class Value>
[[nodiscard, gnu::always_inline]] inline Value inverse_or_one(Value value) {
  const Value inverse = ScalarOf<Value>{1} / value;
  return select(finite(inverse), inverse, broadcast<Value>(1));
}

}  // namespace phpc::batch
