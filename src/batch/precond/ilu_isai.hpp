#pragma once
#include "batch/precond/ilu_factors.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

/// ILU(0) applied without substitution, by products with incomplete sparse approximate inverses of the factors: W_L and W_U have
/// the patterns of L and U, and W_L L = I and W_U U = I on them (Anzt, Huckle, Brackle and Dongarra 2018). An iteration reduces
/// the residual less than with ILU(0), but has no steps that wait for one another.
template <class Context>
class IluIsai {
 public:
  using Value = typename Context::Value;
  using Vector = typename Context::Vector;

  /// Values for the result of team_apply, the vector between its two products, the inverses and the factors.
  static index_t workspace_size(index_t rows, index_t entries, const std::int32_t* /*table*/) {
    return 2 * rows + entries + IluFactors<Context>::workspace_size(rows, entries);
  }

  [[gnu::always_inline]] explicit IluIsai(const Context& context)
      : result_(context.preparation(0)),
        between_(context.preparation(1)),
        inverses_(context.factors_or(context.preparation(2))),
        factors_(context, inverses_ + context.matrix().entries) {}

  [[gnu::always_inline]] void team_prepare(Context& context) const {
    factors_.team_factorise(context);
    for (const int i : context.my_rows()) {
      invert_row(context, i);
    }
    context.barrier();
  }

  [[gnu::always_inline]] void team_apply(Context& context, const Vector& r) const {
    const auto& matrix = context.matrix();
    const IluTable& table = factors_.table();
    context.barrier();
    for (const int i : context.my_rows()) {
      const Value sum = r[i] + product(matrix.columns, matrix.row_offsets[i], table.lower_end[i], r);
      between_[i] = sum * factors_.inverse_pivot(i);
    }
    context.barrier();
    for (const int i : context.my_rows()) {
      result_[i] = between_[i] + product(matrix.columns, table.upper_begin[i], matrix.row_offsets[i + 1], between_);
    }
    context.barrier();
  }

 private:
  /// Makes row i of both inverses, without their ones on the diagonal: solves w L = e_i on the row's pattern from its last column
  /// to its first, and w U = e_i from its first to its last.
  [[gnu::always_inline]] void invert_row(const Context& context, int i) const {
    const auto& matrix = context.matrix();
    const IluTable& table = factors_.table();
    const Value* const factors = factors_.values();
    for (std::int32_t entry = matrix.row_offsets[i]; entry < matrix.row_offsets[i + 1]; ++entry) {
      inverses_[entry] = -factors[entry];
    }
    for (std::int32_t entry = table.lower_end[i]; entry-- > matrix.row_offsets[i];) {
      const std::int32_t row = matrix.columns[entry];
      thread_subtract_row(matrix.columns, inverses_[entry], factors, matrix.row_offsets[row], table.lower_end[row], inverses_,
                          matrix.row_offsets[i], entry);
    }
    for (std::int32_t entry = table.upper_begin[i]; entry < matrix.row_offsets[i + 1]; ++entry) {
      const std::int32_t row = matrix.columns[entry];
      thread_subtract_row(matrix.columns, inverses_[entry], factors, table.upper_begin[row], matrix.row_offsets[row + 1],
                          inverses_, entry + 1, matrix.row_offsets[i + 1]);
    }
  }

  [[nodiscard, gnu::always_inline]] Value product(const std::int32_t* columns, std::int32_t first, std::int32_t last,
                                                  const Vector& vector) const {
    Value sum{};
    for (std::int32_t entry = first; entry < last; ++entry) {
      sum += inverses_[entry] * vector[columns[entry]];
    }
    return sum;
  }

  Vector result_;
  Vector between_;
  Value* inverses_;  ///< W_L left of the diagonal of A's pattern, W_U right of it
  IluFactors<Context> factors_;
};

}  // namespace phpc::batch
