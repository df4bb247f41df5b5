#include "support/complex_systems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace phpc::test {

namespace {

/// Where a pattern has an element, or -1.
index_t entry_at(const batch::CsrPattern& pattern, index_t row, index_t column) {
  const auto first = pattern.columns.begin() + pattern.row_offsets[static_cast<std::size_t>(row)];
  const auto last = pattern.columns.begin() + pattern.row_offsets[static_cast<std::size_t>(row) + 1];
  const auto found = std::find(first, last, column);
  return found == last ? -1 : found - pattern.columns.begin();
}

DenseVector parts_of(std::span<const Complex<double>> values) {
  DenseVector parts(2 * values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    parts[i] = values[i].re;
    parts[values.size() + i] = values[i].im;
  }
  return parts;
}

}  // namespace

DenseMatrix ComplexBatch::dense(index_t system) const {
  const auto n = static_cast<std::size_t>(rows());
  DenseMatrix a(4 * n * n, 0);
  for (std::size_t row = 0; row < n; ++row) {
    for (auto entry = pattern.row_offsets[row]; entry < pattern.row_offsets[row + 1]; ++entry) {
      const auto column = static_cast<std::size_t>(pattern.columns[static_cast<std::size_t>(entry)]);
      const Complex<double> value = values[static_cast<std::size_t>(system * pattern.entries() + entry)];
      a[row * 2 * n + column] = value.re;
      a[row * 2 * n + n + column] = -value.im;
      a[(n + row) * 2 * n + column] = value.im;
      a[(n + row) * 2 * n + n + column] = value.re;
    }
  }
  return a;
}

DenseVector ComplexBatch::dense_rhs(index_t system) const {
  return parts_of(std::span(rhs).subspan(static_cast<std::size_t>(system * rows()), static_cast<std::size_t>(rows())));
}

ComplexBatch turned(const SystemBatch& batch, Turned how, unsigned seed) {
  std::mt19937_64 random(seed);
  const auto turn = [&](double value) {
    const double angle = static_cast<double>(random() >> 11) * 0x1p-53 * 2 * std::numbers::pi;
    return Complex<double>{value * std::cos(angle), value * std::sin(angle)};
  };
  ComplexBatch result{batch.pattern, {}, {}};
  std::transform(batch.values.begin(), batch.values.end(), std::back_inserter(result.values), turn);
  std::transform(batch.rhs.begin(), batch.rhs.end(), std::back_inserter(result.rhs), turn);
  if (how != Turned::freely) {
    for (index_t system = 0; system < batch.systems(); ++system) {
      const index_t first = system * batch.pattern.entries();
      for (index_t row = 0; row < batch.rows(); ++row) {
        for (auto entry = batch.pattern.row_offsets[static_cast<std::size_t>(row)];
             entry < batch.pattern.row_offsets[static_cast<std::size_t>(row) + 1]; ++entry) {
          const std::int32_t column = batch.pattern.columns[static_cast<std::size_t>(entry)];
          Complex<double>& value = result.values[static_cast<std::size_t>(first + entry)];
          if (how == Turned::aside) {
            value = column == row ? Complex<double>{std::abs(value.re) + 0.1 * std::abs(value.im), value.im} : value;
          } else if (column == row) {
            value = {batch.values[static_cast<std::size_t>(first + entry)], 0};
          } else if (column < row) {
            value = conj(result.values[static_cast<std::size_t>(first + entry_at(batch.pattern, column, row))]);
          }
        }
      }
    }
  }
  return result;
}

ComplexBatch transposed(const ComplexBatch& batch, batch::Operation operation) {
  ComplexBatch result{{{0}, {}}, {}, batch.rhs};
  std::vector<index_t> sources;
  for (index_t row = 0; row < batch.rows(); ++row) {
    for (index_t column = 0; column < batch.rows(); ++column) {
      if (const index_t entry = entry_at(batch.pattern, column, row); entry >= 0) {
        result.pattern.columns.push_back(static_cast<std::int32_t>(column));
        sources.push_back(entry);
      }
    }
    result.pattern.row_offsets.push_back(static_cast<std::int32_t>(sources.size()));
  }
  for (index_t system = 0; system < batch.systems(); ++system) {
    for (const index_t source : sources) {
      const Complex<double> value = batch.values[static_cast<std::size_t>(system * batch.pattern.entries() + source)];
      result.values.push_back(operation == batch::Operation::adjoint ? conj(value) : value);
    }
  }
  return result;
}

void check_solution(const ComplexBatch& batch, index_t system, std::span<const Complex<double>> x, const batch::Report& report,
                    double tolerance, double epsilon) {
  SCOPED_TRACE(testing::Message() << "system " << system << ", status " << batch::to_string(report.status) << ", "
                                  << report.iterations << " iterations");
  const DenseVector solution =
      parts_of(x.subspan(static_cast<std::size_t>(system * batch.rows()), static_cast<std::size_t>(batch.rows())));
  for (const long double value : solution) {
    ASSERT_TRUE(std::isfinite(value)) << "a solution that is no number";
  }
  const DenseMatrix a = batch.dense(system);
  const DenseVector b = batch.dense_rhs(system);
  const long double true_residual = norm(residual(a, solution, b));
  const long double rhs_norm = norm(b);
  EXPECT_NEAR(report.rhs_norm, static_cast<double>(rhs_norm), 45 * epsilon * static_cast<double>(rhs_norm));
  if (report.status == batch::Status::not_finite && std::isnan(report.residual_norm)) {
    return;
  }
  const double rounding = static_cast<double>(4 * epsilon * (norm(a) * norm(solution) + rhs_norm) * batch.rows());
  EXPECT_NEAR(report.residual_norm, static_cast<double>(true_residual), rounding);
  EXPECT_EQ(report.status == batch::Status::converged, report.residual_norm <= tolerance * report.rhs_norm);
  if (report.status == batch::Status::converged && batch.rows() <= 20) {  // else it takes long
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
