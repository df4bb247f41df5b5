#pragma once
#include "batch/math/small_matrix.hpp"
#include "batch/precond/pattern_tables.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

/// Incomplete sparse approximate inverse: M^-1 = W, with A's pattern and a full diagonal, such that W A = I on that pattern
/// (Anzt, Huckle, Brackle and Dongarra 2018). Row i of W solves a dense system of as many unknowns as the row has entries, the
/// transpose of A restricted to their rows and columns; a row whose system is singular is preconditioned by scalar Jacobi. Of use
/// for sparse rows: the work is the sum of the cubes of their numbers of entries.
template <class Context>
class Isai {
 public:
  using Value = typename Context::Value;
  using Vector = typename Context::Vector;

  /// Values for the result of team_apply, W, and the dense systems that are solved at a time, each with its right-hand side.
  static index_t workspace_size(index_t rows, index_t /*entries*/, const std::int32_t* table) {
    const IsaiTable pattern(table, rows);
    return rows + pattern.row_offsets[rows] + at_once(pattern) * index_t{pattern.order} * (pattern.order + 1);
  }

  [[gnu::always_inline]] explicit Isai(const Context& context)
      : rows_(context.matrix().rows),
        pattern_(context.table(), rows_),
        result_(context.preparation(0)),
        inverse_(context.factors_or(result_ + rows_)),
        systems_(inverse_ + pattern_.row_offsets[rows_]) {}

  [[gnu::always_inline]] void team_prepare(Context& context) const {
    const int together = at_once(pattern_);
    for (int first = 0; first < rows_; first += together) {
      team_invert_rows(context, first, rows_ - first < together ? rows_ - first : together);
    }
  }

  [[gnu::always_inline]] void team_apply(Context& context, const Vector& r) const {
    context.barrier();
    for (const int i : context.my_rows()) {
      Value sum{};
      for (std::int32_t entry = pattern_.row_offsets[i]; entry < pattern_.row_offsets[i + 1]; ++entry) {
        sum += inverse_[entry] * r[pattern_.columns[entry]];
      }
      result_[i] = sum;
    }
    context.barrier();
  }

 private:
  /// Rows whose dense systems are solved at a time; one on a thread with packs.
  [[nodiscard, gnu::always_inline]] static int at_once(const IsaiTable& pattern) {
    return Context::is_one_thread ? 1 : pattern.at_once;
  }

  [[nodiscard, gnu::always_inline]] SmallMatrix<Value> system(int number) const {
    return {systems_ + index_t{number} * pattern_.order * (pattern_.order + 1), pattern_.order + 1, 1};
  }
  [[nodiscard, gnu::always_inline]] int order_of(int row) const {
    return pattern_.row_offsets[row + 1] - pattern_.row_offsets[row];
  }

  /// Calls each(number, row, place) once for every place of the `count` rows from `first` on, which the team's threads share.
  template <class Each>
  [[gnu::always_inline]] void team_for_places(Context& context, int first, int count, Each each) const {
    for (const int item : context.my_share(count * pattern_.order)) {
      const int number = item / pattern_.order;
      const int place = item % pattern_.order;
      if (place < order_of(first + number)) {
        each(number, first + number, place);
      }
    }
    context.barrier();
  }

  [[gnu::always_inline]] void team_invert_rows(Context& context, int first, int count) const {
    team_for_places(context, first, count, [&](int number, int row, int place) { gather(context, system(number), row, place); });
    for (int step = 0; step < pattern_.order; ++step) {
      for (const int number : context.my_share(count)) {
        const int order = order_of(first + number);
        if (step < order) {
          const SmallMatrix<Value> a = system(number);
          a.thread_exchange_rows(step, a.thread_pivot_row(step, order), step, order + 1);
          const Value scale = ScalarOf<Value>{1} / a.at(step, step);
          for (int j = step + 1; j <= order; ++j) {
            a.at(step, j) *= scale;
          }
        }
      }
      context.barrier();
      team_for_places(context, first, count, [&](int number, int row, int place) {
        const SmallMatrix<Value> a = system(number);
        if (place != step && step < order_of(row)) {
          a.thread_subtract(place, step, a.at(place, step), step + 1, order_of(row) + 1);
        }
      });
    }
    team_for_places(context, first, count,
                    [&](int number, int row, int place) { store_element(context, system(number), row, place); });
  }

  /// Column `place` of the system of a row: A's row of that column where the pattern has it; and its right-hand side.
  [[gnu::always_inline]] void gather(const Context& context, const SmallMatrix<Value>& a, int row, int place) const {
    const auto& matrix = context.matrix();
    const int order = order_of(row);
    const std::int32_t* const columns = pattern_.columns + pattern_.row_offsets[row];
    std::int32_t entry = matrix.row_offsets[columns[place]];
    const std::int32_t last = matrix.row_offsets[columns[place] + 1];
    for (int i = 0; i < order; ++i) {
      while (entry < last && matrix.columns[entry] < columns[i]) {
        ++entry;
      }
      a.at(i, place) = entry < last && matrix.columns[entry] == columns[i] ? matrix.values[entry] : Value{};
    }
    a.at(place, order) = broadcast<Value>(place == pattern_.units[row] ? 1 : 0);
  }

  /// Stores one element of W: of the solution, or of scalar Jacobi where the solution is not finite.
  [[gnu::always_inline]] void store_element(Context& context, const SmallMatrix<Value>& a, int row, int place) const {
    const int order = order_of(row);
    RealOf<Value> size{};
    for (int i = 0; i < order; ++i) {
      size += magnitude(a.at(i, order));
    }
    const MaskOf<Value> whole = finite(size);
    Value element = a.at(place, order);
    if (context.any(mask_not(whole))) {
      element = select(whole, element, place == pattern_.units[row] ? inverse_or_one(context.diagonal(row)) : Value{});
    }
    inverse_[pattern_.row_offsets[row] + place] = element;
  }

  int rows_;
  IsaiTable pattern_;
  Vector result_;
  Value* inverse_;  ///< of each entry of the pattern
  Value* systems_;  ///< (number, row, column)
};

}  // namespace phpc::batch
