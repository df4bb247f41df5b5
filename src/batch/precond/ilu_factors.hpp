#pragma once
#include "batch/math/small_matrix.hpp"
#include "batch/precond/pattern_tables.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

/// target -= factor * source in the columns that two rows of a pattern, entries [first, last) each, have in common; by one
/// thread.
template <class Value>
[[gnu::always_inline]] inline void thread_subtract_row(const std::int32_t* columns, Value factor, const Value* source,
                                                       std::int32_t source_first, std::int32_t source_last, Value* target,
                                                       std::int32_t target_first, std::int32_t target_last) {
  while (source_first < source_last && target_first < target_last) {
    const std::int32_t from = columns[source_first];
    const std::int32_t to = columns[target_first];
    if (from == to) {
      target[target_first] -= factor * source[source_first];
    }
    source_first += from <= to ? 1 : 0;
    target_first += to <= from ? 1 : 0;
  }
}

/// The incomplete factors without fill, A ~ L D U with units on the diagonals of L and U (Saad, Iterative Methods, section 10.3):
/// L below the diagonal of A's pattern, U above it, and D^-1 on its own. A zero pivot, or one that the pattern lacks, counts
/// as 1.
template <class Context>
class IluFactors {
 public:
  using Value = typename Context::Value;

  static index_t workspace_size(index_t rows, index_t entries) { return rows + entries; }

  /// Factors that lie, or will be made, at `memory`.
  [[gnu::always_inline]] IluFactors(const Context& context, Value* memory)
      : table_(context.table(), context.matrix().rows), inverse_(memory), factors_(memory + context.matrix().rows) {}

  /// Factorises. All threads of the team may read all factors afterwards.
  [[gnu::always_inline]] void team_factorise(Context& context) const {
    const auto& matrix = context.matrix();
    for (const int entry : context.my_share(matrix.entries)) {
      factors_[entry] = matrix.values[entry];
    }
    context.barrier();
    if constexpr (Context::is_one_thread) {
      for (int i = 0; i < matrix.rows; ++i) {
        for (std::int32_t entry = matrix.row_offsets[i]; entry < table_.lower_end[i]; ++entry) {
          thread_eliminate(context, i, entry, inverse_[matrix.columns[entry]]);
        }
        inverse_[i] = pivot_inverse(i);
      }
    } else {
      for (std::int32_t step = 0; step < table_.lower.steps; ++step) {
        table_.lower.for_items(step, context.team().rank(), context.team().size(),
                               [&](int row, const std::int32_t* first, const std::int32_t* last) {
                                 for (; first != last; ++first) {
                                   thread_eliminate(context, row, *first, pivot_inverse(matrix.columns[*first]));
                                 }
                               });
        context.barrier();
      }
      for (const int i : context.my_rows()) {
        inverse_[i] = pivot_inverse(i);
      }
      context.barrier();
    }
    for (const int i : context.my_rows()) {
      for (std::int32_t entry = table_.upper_begin[i]; entry < matrix.row_offsets[i + 1]; ++entry) {
        factors_[entry] *= inverse_[i];
      }
    }
    context.barrier();
  }

  [[nodiscard, gnu::always_inline]] const IluTable& table() const { return table_; }
  [[nodiscard, gnu::always_inline]] const Value* values() const { return factors_; }
  [[nodiscard, gnu::always_inline]] Value inverse_pivot(int row) const { return inverse_[row]; }

 private:
  [[nodiscard, gnu::always_inline]] Value pivot_inverse(int row) const {
    const std::int32_t place = table_.lower_end[row];
    return place < table_.upper_begin[row] ? inverse_or_one(factors_[place]) : broadcast<Value>(1);
  }

  /// Eliminates one entry left of the diagonal, given the inverse pivot of its column; by one thread.
  [[gnu::always_inline]] void thread_eliminate(const Context& context, int row, std::int32_t entry, Value inverse) const {
    const auto& matrix = context.matrix();
    const std::int32_t column = matrix.columns[entry];
    const Value factor = factors_[entry] * inverse;
    factors_[entry] = factor;
    thread_subtract_row(matrix.columns, factor, factors_, table_.upper_begin[column], matrix.row_offsets[column + 1], factors_,
                        entry + 1, matrix.row_offsets[row + 1]);
  }

  IluTable table_;
  Value* inverse_;
  Value* factors_;
};

}  // namespace phpc::batch
