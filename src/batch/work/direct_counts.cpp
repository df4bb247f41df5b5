#include <algorithm>

#include "batch/solver/cycle.hpp"
#include "batch/solver/pack_lu.hpp"
#include "batch/solver/sparse_lu_table.hpp"
#include "batch/work/method_counts.hpp"

namespace phpc::batch {

namespace {

/// Columns that a team eliminates at a time.
constexpr index_t panel_columns = 4;

/// Elements of the factors that a team reads and writes: columns of a panel in each of its steps, and all others right and below
/// once a panel.
double team_lu_elements(index_t n) {
  double elements = 0;
  for (index_t first = 0; first < n; first += panel_columns) {
    const index_t last = std::min(first + panel_columns, n);
    const auto right = static_cast<double>(n - last);
    for (index_t k = first; k < last; ++k) {
      const auto below = static_cast<double>(n - k - 1);
      const auto wide = static_cast<double>(last - first);
      const auto later = static_cast<double>(last - k - 1);
      elements += (below + 1) + 4 * wide + below * (2 + 3 * later);  // the pivot, the exchange, the elimination
      elements += 4 * (static_cast<double>(n) - wide);               // the exchange in other columns
      elements += right * 4 * later;                                 // rows of U right of the panel
    }
    elements += right * right * 7;  // a row takes four elements of L, and of each of four columns four of U, its own twice
  }
  return elements;
}

/// The same of a thread that has all rows, loop by loop as PackLu has them. It exchanges rows only where a pivot asks for it:
/// what that takes is not counted.
class ThreadLuElements {
 public:
  explicit ThreadLuElements(index_t rows) : rows_(rows) {}

  [[nodiscard]] double count() {
    for (index_t first = 0; first < rows_; first += Lu::panel) {
      const index_t last = std::min<index_t>(first + Lu::panel, rows_);
      for (index_t done = 0; done < first; done += Lu::panel) {
        const index_t end = done + Lu::panel;
        solve_triangle(Lu::panel, last - first, 0);
        subtract_products(last - first, rows_ - end);
      }
      factorise_panel(first, last);
    }
    return elements_;
  }

 private:
  using Lu = PackLu<double>;

  void add(index_t elements) { elements_ += static_cast<double>(elements); }

  /// Of a triangle of so many rows, in `columns` columns, with `below` rows below it.
  void solve_triangle(index_t triangle, index_t columns, index_t below) {
    for (index_t left = triangle - Lu::together; left >= 0; left -= Lu::together) {
      add(columns * 13);  // six elements of L; four of the column are read and three written
      const index_t wide = columns / Lu::together;
      const index_t single = columns % Lu::together;
      const index_t rows = left + below;
      add(columns * Lu::together);                                                           // of U
      add(rows * (wide * (Lu::together + 2 * Lu::together) + single * (Lu::together + 2)));  // of L, and of the columns, twice
    }
  }

  /// Of a panel's products in `columns` columns and `rows` rows, tile by tile.
  void subtract_products(index_t columns, index_t rows) {
    for (index_t top = 0; top < rows; top += Lu::rows_at_once) {
      const index_t height = std::min<index_t>(Lu::rows_at_once, rows - top);
      const auto tiles = [&](index_t tile_rows, index_t tile_columns) {
        return 2 * tile_rows * tile_columns + Lu::panel * (tile_rows + tile_columns);
      };
      const auto tiles_of = [&](index_t tile_columns) {
        return height / Lu::tile_rows * tiles(Lu::tile_rows, tile_columns) + height % Lu::tile_rows * tiles(1, tile_columns);
      };
      add(columns / Lu::tile_columns * tiles_of(Lu::tile_columns) + columns % Lu::tile_columns * tiles_of(1));
    }
  }

  void factorise_panel(index_t first, index_t last) {
    for (index_t begin = first; begin < last; begin += Lu::together) {
      const index_t end = std::min<index_t>(begin + Lu::together, last);
      solve_triangle(begin - first, end - begin, rows_ - begin);
      for (index_t k = begin; k < end; ++k) {
        for (index_t earlier = begin; earlier < k; ++earlier) {
          add(1 + 3 * (rows_ - earlier - 1));
        }
        add((rows_ - k) + 2 + 2 * (rows_ - k - 1));  // the pivot, its inverse, the elements below it
      }
    }
  }

