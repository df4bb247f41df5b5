#pragma once
#include <cstdint>

#include "batch/math/value.hpp"
#include "phpc/core/types.hpp"

namespace phpc::batch {

/// LU with partial pivoting of a pack of dense matrices, one in each lane, on one thread: left-looking, a panel of neighbouring
/// columns at a time (Golub and Van Loan, Matrix Computations, section 3.2). A panel stays in the nearest caches while the panels
/// to its left are gone through, each once for all columns of it.
///
/// Each lane has pivots of its own. The rows of a panel are exchanged in the panel alone, so that those to its left remain in the
/// order in which they were made: what is multiplied by them has its rows exchanged panel by panel too (exchange_before).
template <class Value>
struct PackLu {
  using Real = RealOf<Value>;
  using Scalar = ScalarOf<Value>;
  static constexpr int lanes = batch::lanes<Value>;

  /// Columns of a panel. With 4, and no tile, systems of 160 to 256 rows took 1.12 to 1.38 times as long, those of 64 to 128 0.98
  /// times (f64, a core of an AMD EPYC of family 26).
  static constexpr int panel = 16;

  /// The block of elements that is held in registers while the products of a panel are subtracted from it. Complex numbers take
  /// two registers each, and without AVX-512 there are 16.
#if defined(__AVX512F__)
  static constexpr int tile_rows = is_complex<Value> ? 2 : 4;
#else
  static constexpr int tile_rows = is_complex<Value> ? 1 : 2;
#endif
  static constexpr int tile_columns = is_complex<Value> ? 2 : 4;

  /// Rows of a panel that are gone through for all columns of another one, while they stay in the nearest cache.
  static constexpr int rows_at_once = 16;

  /// Columns whose triangle of L is gone through at once.
  static constexpr int together = 4;

  int rows;
  index_t pitch;           ///< elements from a column to the next
  Value* a;                ///< (column, row): the matrix, then L below the diagonal and U on and above it
  Value* inverse;          ///< of U's diagonal
  CountOf<Value>* pivots;  ///< of each step, lane by lane: the row that changed places with row `step`

  /// Takes the matrix from its elements row by row, some columns at a time, which so many pages of memory hold.
  template <class Values>
  [[gnu::always_inline]] void copy_dense(const Values& values) const {
    for (int first = 0; first < rows; first += panel) {
      const int last = first + panel < rows ? first + panel : rows;
      for (int i = 0; i < rows; ++i) {
        for (int j = first; j < last; ++j) {
          column(j)[i] = values[i * rows + j];
        }
      }
    }
  }

  [[gnu::always_inline]] void factorise() const {
    for (int first = 0; first < rows; first += panel) {
      const int last = first + panel < rows ? first + panel : rows;
      for (int done = 0; done < first; done += panel) {
        subtract_panel(done, first, last);
      }
      factorise_panel(first, last);
    }
  }

  /// Does the row exchanges in a column that precede the factors of column k.
  [[gnu::always_inline]] void exchange_before(Value* elements, int k) const {
    if (k % panel == 0) {
      for (int step = k; step < k + panel && step < rows; ++step) {
        exchange(elements, step);
      }
    }
  }

  /// Exchanges elements `step` and pivots[step] of a column, lane by lane.
  [[gnu::always_inline]] void exchange(Value* elements, int step) const {
    for (int lane = 0; lane < lanes; ++lane) {
      const auto row = static_cast<std::int32_t>(lane_of(pivots[step], lane));
      if (row != step) {
        exchange_lane(elements[step], elements[row], lane);
      }
    }
  }

 private:
  [[nodiscard, gnu::always_inline]] Value* column(int j) const { return a + j * pitch; }

  /// Subtracts from columns [first, last) what the panel that begins at column `done` has in them: turns their rows beside the
  /// panel's triangle into rows of U, and subtracts L times U below.
  [[gnu::always_inline]] void subtract_panel(int done, int first, int last) const {
    const int end = done + panel;
    for (int j = first; j < last; ++j) {
      exchange_before(column(j), done);
    }
    solve_triangle(done, end, first, last, end);
    subtract_products(done, end, first, last, end, rows);
  }

  /// Solves L y = elements [done, end) of columns [first, last), for the triangle of L that is there, and subtracts the products
  /// with y from the elements below too, up to row `stop`.
  [[gnu::always_inline]] void solve_triangle(int done, int end, int first, int last, int stop) const {
    for (int k = done; k < end; k += together) {
      const Value* const l0 = column(k);
      const Value* const l1 = column(k + 1);
      const Value* const l2 = column(k + 2);
      for (int j = first; j < last; ++j) {
        Value* const own = column(j) + k;
        const Value u0 = own[0];
        const Value u1 = own[1] - l0[k + 1] * u0;
        const Value u2 = own[2] - l0[k + 2] * u0 - l1[k + 2] * u1;
        own[1] = u1;
        own[2] = u2;
        own[3] = own[3] - l0[k + 3] * u0 - l1[k + 3] * u1 - l2[k + 3] * u2;
      }
      subtract_few_products(k, first, last, k + together, stop);
    }
  }

