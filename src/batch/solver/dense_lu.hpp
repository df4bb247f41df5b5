#pragma once
#include <cstdint>
#include <type_traits>

#include "batch/solver/cycle.hpp"
#include "batch/solver/pack_lu.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

/// LU with partial pivoting of the matrix as a dense one (Golub and Van Loan, Matrix Computations, section 3.4). The first cycle
/// factorises, unless factors are kept; each, one iteration, solves with them, so that cycles after the first are refinement.
struct DenseLu {
  static constexpr int vectors = 0;
  static constexpr bool preconditioned = false;
  static constexpr KernelSizes plain_kernels = KernelSizes::few;
  /// Values for the factors, by columns, for the inverse pivots and for the pivots' rows, an integer for each lane.
  static index_t workspace_size(index_t rows, const std::int32_t* /*table*/) { return rows * (pitch_of(rows) + 2); }
  /// Elements from a column to the next, an odd number, so that neighbours in a row lie in different banks of scratch.
  static constexpr index_t pitch_of(index_t rows) { return rows | 1; }
  static index_t workspace_size_with_factors(index_t /*rows*/, const std::int32_t* /*table*/) { return 0; }
  static bool accepts(std::int32_t /*row*/, std::int32_t /*column*/) { return true; }

  template <class Context>
  [[gnu::always_inline]] static void team_factorise(Context& context) {
    const Factors<Context> factors(context);
    factors.team_copy_matrix(context);
    if constexpr (Context::is_one_thread) {
      factors.packs().factorise();
    } else {
      factors.team_factorise(context);
    }
  }

  template <class Context, class Preconditioner>
  [[nodiscard, gnu::always_inline]] static CycleResult<typename Context::Value> team_cycle(
      Context& context, Preconditioner& /*preconditioner*/, typename Context::Vector& r, typename Context::Vector& d,
      const CycleTask<typename Context::Value>& task) {
    using Value = typename Context::Value;
    if (task.number == 0 && !context.has_factors()) {
      team_factorise(context);
    }
    const Factors<Context> factors(context);
    factors.team_solve(context, r, d);
    // A column without a pivot has an infinite inverse.
    MaskOf<Value> whole = mask_of<Value>(true);
    for (int k = 0; k < factors.rows; ++k) {
      whole = mask_and(whole, finite(factors.inverse[k]));
    }
    return direct_result<Value>(task.active, whole);
  }

 private:
  template <class Context>
  struct Factors {
    using Value = typename Context::Value;
    using Real = RealOf<Value>;
    using Scalar = ScalarOf<Value>;
    static constexpr int panel = 4;
    using Bits = std::conditional_t<sizeof(Scalar) == 8, std::uint64_t, std::uint32_t>;

    [[gnu::always_inline]] explicit Factors(const Context& context)
        : rows(context.matrix().rows),
          a(context.factors_or(context.work())),
          inverse(a + pitch_of(rows) * rows),
          pivots(reinterpret_cast<CountOf<Value>*>(inverse + rows)) {}

    int rows;
    Value* a;                ///< (column, row): L below the diagonal, U on and above it
    Value* inverse;          ///< of U's diagonal
    CountOf<Value>* pivots;  ///< of each step, lane by lane: the row that changed places with row `step`

    [[gnu::always_inline]] Value* column(int j) const { return a + j * pitch_of(rows); }

    [[gnu::always_inline]] void team_copy_matrix(const Context& context) const {
      const auto& matrix = context.matrix();
      if (Context::is_one_thread && matrix.row_offsets[rows] == index_t{rows} * rows) {
        packs().copy_dense(matrix.values);
        return;
      }
      for (int j = 0; j < rows; ++j) {
        for (const int i : context.my_rows()) {
          column(j)[i] = Value{};
        }
      }
      for (const int i : context.my_rows()) {
        for (std::int32_t entry = matrix.row_offsets[i]; entry < matrix.row_offsets[i + 1]; ++entry) {
          column(matrix.columns[entry])[i] = matrix.values[entry];
        }
      }
      context.barrier();
    }

    /// The same factors as one thread makes them.
    [[nodiscard, gnu::always_inline]] PackLu<Value> packs() const { return {rows, pitch_of(rows), a, inverse, pivots}; }

    /// Exchanges elements `step` and pivots[step] of a column.
    [[gnu::always_inline]] void exchange(Value* elements, int step) const { packs().exchange(elements, step); }

    /// Factorises right-looking, by panels of a few columns, so that an element is read and written once a panel (Golub and Van
    /// Loan, section 3.2.11). With panels of four columns, isooctane (144 rows, 2^17 systems) takes 426 ms on an H200, with
    /// single columns 639 ms.
    [[gnu::always_inline]] void team_factorise(Context& context) const {
      for (int first = 0; first < rows; first += panel) {
        const int last = first + panel < rows ? first + panel : rows;
        for (int k = first; k < last; ++k) {
          team_eliminate_in_panel(context, first, k, last);
        }
        // The other columns: the panel's exchanges and, to its right, rows of U.
        for (const int j : context.my_rows()) {
          if (j < first || j >= last) {
            for (int k = first; k < last; ++k) {
              exchange(column(j), k);
            }
          }
          if (j >= last) {
            for (int k = first; k + 1 < last; ++k) {
              for (int i = k + 1; i < last; ++i) {
                column(j)[i] -= column(k)[i] * column(j)[k];
              }
            }
          }
        }
        context.barrier();
        if (last < rows) {
          team_subtract_panel(context, first);
          context.barrier();
        }
      }
    }

