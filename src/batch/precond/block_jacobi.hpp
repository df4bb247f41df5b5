#pragma once
#include "batch/math/small_matrix.hpp"
#include "batch/precond/pattern_tables.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

/// Block Jacobi: M is the block diagonal of A, with blocks of Options::block_size rows, the last one of those left. Blocks are
/// inverted in place by Gauss-Jordan elimination with row exchanges (Higham, Accuracy and Stability, section 14.4). Rows of a
/// singular block are preconditioned by scalar Jacobi.
template <class Context>
class BlockJacobi {
 public:
  using Value = typename Context::Value;
  using Vector = typename Context::Vector;

  /// Values for the result of team_apply and the inverse blocks.
  static index_t workspace_size(index_t rows, index_t /*entries*/, const std::int32_t* table) {
    return rows * (index_t{block_size(table)} + 1);
  }

  [[gnu::always_inline]] explicit BlockJacobi(const Context& context)
      : rows_(context.matrix().rows),
        size_(block_size(context.table())),
        result_(context.preparation(0)),
        inverse_(context.factors_or(result_ + rows_)),
        pivots_(reinterpret_cast<CountOf<Value>*>(result_)) {}

  [[gnu::always_inline]] void team_prepare(Context& context) const {
    team_gather(context);
    for (int step = 0; step < size_; ++step) {
      team_eliminate(context, step);
    }
    for (const int i : context.my_rows()) {
      restore_row(context, i);
    }
    context.barrier();
  }

  [[gnu::always_inline]] void team_apply(Context& context, const Vector& r) const {
    context.barrier();
    for (const int i : context.my_rows()) {
      const int first = i - i % size_;
      const int order = order_of(first);
      const SmallMatrix<Value> block = block_at(first);
      Value sum{};
      for (int j = 0; j < order; ++j) {
        sum += block.at(i - first, j) * r[first + j];
      }
      result_[i] = sum;
    }
    context.barrier();
  }

 private:
  [[nodiscard, gnu::always_inline]] int order_of(int first) const { return rows_ - first < size_ ? rows_ - first : size_; }
  /// The block that begins at row `first`: all blocks by columns in a team, whose threads have a row each; each block by rows on
  /// a thread with packs.
  [[nodiscard, gnu::always_inline]] SmallMatrix<Value> block_at(int first) const {
    if constexpr (Context::is_one_thread) {
      return {inverse_ + index_t{first} * size_, size_, 1};
    }
    return {inverse_ + first, 1, rows_};
  }

  [[gnu::always_inline]] void team_gather(Context& context) const {
    const auto& matrix = context.matrix();
    for (const int i : context.my_rows()) {
      const int first = i - i % size_;
      const SmallMatrix<Value> block = block_at(first);
      for (int j = 0; j < size_; ++j) {
        block.at(i - first, j) = Value{};
      }
      for (std::int32_t entry = matrix.row_offsets[i]; entry < matrix.row_offsets[i + 1]; ++entry) {
        const std::int32_t column = matrix.columns[entry];
        if (column >= first && column < first + size_) {
          block.at(i - first, column - first) = matrix.values[entry];
        }
      }
    }
    context.barrier();
  }

  /// One step of elimination in all blocks: first a thread for the pivot's row of each block, then a thread for each other row.
  [[gnu::always_inline]] void team_eliminate(Context& context, int step) const {
    for (const int number : context.my_share((rows_ + size_ - 1) / size_)) {
      const int first = number * size_;
      const int order = order_of(first);
      if (step < order) {
        const SmallMatrix<Value> block = block_at(first);
        const CountOf<Value> pivot = block.thread_pivot_row(step, order);
        pivots_[first + step] = pivot;
        block.thread_exchange_rows(step, pivot, 0, order);
        const Value scale = ScalarOf<Value>{1} / block.at(step, step);
        block.at(step, step) = broadcast<Value>(1);
        for (int j = 0; j < order; ++j) {
          block.at(step, j) *= scale;
        }
      }
    }
    context.barrier();
    for (const int i : context.my_rows()) {
      const int first = i - i % size_;
      const int order = order_of(first);
      if (i - first != step && step < order) {
        const SmallMatrix<Value> block = block_at(first);
        const Value factor = block.at(i - first, step);
        block.at(i - first, step) = Value{};
        block.thread_subtract(i - first, step, factor, 0, order);
      }
    }
    context.barrier();
  }

  /// Undoes the row exchanges in the columns of row i of an inverse, and replaces the row where the block is singular.
  [[gnu::always_inline]] void restore_row(Context& context, int i) const {
    const int first = i - i % size_;
    const int order = order_of(first);
    const SmallMatrix<Value> block = block_at(first);
    RealOf<Value> size{};
    for (int step = order - 1; step >= 0; --step) {
      SmallMatrix<Value>::thread_exchange(step, pivots_[first + step], [&](int j) -> Value& { return block.at(i - first, j); });
    }
    for (int j = 0; j < order; ++j) {
      size += magnitude(block.at(i - first, j));
    }
    const MaskOf<Value> whole = finite(size);
    if (context.any(mask_not(whole))) {
      const Value diagonal = inverse_or_one(context.diagonal(i));
      for (int j = 0; j < order; ++j) {
        Value& element = block.at(i - first, j);
        element = select(whole, element, first + j == i ? diagonal : Value{});
      }
    }
  }

  int rows_;
  int size_;
  Vector result_;
  Vector inverse_;
  CountOf<Value>* pivots_;  ///< of each step; they lie where the result will
};

}  // namespace phpc::batch
