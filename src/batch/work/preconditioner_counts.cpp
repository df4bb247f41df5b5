#include "batch/work/preconditioner_counts.hpp"

#include <algorithm>

namespace phpc::batch {

namespace {

constexpr double square(double x) {
  return x * x;
}

/// Entries left and right of the diagonal in A's pattern, and rows that have a diagonal entry.
struct Triangles {
  double lower = 0;
  double upper = 0;
  double diagonals = 0;
};
Triangles triangles(const SolveCounter& counter) {
  const IluTable table(counter.table(), static_cast<std::int32_t>(counter.rows()));
  const std::vector<std::int32_t>& offsets = counter.pattern().row_offsets;
  Triangles found;
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    found.lower += table.lower_end[row] - offsets[row];
    found.upper += offsets[row + 1] - table.upper_begin[row];
    found.diagonals += table.upper_begin[row] - table.lower_end[row];
  }
  return found;
}

/// Rows of steps, those of one step being independent of one another.
double items(const TriangleSchedule& schedule) {
  return schedule.step_offsets[schedule.steps];
}

/// How many columns the entries [first, last) and [other_first, other_last) have in common.
double common(const CsrPattern& pattern, std::int32_t first, std::int32_t last, std::int32_t other_first,
              std::int32_t other_last) {
  double found = 0;
  while (first < last && other_first < other_last) {
    const std::int32_t one = pattern.columns[static_cast<std::size_t>(first)];
    const std::int32_t other = pattern.columns[static_cast<std::size_t>(other_first)];
    found += one == other ? 1 : 0;
    first += one <= other ? 1 : 0;
    other_first += other <= one ? 1 : 0;
  }
  return found;
}

/// Products that are subtracted from entries in the factorisation without fill, and in the inverses of its factors.
struct Updates {
  double of_factors = 0;
  double of_inverses = 0;
};
Updates updates(const SolveCounter& counter, bool with_inverses) {
  const CsrPattern& pattern = counter.pattern();
  const IluTable table(counter.table(), static_cast<std::int32_t>(counter.rows()));
  const std::vector<std::int32_t>& offsets = pattern.row_offsets;
  Updates found;
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    const std::int32_t begin = offsets[row];
    const std::int32_t end = offsets[row + 1];
    for (std::int32_t entry = begin; entry < end; ++entry) {
      const auto other = static_cast<std::size_t>(pattern.columns[static_cast<std::size_t>(entry)]);
      const bool is_lower = entry < table.lower_end[row];
      const bool is_upper = entry >= table.upper_begin[row];
      if (is_lower || (is_upper && with_inverses)) {
        const double right = common(pattern, table.upper_begin[other], offsets[other + 1], entry + 1, end);
        (is_lower ? found.of_factors : found.of_inverses) += right;
      }
      if (is_lower && with_inverses) {
        found.of_inverses += common(pattern, offsets[other], table.lower_end[other], begin, entry);
      }
    }
  }
  return found;
}

void count_ilu(SolveCounter& counter, bool with_inverses) {
  const Triangles of = triangles(counter);
  const Updates products = updates(counter, with_inverses);
  const auto entries = static_cast<double>(counter.entries());
  const auto rows = static_cast<double>(counter.rows());
  // A team's threads invert the pivot anew for each entry left of the diagonal.
  counter.flops(of.lower + of.diagonals + of.upper + 2 * (products.of_factors + products.of_inverses) +
                (counter.one_thread() ? 0 : of.lower));
  counter.matrix(entries);
  counter.preparation(entries + 3 * (of.lower + of.upper) + 2 * rows + 3 * (products.of_factors + products.of_inverses) +
                      (with_inverses ? 2 * entries : 0));
  counter.indices(2 * (of.lower + of.upper) + 4 * rows + 2 * (products.of_factors + products.of_inverses));
}

