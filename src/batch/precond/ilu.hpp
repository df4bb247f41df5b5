#pragma once
#include "batch/precond/ilu_factors.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

/// ILU(0): M = L D U, applied by substitution; in a team by steps, each of rows that do not depend on one another.
template <class Context>
class Ilu {
 public:
  using Value = typename Context::Value;
  using Vector = typename Context::Vector;

  /// Values for the result of team_apply and the factors.
  static index_t workspace_size(index_t rows, index_t entries, const std::int32_t* /*table*/) {
    return rows + IluFactors<Context>::workspace_size(rows, entries);
  }

  [[gnu::always_inline]] explicit Ilu(const Context& context)
      : result_(context.preparation(0)), factors_(context, context.factors_or(context.preparation(1))) {}

  [[gnu::always_inline]] void team_prepare(Context& context) const { factors_.team_factorise(context); }

  [[gnu::always_inline]] void team_apply(Context& context, const Vector& r) const {
    context.barrier();
    if constexpr (Context::is_one_thread) {
      thread_substitute(context, r);
    } else {
      for (const int i : context.my_rows()) {
        result_[i] = r[i];
      }
      context.barrier();
      team_substitute_by_steps(context, factors_.table().lower);
      for (const int i : context.my_rows()) {
        result_[i] *= factors_.inverse_pivot(i);
      }
      context.barrier();
      team_substitute_by_steps(context, factors_.table().upper);
    }
  }

 private:
  /// Row after row.
  [[gnu::always_inline]] void thread_substitute(const Context& context, const Vector& r) const {
    const auto& matrix = context.matrix();
    const IluTable& table = factors_.table();
    for (int i = 0; i < matrix.rows; ++i) {
      result_[i] = r[i] - product(matrix.columns, matrix.row_offsets[i], table.lower_end[i]);
    }
    for (int i = matrix.rows - 1; i >= 0; --i) {
      result_[i] =
          result_[i] * factors_.inverse_pivot(i) - product(matrix.columns, table.upper_begin[i], matrix.row_offsets[i + 1]);
    }
  }
  /// Entries [first, last) times the result so far.
  [[nodiscard, gnu::always_inline]] Value product(const std::int32_t* columns, std::int32_t first, std::int32_t last) const {
    Value sum{};
    for (std::int32_t entry = first; entry < last; ++entry) {
      sum += factors_.values()[entry] * result_[columns[entry]];
    }
    return sum;
  }

  [[gnu::always_inline]] void team_substitute_by_steps(const Context& context, const TriangleSchedule& schedule) const {
    const auto& matrix = context.matrix();
    for (std::int32_t step = 0; step < schedule.steps; ++step) {
      schedule.for_items(step, context.team().rank(), context.team().size(),
                         [&](int row, const std::int32_t* first, const std::int32_t* last) {
                           Value known{};
                           for (; first != last; ++first) {
                             known += factors_.values()[*first] * result_[matrix.columns[*first]];
                           }
                           result_[row] -= known;
                         });
      context.barrier();
    }
  }

  Vector result_;
  IluFactors<Context> factors_;
};

}  // namespace phpc::batch