  /// Subtracts columns [k, k + together) of L times those rows of columns [first, last) from rows [begin, stop) of these.
  [[gnu::always_inline]] void subtract_few_products(int k, int first, int last, int begin, int stop) const {
    int j = first;
    for (; j + together <= last; j += together) {
      subtract_few_in_columns<together>(k, j, begin, stop);
    }
    for (; j < last; ++j) {
      subtract_few_in_columns<1>(k, j, begin, stop);
    }
  }

  template <int Columns>
  [[gnu::always_inline]] void subtract_few_in_columns(int k, int j, int begin, int stop) const {
    Value upper[Columns][together];
#pragma GCC unroll 4
    for (int c = 0; c < Columns; ++c) {
#pragma GCC unroll 4
      for (int q = 0; q < together; ++q) {
        upper[c][q] = column(j + c)[k + q];
      }
    }
    for (int i = begin; i < stop; ++i) {
      Value lower[together];
#pragma GCC unroll 4
      for (int q = 0; q < together; ++q) {
        lower[q] = column(k + q)[i];
      }
#pragma GCC unroll 4
      for (int c = 0; c < Columns; ++c) {
        Value sum = column(j + c)[i];
#pragma GCC unroll 4
        for (int q = 0; q < together; ++q) {
          sum = sum - lower[q] * upper[c][q];
        }
        column(j + c)[i] = sum;
      }
    }
  }

  /// Subtracts columns [done, end) of L times rows [done, end) of columns [first, last) from rows [begin, stop) of these.
  [[gnu::always_inline]] void subtract_products(int done, int end, int first, int last, int begin, int stop) const {
    for (int top = begin; top < stop; top += rows_at_once) {
      const int bottom = top + rows_at_once < stop ? top + rows_at_once : stop;
      int j = first;
      for (; j + tile_columns <= last; j += tile_columns) {
        subtract_in_columns<tile_columns>(done, end, j, top, bottom);
      }
      for (; j < last; ++j) {
        subtract_in_columns<1>(done, end, j, top, bottom);
      }
    }
  }

  template <int Columns>
  [[gnu::always_inline]] void subtract_in_columns(int done, int end, int j, int top, int bottom) const {
    int i = top;
    for (; i + tile_rows <= bottom; i += tile_rows) {
      subtract_in_tile<tile_rows, Columns>(done, end, j, i);
    }
    for (; i < bottom; ++i) {
      subtract_in_tile<1, Columns>(done, end, j, i);
    }
  }

  template <int Rows, int Columns>
  [[gnu::always_inline]] void subtract_in_tile(int done, int end, int j, int i) const {
    Value sums[Columns][Rows];
#pragma GCC unroll 4
    for (int c = 0; c < Columns; ++c) {
#pragma GCC unroll 4
      for (int r = 0; r < Rows; ++r) {
        sums[c][r] = column(j + c)[i + r];
      }
    }
    for (int k = done; k < end; ++k) {
      Value lower[Rows];
#pragma GCC unroll 4
      for (int r = 0; r < Rows; ++r) {
        lower[r] = column(k)[i + r];
      }
#pragma GCC unroll 4
      for (int c = 0; c < Columns; ++c) {
        const Value upper = column(j + c)[k];
#pragma GCC unroll 4
        for (int r = 0; r < Rows; ++r) {
          sums[c][r] = sums[c][r] - lower[r] * upper;
        }
      }
    }
#pragma GCC unroll 4
    for (int c = 0; c < Columns; ++c) {
#pragma GCC unroll 4
      for (int r = 0; r < Rows; ++r) {
        column(j + c)[i + r] = sums[c][r];
      }
    }
  }

  /// Factorises columns [first, last), from which all panels to their left are subtracted, `together` at a time.
  [[gnu::always_inline]] void factorise_panel(int first, int last) const {
    for (int begin = first; begin < last; begin += together) {
      const int end = begin + together < last ? begin + together : last;
      if (begin > first) {
        solve_triangle(first, begin, begin, end, rows);
      }
      for (int k = begin; k < end; ++k) {
        for (int earlier = begin; earlier < k; ++earlier) {
          eliminate_above(column(k), earlier);
        }
        choose_pivot(column(k), k);
        for (int j = first; j < last; ++j) {
          exchange(column(j), k);
        }
        const Value scale = Scalar{1} / column(k)[k];
        inverse[k] = scale;
        for (int i = k + 1; i < rows; ++i) {
          column(k)[i] *= scale;
        }
      }
    }
  }

  /// Subtracts column k of L times element k of a column, which is one of U, from the elements below.
  [[gnu::always_inline]] void eliminate_above(Value* own, int k) const {
    const Value* const lower = column(k);
    const Value known = own[k];
    for (int i = k + 1; i < rows; ++i) {
      own[i] -= lower[i] * known;
    }
  }

  /// Finds pivots[step], lane by lane: the row of the largest element of column `step`.
  [[gnu::always_inline]] void choose_pivot(const Value* own, int step) const {
    Real largest = magnitude(own[step]);
    auto row = CountOf<Value>{} + step;
    for (int i = step + 1; i < rows; ++i) {
      const Real size = magnitude(own[i]);
      const MaskOf<Value> larger = size > largest;
      largest = select(larger, size, largest);
      assign(row, larger, i);
    }
    pivots[step] = row;
  }
};

}  // namespace phpc::batch
