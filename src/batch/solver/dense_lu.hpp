#pragma once
#include "batch/solver/cycle.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

/// LU with partial pivoting of the matrix as a dense one (Golub and Van Loan, Matrix Computations, section 3.4). The first cycle
/// factorises; each cycle, one iteration, solves with the factors, so that cycles after the first are steps of refinement.
struct DenseLu {
  static constexpr int vectors = 0;
  static constexpr bool preconditioned = false;
  static constexpr KernelSizes plain_kernels = KernelSizes::few;
  /// The factors, by columns; the inverse pivots; the pivots' rows, an integer for each lane.
  static index_t need(index_t rows) { return rows * (rows + 2); }
  static bool accepts(std::int32_t /*row*/, std::int32_t /*column*/) { return true; }

  template <class Space, class Preconditioner>
  [[nodiscard, gnu::always_inline]] static CycleResult<typename Space::Value> cycle(
      Space& space, Preconditioner& /*preconditioner*/, typename Space::Vector& r, typename Space::Vector& d,
      const CycleTask<typename Space::Value>& task) {
    using Value = typename Space::Value;
    const Factors<Space> factors(space);
    if (task.number == 0) {
      factors.copy_matrix(space);
      if constexpr (Space::alone) {
        factors.factorise_by_columns();
      } else {
        factors.factorise(space);
      }
    }
    factors.solve(space, r, d);
    CycleResult<Value> result;
    MaskOf<Value> active = task.active;
    add_one(result.iterations, active);
    // A column without a pivot has left an infinite inverse.
    MaskOf<Value> whole = mask_of<Value>(true);
    for (int k = 0; k < factors.rows; ++k) {
      whole = both(whole, finite(factors.inverse[k]));
    }
    result.finish(active, complement(whole), CycleEnd::breakdown);
    result.finish(active, whole, CycleEnd::converged);
    return result;
  }

 private:
  template <class Space>
  struct Factors {
    using Value = typename Space::Value;
    using Scalar = ScalarOf<Value>;
    static constexpr int lanes = batch::lanes<Value>;

    [[gnu::always_inline]] explicit Factors(const Space& space)
        : rows(space.matrix().rows),
          a(space.work()),
          inverse(a + index_t{rows} * rows),
          pivots(reinterpret_cast<std::int32_t*>(inverse + rows)) {}

    int rows;
    Value* a;              ///< (column, row): L below the diagonal, U on and above it
    Value* inverse;        ///< of U's diagonal
    std::int32_t* pivots;  ///< (step, lane): the row that changed places with row `step`

    [[gnu::always_inline]] Value* column(int j) const { return a + index_t{j} * rows; }

    [[gnu::always_inline]] void copy_matrix(const Space& space) const {
      const auto& matrix = space.matrix();
      for (int j = 0; j < rows; ++j) {
        for (const int i : space.own()) {
          column(j)[i] = Value{};
        }
      }
      for (const int i : space.own()) {
        for (std::int32_t entry = matrix.row_offsets[i]; entry < matrix.row_offsets[i + 1]; ++entry) {
          column(matrix.columns[entry])[i] = matrix.values[entry];
        }
      }
      space.barrier();
    }

    /// Exchanges elements `step` and pivots[step] of a column, lane by lane.
    [[gnu::always_inline]] void exchange(Value* elements, int step) const {
      auto* const scalars = reinterpret_cast<Scalar*>(elements);
      const std::int32_t* const rows_of = pivots + index_t{step} * lanes;
      for (int lane = 0; lane < lanes; ++lane) {
        const std::int32_t row = rows_of[lane];
        if (row != step) {
          const Scalar kept = scalars[index_t{step} * lanes + lane];
          scalars[index_t{step} * lanes + lane] = scalars[index_t{row} * lanes + lane];
          scalars[index_t{row} * lanes + lane] = kept;
        }
      }
    }