  index_t rows_;
  double elements_ = 0;
};

}  // namespace

void count_lu(SolveCounter& counter, index_t iterations, index_t number) {
  const index_t n = counter.rows();
  const auto rows = static_cast<double>(n);
  const double pairs = rows * (rows - 1) / 2;
  if (number == 0) {
    double eliminated = 0;
    for (index_t below = 0; below < n; ++below) {
      eliminated += static_cast<double>(below) * static_cast<double>(1 + 2 * below);
    }
    counter.flops(rows + eliminated);
    counter.matrix(static_cast<double>(counter.entries()));
    counter.indices(static_cast<double>(counter.entries()) + 2 * rows);
    counter.work(rows * rows + static_cast<double>(counter.entries()) + 2 * rows);
    counter.work(counter.one_thread() ? ThreadLuElements(n).count() : team_lu_elements(n));
  }
  counter.repeat(static_cast<double>(iterations), [&] {
    counter.flops(4 * pairs + rows);
    counter.work(2 * pairs + 3 * rows);
    counter.touch(vector_r, 4 * pairs + 2 * rows);
    counter.touch(vector_d, rows);
  });
}

namespace {

/// Operations of one column of the inverse of a block of so many pivots.
double inverse_column_flops(int pivots) {
  double flops = 0;
  for (int k = 0; k < pivots; ++k) {
    const int later = pivots - 1 - k;
    flops += 1 + later * (1 + 2 * later + 2) + 2 * later + 1;
  }
  return flops;
}

}  // namespace

void count_sparse_lu(SolveCounter& counter, index_t iterations, index_t number) {
  const auto rows = static_cast<double>(counter.rows());
  const SparseLuTable table(counter.table(), static_cast<std::int32_t>(counter.rows()),
                            static_cast<std::int32_t>(counter.entries()));
  const bool factorises = number == 0;
  if (factorises) {
    counter.matrix(static_cast<double>(counter.entries()));
    counter.work(table.places + static_cast<double>(counter.entries()));
    counter.indices(static_cast<double>(counter.entries()));
  }
  const double substitutions = static_cast<double>(iterations) - (factorises ? 1 : 0);  // down, besides the factorisation's
  counter.repeat(static_cast<double>(iterations), [&] {
    counter.touch(vector_r, rows);
    counter.touch(vector_d, rows);
    counter.work(3 * rows);
    counter.indices(2 * rows);
    counter.flops(rows);  // whether unknowns are finite is summed
  });
  for (int number_of = 0; number_of < table.blocks; ++number_of) {
    const PivotBlock& block = table.block[number_of];
    const double pivots = block.pivots;
    const double below = block.below;
    const double right = block.right;
    const double times_inverse = pivots * (2 * pivots - 1);
    if (factorises) {
      counter.flops(pivots * inverse_column_flops(block.pivots));
      counter.work(pivots * (pivots * pivots + pivots));
      if (block.below > 0) {
        counter.flops((right + 1) * (times_inverse + below * 2 * pivots));
        counter.work((right + 1) * (pivots + pivots * pivots + below * (2 + pivots)));
        counter.indices((right + 1) * below * 2);
      }
    }
    counter.repeat(substitutions, [&] {
      counter.flops(times_inverse + below * 2 * pivots);
      counter.work(pivots + pivots * pivots + below * (2 + pivots));
      counter.indices(2 * below);
    });
    counter.repeat(static_cast<double>(iterations), [&] {
      counter.flops(times_inverse + pivots * (2 * right + 1));
      counter.work(pivots * (1 + 2 * right) + pivots * pivots + pivots);
      counter.indices(pivots * right);
    });
  }
}

namespace {

/// Cyclic reduction by a team: each row eliminates those `stride` above and below, for strides 1, 2, 4, ...
void count_cyclic_reduction(SolveCounter& counter, double solves, bool factorises) {
  const auto rows = static_cast<double>(counter.rows());
  if (factorises) {
    counter.work(3 * rows + 2 * rows);
  }
  for (index_t stride = 1; stride < counter.rows(); stride *= 2) {
    const double neighbours = 2 * static_cast<double>(counter.rows() - stride);
    if (factorises) {
      counter.flops(4 * neighbours);
      counter.work(5 * neighbours + 4 * rows);
    }
    counter.flops(solves * 2 * neighbours);
    counter.work(solves * (2 * neighbours + 2 * rows));
  }
  counter.flops(solves * 2 * rows);  // a division, and whether unknowns are finite is summed
  counter.work(solves * 3 * rows);
}

}  // namespace

void count_tridiagonal(SolveCounter& counter, index_t iterations, index_t number) {
  const auto rows = static_cast<double>(counter.rows());
  const auto solves = static_cast<double>(iterations);
  if (number == 0) {
    counter.matrix(static_cast<double>(counter.entries()));
    counter.indices(static_cast<double>(counter.entries()) + 2 * rows);
  }
  counter.touch(vector_r, solves * rows);
  if (!counter.one_thread()) {
    counter.touch(vector_d, solves * 2 * rows);
    count_cyclic_reduction(counter, solves, number == 0);
    return;
  }
  counter.touch(vector_d, solves * 3 * rows);
  counter.flops((number == 0 ? 4 * rows : 0) + solves * 5 * rows);
  counter.work((number == 0 ? 3 * rows : 0) + solves * 3 * rows);
}

void count_triangular(SolveCounter& counter, index_t iterations, index_t /*number*/) {
  const auto rows = static_cast<double>(counter.rows());
  const auto entries = static_cast<double>(counter.entries());
  counter.repeat(static_cast<double>(iterations), [&] {
    counter.flops(2 * (entries - rows) + 2 * rows);
    counter.matrix(entries);
    counter.indices(entries + 2 * rows);
    counter.touch(vector_r, rows);
    counter.touch(vector_d, entries);
  });
}

}  // namespace phpc::batch
