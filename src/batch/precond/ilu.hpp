#pragma once
#include "batch/precond/ilu_factors.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

/// ILU(0): M = L D U, applied by substitution; in a team by steps, each of all rows that need nothing of one another.
template <class Space>
class Ilu {
 public:
  using Value = typename Space::Value;
  using Vector = typename Space::Vector;

  /// The result of apply and the factors.
  static index_t need(index_t rows, index_t entries, const std::int32_t* /*table*/) {
    return rows + IluFactors<Space>::need(rows, entries);
  }

  [[gnu::always_inline]] explicit Ilu(const Space& space)
      : result_(space.preparation(0)), factors_(space, space.factors_or(space.preparation(1))) {}

  [[gnu::always_inline]] void prepare(Space& space) const { factors_.factorise(space); }

  [[gnu::always_inline]] void apply(Space& space, const Vector& r) const {
    space.barrier();
    if constexpr (Space::alone) {
      substitute(space, r);
    } else {
      for (const int i : space.own()) {
        result_[i] = r[i];
      }
      space.barrier();
      substitute_by_steps(space, factors_.table().lower);
      for (const int i : space.own()) {
        result_[i] *= factors_.inverse_pivot(i);
      }
      space.barrier();
      substitute_by_steps(space, factors_.table().upper);
    }
  }

 private:
  /// Row after row.
  [[gnu::always_inline]] void substitute(const Space& space, const Vector& r) const {
    const auto& matrix = space.matrix();
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

  [[gnu::always_inline]] void substitute_by_steps(const Space& space, const TriangleSchedule& schedule) const {
    const auto& matrix = space.matrix();
    for (std::int32_t step = 0; step < schedule.steps; ++step) {
      schedule.for_items(step, space.team().rank(), space.team().size(),
                         [&](int row, const std::int32_t* first, const std::int32_t* last) {
                           Value known{};
                           for (; first != last; ++first) {
                             known += factors_.values()[*first] * result_[matrix.columns[*first]];
                           }
                           result_[row] -= known;
                         });
      space.barrier();
    }
  }

  Vector result_;
  IluFactors<Space> factors_;
};

}  // namespace phpc::batch