void apply_ilu(SolveCounter& counter, int vector) {
  const Triangles of = triangles(counter);
  const auto rows = static_cast<double>(counter.rows());
  const double both = of.lower + of.upper;
  counter.touch(vector, rows);
  if (counter.one_thread()) {
    counter.flops(2 * both + 3 * rows);
    counter.preparation(2 * both + 4 * rows);
    counter.indices(both + 4 * rows);
    return;
  }
  const IluTable table(counter.table(), static_cast<std::int32_t>(counter.rows()));
  const double of_steps = items(table.lower) + items(table.upper);
  counter.flops(2 * both + of_steps + rows);
  counter.preparation(2 * both + 2 * of_steps + 4 * rows);
  counter.indices(2 * both + 3 * of_steps);
}

/// Calls each(order) for the blocks of block Jacobi.
template <class Each>
void for_blocks(const SolveCounter& counter, Each each) {
  const index_t size = block_size(counter.table());
  for (index_t first = 0; first < counter.rows(); first += size) {
    each(static_cast<double>(std::min(size, counter.rows() - first)));
  }
}

/// Calls each(order) for the rows of an approximate inverse.
template <class Each>
void for_isai_rows(const SolveCounter& counter, Each each) {
  const IsaiTable pattern(counter.table(), counter.rows());
  for (index_t row = 0; row < counter.rows(); ++row) {
    each(static_cast<double>(pattern.row_offsets[row + 1] - pattern.row_offsets[row]));
  }
}

}  // namespace

void count_preparation(SolveCounter& counter, PatternKind kind) {
  const auto entries = static_cast<double>(counter.entries());
  const auto rows = static_cast<double>(counter.rows());
  switch (kind) {
    case PatternKind::none:
      break;
    case PatternKind::jacobi:
      counter.flops(rows);
      counter.matrix(rows);
      counter.preparation(rows);
      counter.indices(entries + 2 * rows);
      break;
    case PatternKind::block_jacobi:
      counter.matrix(entries);
      counter.indices(entries + 2 * rows);
      // Gauss-Jordan elimination: in each of as many steps as the block has rows, the pivot's row is scaled and subtracted from
      // all others; then the magnitudes of each row are summed.
      for_blocks(counter, [&](double order) {
        counter.flops(order * (1 + order + 2 * order * (order - 1)) + square(order));
        counter.preparation(order * (2 * order + 3 * order * (order - 1)) + 2 * square(order));
      });
      break;
    case PatternKind::ilu:
      count_ilu(counter, false);
      break;
    case PatternKind::isai:
      // The same elimination of a system with one right-hand side, in the columns that are left; each element of the row sums
      // the magnitudes of all.
      for_isai_rows(counter, [&](double order) {
        const double left = order * (order + 1) / 2;
        counter.flops(order + (2 * order - 1) * left + square(order));
        counter.matrix(square(order));
        counter.preparation(2 * square(order) + (3 * order - 1) * left + 2 * order);
        counter.indices(2 * square(order));
      });
      break;
    case PatternKind::ilu_isai:
      count_ilu(counter, true);
      break;
  }
}

void count_application(SolveCounter& counter, PatternKind kind, int vector) {
  const auto rows = static_cast<double>(counter.rows());
  switch (kind) {
    case PatternKind::none:
      break;
    case PatternKind::jacobi:
      counter.loop({vector}, {vector_z}, 1);
      counter.preparation(rows);
      break;
    case PatternKind::block_jacobi:
      for_blocks(counter, [&](double order) {
        counter.flops(2 * square(order));
        counter.touch(vector, square(order));
        counter.preparation(square(order) + order);
      });
      break;
    case PatternKind::ilu:
      apply_ilu(counter, vector);
      break;
    case PatternKind::isai:
      for_isai_rows(counter, [&](double order) {
        counter.flops(2 * order);
        counter.touch(vector, order);
        counter.preparation(order + 1);
        counter.indices(order + 2);
      });
      break;
    case PatternKind::ilu_isai: {
      const Triangles of = triangles(counter);
      counter.flops(2 * (of.lower + of.upper) + 3 * rows);
      counter.touch(vector, of.lower + rows);
      counter.preparation(of.lower + 2 * of.upper + 4 * rows);
      counter.indices(of.lower + of.upper + 4 * rows);
      break;
    }
  }
}

}  // namespace phpc::batch
