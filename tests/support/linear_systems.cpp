#include "support/linear_systems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

namespace phpc::test {

namespace {

/// Uniform in [low, high), the same on every platform.
double uniform(std::mt19937_64& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
}

batch::CsrPattern pattern_of(const std::vector<std::set<std::int32_t>>& rows) {
  batch::CsrPattern pattern;
  pattern.row_offsets.push_back(0);
  for (const std::set<std::int32_t>& row : rows) {
    pattern.columns.insert(pattern.columns.end(), row.begin(), row.end());
    pattern.row_offsets.push_back(static_cast<std::int32_t>(pattern.columns.size()));
  }
  return pattern;
}

}  // namespace

DenseMatrix SystemBatch::dense(index_t system) const {
  const auto n = static_cast<std::size_t>(rows());
  DenseMatrix a(n * n, 0);
  for (std::size_t row = 0; row < n; ++row) {
    for (auto entry = pattern.row_offsets[row]; entry < pattern.row_offsets[row + 1]; ++entry) {
      a[row * n + static_cast<std::size_t>(pattern.columns[static_cast<std::size_t>(entry)])] =
          values[static_cast<std::size_t>(system * pattern.entries() + entry)];
    }
  }
  return a;
}

DenseVector SystemBatch::dense_rhs(index_t system) const {
  const auto first = rhs.begin() + system * rows();
  return {first, first + rows()};
}

std::size_t SystemBatch::place(index_t system, index_t row, index_t column) const {
  const auto first = pattern.columns.begin() + pattern.row_offsets[static_cast<std::size_t>(row)];
  const auto last = pattern.columns.begin() + pattern.row_offsets[static_cast<std::size_t>(row) + 1];
  const auto found = std::find(first, last, column);
  EXPECT_NE(found, last) << "no entry (" << row << ", " << column << ")";
  return static_cast<std::size_t>(system * pattern.entries() + (found - pattern.columns.begin()));
}

SystemBatch random_systems(Structure structure, index_t rows, index_t systems, unsigned seed, double scale_range,
                           EntriesOfARow entries_of_a_row) {
  std::mt19937_64 random(seed);
  const auto n = static_cast<std::size_t>(rows);
  std::vector<std::set<std::int32_t>> entries(n);
  for (std::size_t row = 0; row < n; ++row) {
    entries[row].insert(static_cast<std::int32_t>(row));
    const auto spread = static_cast<unsigned>(entries_of_a_row.most - entries_of_a_row.least);
    const int wanted = entries_of_a_row.least + (spread == 0 ? 0 : static_cast<int>(random() % (spread + 1)));
    for (int extra = 1; extra < wanted; ++extra) {
      const std::size_t column = random() % n;
      entries[row].insert(static_cast<std::int32_t>(column));
      if (structure == Structure::symmetric) {
        entries[column].insert(static_cast<std::int32_t>(row));
      }
    }
  }
  SystemBatch batch;
  batch.pattern = pattern_of(entries);
  batch.values.assign(static_cast<std::size_t>(systems * batch.pattern.entries()), 0);
  for (index_t system = 0; system < systems; ++system) {
    for (index_t row = 0; row < rows; ++row) {
      const auto begin = batch.pattern.row_offsets[static_cast<std::size_t>(row)];
      const auto end = batch.pattern.row_offsets[static_cast<std::size_t>(row) + 1];
      for (auto entry = begin; entry < end; ++entry) {
        const index_t column = batch.pattern.columns[static_cast<std::size_t>(entry)];
        if (structure == Structure::symmetric && column < row) {
          batch.values[batch.place(system, row, column)] = batch.values[batch.place(system, column, row)];
        } else if (column != row) {
          batch.values[batch.place(system, row, column)] = uniform(random, -1, 1);
        }
      }
    }
    for (index_t row = 0; row < rows; ++row) {
      double sum = 0;
      for (auto entry = batch.pattern.row_offsets[static_cast<std::size_t>(row)];
           entry < batch.pattern.row_offsets[static_cast<std::size_t>(row) + 1]; ++entry) {
        sum += std::fabs(batch.values[static_cast<std::size_t>(system * batch.pattern.entries() + entry)]);
      }
      batch.values[batch.place(system, row, row)] = sum + uniform(random, 0.1, 1);
      batch.rhs.push_back(uniform(random, -1, 1));
    }
    const auto scale = [&](index_t row) {
      return rows > 1 ? std::pow(scale_range, static_cast<double>(row) / static_cast<double>(rows - 1)) : 1.0;
    };
    for (index_t row = 0; row < rows; ++row) {
      for (auto entry = batch.pattern.row_offsets[static_cast<std::size_t>(row)];
           entry < batch.pattern.row_offsets[static_cast<std::size_t>(row) + 1]; ++entry) {
        const double by_column =
            structure == Structure::symmetric ? scale(batch.pattern.columns[static_cast<std::size_t>(entry)]) : 1;
        batch.values[static_cast<std::size_t>(system * batch.pattern.entries() + entry)] *= scale(row) * by_column;
      }
    }
  }
  return batch;
}

SystemBatch equal_systems(const std::vector<double>& matrix, const std::vector<double>& rhs, index_t systems) {
  const std::size_t n = rhs.size();
  std::vector<std::set<std::int32_t>> entries(n);
  std::vector<double> values;
  for (std::size_t place = 0; place < matrix.size(); ++place) {
    if (matrix[place] != 0) {
      entries[place / n].insert(static_cast<std::int32_t>(place % n));
      values.push_back(matrix[place]);
    }
  }
  SystemBatch batch;
  batch.pattern = pattern_of(entries);
  for (index_t system = 0; system < systems; ++system) {
    batch.values.insert(batch.values.end(), values.begin(), values.end());
    batch.rhs.insert(batch.rhs.end(), rhs.begin(), rhs.end());
  }
  return batch;
}

SystemBatch rounded_to_float(SystemBatch batch) {
  for (std::vector<double>* const numbers : {&batch.values, &batch.rhs}) {
    for (double& number : *numbers) {
      number = static_cast<double>(static_cast<float>(number));
    }
  }
  return batch;
}

void check_solution(const SystemBatch& batch, index_t system, std::span<const double> x, const batch::Report& report,
                    double tolerance, double epsilon) {
  SCOPED_TRACE(testing::Message() << "system " << system << ", status " << batch::to_string(report.status) << ", "
                                  << report.iterations << " iterations");
  const auto own = x.subspan(static_cast<std::size_t>(system * batch.rows()), static_cast<std::size_t>(batch.rows()));
  for (const double value : own) {
    ASSERT_TRUE(std::isfinite(value)) << "a solution that is no number";
  }
  const DenseMatrix a = batch.dense(system);
  const DenseVector b = batch.dense_rhs(system);
  const DenseVector solution(own.begin(), own.end());
  const long double true_residual = norm(residual(a, solution, b));
  const long double rhs_norm = norm(b);
  EXPECT_NEAR(report.rhs_norm, static_cast<double>(rhs_norm), 45 * epsilon * static_cast<double>(rhs_norm));
  if (report.status == batch::Status::not_finite && std::isnan(report.residual_norm)) {
    return;
  }
  // Both residuals are sums over a row, in double and in long double: they differ by the rounding of the sums' terms.
  const double rounding = static_cast<double>(4 * epsilon * (norm(a) * norm(solution) + rhs_norm) * batch.rows());
  EXPECT_NEAR(report.residual_norm, static_cast<double>(true_residual), rounding);
  EXPECT_EQ(report.status == batch::Status::converged, report.residual_norm <= tolerance * report.rhs_norm);
  if (report.status == batch::Status::converged) {
    if (const auto exact = lu_solve(a, b)) {
      DenseVector error = solution;
      for (std::size_t i = 0; i < error.size(); ++i) {
        error[i] -= (*exact)[i];
      }
      EXPECT_LE(norm(error), 1.0001L * inverse_norm(a) * (true_residual + 1e-18L * norm(a) * norm(*exact)));
    }
  }
}

}  // namespace phpc::test