    /// Finds the pivot of column k in the panel of columns [first, last), and eliminates the column from those right of it there.
    [[gnu::always_inline]] void team_eliminate_in_panel(Context& context, int first, int k, int last) const {
      Real best{};
      for (const int i : context.my_rows_from(k)) {
        const Real key = numbered(column(k)[i], i);
        best = best < key ? key : best;
      }
      context.team_maximum(best);
      const int row = best > Real{} ? row_of(best) : k;
      if (context.team().rank() == 0) {
        pivots[k] = row;
      }
      for (const int j : context.my_share(last - first)) {
        Value* const elements = column(first + j);
        const Value kept = elements[k];
        elements[k] = elements[row];
        elements[row] = kept;
      }
      context.barrier();
      const Value scale = Scalar{1} / column(k)[k];
      if (context.team().rank() == 0) {
        inverse[k] = scale;
      }
      for (const int i : context.my_rows_from(k + 1)) {
        const Value factor = column(k)[i] * scale;
        column(k)[i] = factor;
        for (int j = k + 1; j < last; ++j) {
          column(j)[i] -= factor * column(j)[k];
        }
      }
      context.barrier();
    }

    /// Subtracts L times U of the panel that begins at column `first` from the elements below and right of it. Up to 32
    /// neighbouring threads take neighbouring rows of the same four columns.
    [[gnu::always_inline]] void team_subtract_panel(const Context& context, int first) const {
      constexpr int columns = 4;
      const int size = context.team().size();
      const int width = size < 32 ? size : 32;
      const int begin = first + panel;
      const int row_blocks = (rows - begin + width - 1) / width;
      const int column_blocks = (rows - begin + columns - 1) / columns;
      // Threads beyond the last whole group have nothing to do.
      const int groups = size / width;
      const int group = context.team().rank() / width;
      for (int item = group < groups ? group : row_blocks * column_blocks; item < row_blocks * column_blocks; item += groups) {
        const int i = begin + item % row_blocks * width + context.team().rank() % width;
        const int left = begin + item / row_blocks * columns;
        if (i < rows) {
          Value lower[panel];
#pragma unroll
          for (int k = 0; k < panel; ++k) {
            lower[k] = column(first + k)[i];
          }
          Value sum[columns];
#pragma unroll
          for (int c = 0; c < columns; ++c) {
            const Value* const elements = column(left + c < rows ? left + c : left);
            sum[c] = elements[i];
#pragma unroll
            for (int k = 0; k < panel; ++k) {
              sum[c] -= lower[k] * elements[first + k];
            }
          }
#pragma unroll
          for (int c = 0; c < columns; ++c) {
            if (left + c < rows) {
              column(left + c)[i] = sum[c];
            }
          }
        }
      }
    }

    /// A pivot candidate's key: the magnitude of its element, with the row number in place of the last bits such that of nearly
    /// equal magnitudes the first row's key is the largest. NaN for an element that is not finite.
    [[nodiscard, gnu::always_inline]] Real numbered(Value element, int row) const {
      return __builtin_bit_cast(
          Real, (__builtin_bit_cast(Bits, magnitude(element)) & ~row_mask()) | (row_mask() - static_cast<Bits>(row)));
    }
    [[nodiscard, gnu::always_inline]] int row_of(Real key) const {
      return static_cast<int>(row_mask() - (__builtin_bit_cast(Bits, key) & row_mask()));
    }
    [[nodiscard, gnu::always_inline]] Bits row_mask() const {
      return (Bits{1} << (32 - __builtin_clz(static_cast<unsigned>(rows)))) - 1;
    }

    /// d = A^-1 r; r is overwritten.
    [[gnu::always_inline]] void team_solve(const Context& context, typename Context::Vector& r,
                                           typename Context::Vector& d) const {
      context.barrier();
      if (!Context::is_one_thread && context.team().rank() == 0) {
        for (int k = 0; k < rows; ++k) {
          exchange(r, k);
        }
      }
      context.barrier();
      for (int k = 0; k < rows; ++k) {
        if constexpr (Context::is_one_thread) {
          packs().exchange_before(r, k);
        }
        const Value known = r[k];
        for (const int i : context.my_rows_from(k + 1)) {
          r[i] -= column(k)[i] * known;
        }
        context.barrier();
      }
      for (int k = rows - 1; k >= 0; --k) {
        const Value known = r[k] * inverse[k];
        for (const int i : context.my_rows()) {
          if (i == k) {
            d[k] = known;
          } else if (i < k) {
            r[i] -= column(k)[i] * known;
          }
        }
        context.barrier();
      }
    }
  };
};

}  // namespace phpc::batch