    /// Right-looking, a row a thread.
    [[gnu::always_inline]] void factorise(Space& space) const {
      for (int k = 0; k < rows; ++k) {
        Value largest{};
        for (const int i : space.own_from(k)) {
          const Value size = absolute(column(k)[i]);
          largest = largest < size ? size : largest;
        }
        space.maximum(largest);
        const auto none = -static_cast<Value>(rows);
        Value last = none;  // minus the first row that has it; exact in float, whose 2^24 rows no dense matrix has
        for (const int i : space.own_from(k)) {
          const auto here = -static_cast<Value>(i);
          last = absolute(column(k)[i]) == largest && last < here ? here : last;
        }
        space.maximum(last);
        const int row = last > none ? static_cast<int>(-last) : k;
        if (space.team().rank() == 0) {
          pivots[k] = row;
        }
        space.barrier();
        for (const int j : space.own()) {
          exchange(column(j), k);
        }
        space.barrier();
        const Value scale = Scalar{1} / column(k)[k];
        if (space.team().rank() == 0) {
          inverse[k] = scale;
        }
        for (const int i : space.own_from(k + 1)) {
          const Value factor = column(k)[i] * scale;
          column(k)[i] = factor;
          for (int j = k + 1; j < rows; ++j) {
            column(j)[i] -= factor * column(j)[k];
          }
        }
        space.barrier();
      }
    }

    /// Left-looking, for packs on one thread: a column stays in the nearest cache while the factors to its left pass by, four
    /// columns of them at a time.
    [[gnu::always_inline]] void factorise_by_columns() const {
      for (int j = 0; j < rows; ++j) {
        Value* const own = column(j);
        for (int k = 0; k < j; ++k) {
          exchange(own, k);
        }
        int k = 0;
        for (; k + 4 <= j; k += 4) {
          const Value* const l0 = column(k);
          const Value* const l1 = l0 + rows;
          const Value* const l2 = l1 + rows;
          const Value* const l3 = l2 + rows;
          const Value u0 = own[k];
          const Value u1 = own[k + 1] - l0[k + 1] * u0;
          const Value u2 = own[k + 2] - l0[k + 2] * u0 - l1[k + 2] * u1;
          const Value u3 = own[k + 3] - l0[k + 3] * u0 - l1[k + 3] * u1 - l2[k + 3] * u2;
          own[k + 1] = u1;
          own[k + 2] = u2;
          own[k + 3] = u3;
          for (int i = k + 4; i < rows; ++i) {
            own[i] = own[i] - l0[i] * u0 - l1[i] * u1 - l2[i] * u2 - l3[i] * u3;
          }
        }
        for (; k < j; ++k) {
          const Value* const l = column(k);
          const Value u = own[k];
          for (int i = k + 1; i < rows; ++i) {
            own[i] -= l[i] * u;
          }
        }
        choose_pivot(own, j);
        for (int left = 0; left <= j; ++left) {
          exchange(column(left), j);
        }
        const Value scale = Scalar{1} / own[j];
        inverse[j] = scale;
        for (int i = j + 1; i < rows; ++i) {
          own[i] *= scale;
        }
      }
    }

    /// pivots[step] of every lane.
    [[gnu::always_inline]] void choose_pivot(const Value* own, int step) const {
      Value largest = absolute(own[step]);
      auto row = CountOf<Value>{} + step;
      for (int i = step + 1; i < rows; ++i) {
        const Value size = absolute(own[i]);
        const MaskOf<Value> larger = size > largest;
        largest = select(larger, size, largest);
        assign(row, larger, i);
      }
      for (int lane = 0; lane < lanes; ++lane) {
        pivots[index_t{step} * lanes + lane] = static_cast<std::int32_t>(lane_of(row, lane));
      }
    }

    [[nodiscard, gnu::always_inline]] static auto lane_of(const CountOf<Value>& row, int lane) {
      if constexpr (lanes == 1) {
        return row;
      } else {
        return row[lane];
      }
    }

    /// d = A^-1 r; r is used up.
    [[gnu::always_inline]] void solve(const Space& space, typename Space::Vector& r, typename Space::Vector& d) const {
      space.barrier();
      if (space.team().rank() == 0) {
        for (int k = 0; k < rows; ++k) {
          exchange(r, k);
        }
      }
      space.barrier();
      for (int k = 0; k < rows; ++k) {
        const Value known = r[k];
        for (const int i : space.own_from(k + 1)) {
          r[i] -= column(k)[i] * known;
        }
        space.barrier();
      }
      for (int k = rows - 1; k >= 0; --k) {
        const Value known = r[k] * inverse[k];
        for (const int i : space.own()) {
          if (i == k) {
            d[k] = known;
          } else if (i < k) {
            r[i] -= column(k)[i] * known;
          }
        }
        space.barrier();
      }
    }
  };
};

}  // namespace phpc::batch
