#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "support/linear_systems.hpp"

namespace phpc::test {

/// -1, 3 + something, -1 in each row.
inline SystemBatch tridiagonal(index_t rows, index_t systems) {
  SystemBatch batch;
  batch.pattern.row_offsets.push_back(0);
  for (index_t row = 0; row < rows; ++row) {
    for (index_t column = std::max<index_t>(row - 1, 0); column <= std::min(row + 1, rows - 1); ++column) {
      batch.pattern.columns.push_back(static_cast<std::int32_t>(column));
    }
    batch.pattern.row_offsets.push_back(static_cast<std::int32_t>(batch.pattern.columns.size()));
  }
  for (index_t system = 0; system < systems; ++system) {
    for (index_t row = 0; row < rows; ++row) {
      for (index_t column = std::max<index_t>(row - 1, 0); column <= std::min(row + 1, rows - 1); ++column) {
        batch.values.push_back(row == column ? 3 + 0.1 * static_cast<double>((row + system) % 7) : -1);
      }
      batch.rhs.push_back(1 + 0.01 * static_cast<double>(row * system));
    }
  }
  return batch;
}

/// Elements in [-1, 1) beside diagonals of either sign and of at least that size.
inline SystemBatch random_tridiagonal(index_t rows, index_t systems, double least_diagonal, unsigned number) {
  std::mt19937 generator(number);
  std::uniform_real_distribution<double> element(-1, 1);
  SystemBatch batch = tridiagonal(rows, systems);
  batch.values.clear();
  batch.rhs.clear();
  for (index_t system = 0; system < systems; ++system) {
    for (index_t row = 0; row < rows; ++row) {
      for (index_t column = std::max<index_t>(row - 1, 0); column <= std::min(row + 1, rows - 1); ++column) {
        const double value = element(generator);
        batch.values.push_back(column != row ? value : value + (value < 0 ? -least_diagonal : least_diagonal));
      }
      batch.rhs.push_back(element(generator));
    }
  }
  return batch;
}

struct ThomasCheck {
  long double residual;    ///< || b - A x || / || b ||
  long double rounding;    ///< of such sums in double, of which no row has more than four
  long double difference;  ///< from the solution in long double, relative to the largest element
};

/// x against the solution by the Thomas algorithm in long double.
inline ThomasCheck check_by_thomas(const SystemBatch& batch, index_t system, const double* x) {
  const index_t n = batch.rows();
  const double* const b = batch.rhs.data() + system * n;
  const auto at = [&](index_t row, index_t column) -> long double {
    return row < 0 || column < 0 || column >= n ? 0 : batch.values[batch.place(system, row, column)];
  };
  std::vector<long double> ratio(static_cast<std::size_t>(n));
  std::vector<long double> known(static_cast<std::size_t>(n));
  long double squared = 0;
  long double norm = 0;
  long double x_squared = 0;
  for (index_t i = 0; i < n; ++i) {
    const auto place = static_cast<std::size_t>(i);
    long double rest = b[i];
    for (index_t j = std::max<index_t>(i - 1, 0); j <= std::min(i + 1, n - 1); ++j) {
      rest -= at(i, j) * x[j];
    }
    squared += rest * rest;
    norm += static_cast<long double>(b[i]) * b[i];
    x_squared += static_cast<long double>(x[i]) * x[i];
    const long double lower = at(i, i - 1);
    const long double pivot = at(i, i) - (i == 0 ? 0 : lower * ratio[place - 1]);
    ratio[place] = at(i, i + 1) / pivot;
    known[place] = (b[i] - (i == 0 ? 0 : lower * known[place - 1])) / pivot;
  }
  long double largest = 0;
  long double difference = 0;
  for (index_t i = n - 1; i >= 0; --i) {
    const auto place = static_cast<std::size_t>(i);
    known[place] -= i + 1 < n ? ratio[place] * known[place + 1] : 0;
    largest = std::max(largest, std::abs(known[place]));
    difference = std::max(difference, std::abs(known[place] - x[i]));
  }
  const long double rounding = 4 * std::numeric_limits<double>::epsilon() * (1 + 3 * std::sqrt(x_squared / norm));
  return {std::sqrt(squared / norm), rounding, difference / largest};
}

/// Each matrix with a positive diagonal: all eigenvalues are right of 0 where it dominates.
inline SystemBatch positive_diagonals(SystemBatch batch) {
  for (index_t system = 0; system < batch.systems(); ++system) {
    for (index_t row = 0; row < batch.rows(); ++row) {
      double& diagonal = batch.values[batch.place(system, row, row)];
      diagonal = std::abs(diagonal);
    }
  }
  return batch;
}
/// Each matrix with its elements below the diagonal made those above.
inline SystemBatch symmetric(SystemBatch batch) {
  for (index_t system = 0; system < batch.systems(); ++system) {
    for (index_t row = 1; row < batch.rows(); ++row) {
      batch.values[batch.place(system, row, row - 1)] = batch.values[batch.place(system, row - 1, row)];
    }
  }
  return batch;
}

/// The lower (or upper) triangle of every system of a batch.
enum class Half { lower, upper };
inline SystemBatch triangle_of(const SystemBatch& whole, Half half) {
  SystemBatch part{.pattern = {{0}, {}}, .values = {}, .rhs = whole.rhs};
  std::vector<index_t> taken;
  for (index_t row = 0; row < whole.rows(); ++row) {
    const auto begin = whole.pattern.row_offsets[static_cast<std::size_t>(row)];
    const auto end = whole.pattern.row_offsets[static_cast<std::size_t>(row) + 1];
    for (auto entry = begin; entry < end; ++entry) {
      const std::int32_t column = whole.pattern.columns[static_cast<std::size_t>(entry)];
      if (half == Half::lower ? column <= row : column >= row) {
        part.pattern.columns.push_back(column);
        taken.push_back(entry);
      }
    }
    part.pattern.row_offsets.push_back(static_cast<std::int32_t>(part.pattern.columns.size()));
  }
  for (index_t system = 0; system < whole.systems(); ++system) {
    for (const index_t entry : taken) {
      part.values.push_back(whole.values[static_cast<std::size_t>(system * whole.pattern.entries() + entry)]);
    }
  }
  return part;
}

}  // namespace phpc::test
