#include "batch/precond/preconditioner_oracle.hpp"

#include <algorithm>
#include <functional>

namespace phpc::test {

namespace {

long double inverse_or_one(long double value) {
  return value == 0 ? 1 : 1 / value;
}

bool has(const SystemBatch& batch, std::size_t row, std::size_t column) {
  const auto first = batch.pattern.columns.begin() + batch.pattern.row_offsets[row];
  const auto last = batch.pattern.columns.begin() + batch.pattern.row_offsets[row + 1];
  return std::find(first, last, static_cast<std::int32_t>(column)) != last;
}

/// W with W A = I on the entries that `in` tells.
DenseMatrix inverse_on(const DenseMatrix& a, std::size_t n, const std::function<bool(std::size_t, std::size_t)>& in) {
  DenseMatrix w(n * n, 0);
  for (std::size_t row = 0; row < n; ++row) {
    std::vector<std::size_t> columns;
    for (std::size_t column = 0; column < n; ++column) {
      if (in(row, column)) {
        columns.push_back(column);
      }
    }
    const std::size_t m = columns.size();
    DenseMatrix transposed(m * m);
    DenseVector unit(m, 0);
    for (std::size_t i = 0; i < m; ++i) {
      unit[i] = columns[i] == row ? 1 : 0;
      for (std::size_t j = 0; j < m; ++j) {
        transposed[i * m + j] = a[columns[j] * n + columns[i]];
      }
    }
    if (const auto solution = lu_solve(transposed, unit)) {
      for (std::size_t i = 0; i < m; ++i) {
        w[row * n + columns[i]] = (*solution)[i];
      }
    } else {
      w[row * n + row] = inverse_or_one(a[row * n + row]);
    }
  }
  return w;
}

}  // namespace

DenseVector apply_blocks(const DenseMatrix& a, const DenseVector& r, std::size_t size) {
  const std::size_t n = r.size();
  DenseVector z;
  for (std::size_t first = 0; first < n; first += size) {
    const std::size_t m = std::min(size, n - first);
    DenseMatrix block(m * m);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < m; ++j) {
        block[i * m + j] = a[(first + i) * n + first + j];
      }
    }
    const DenseVector part(r.begin() + static_cast<std::ptrdiff_t>(first), r.begin() + static_cast<std::ptrdiff_t>(first + m));
    auto solution = lu_solve(block, part);
    if (!solution) {
      solution = part;
      for (std::size_t i = 0; i < m; ++i) {
        (*solution)[i] *= inverse_or_one(block[i * m + i]);
      }
    }
    z.insert(z.end(), solution->begin(), solution->end());
  }
  return z;
}

DenseMatrix incomplete_factors(const SystemBatch& batch, index_t system) {
  const auto n = static_cast<std::size_t>(batch.rows());
  DenseMatrix a = batch.dense(system);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t k = 0; k < row; ++k) {
      if (has(batch, row, k)) {
        a[row * n + k] /= a[k * n + k];
        for (std::size_t column = k + 1; column < n; ++column) {
          if (has(batch, row, column)) {
            a[row * n + column] -= a[row * n + k] * a[k * n + column];
          }
        }
      }
    }
    if (a[row * n + row] == 0) {
      a[row * n + row] = 1;
    }
  }
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = row + 1; column < n; ++column) {
      a[row * n + column] /= a[row * n + row];
    }
  }
  return a;
}

DenseVector apply_factors(const DenseMatrix& factors, const DenseVector& r) {
  const std::size_t n = r.size();
  DenseVector z = r;
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < row; ++column) {
      z[row] -= factors[row * n + column] * z[column];
    }
  }
  for (std::size_t row = n; row-- > 0;) {
    z[row] /= factors[row * n + row];
    for (std::size_t column = row + 1; column < n; ++column) {
      z[row] -= factors[row * n + column] * z[column];
    }
  }
  return z;
}

DenseMatrix approximate_inverse(const SystemBatch& batch, const DenseMatrix& a) {
  return inverse_on(a, static_cast<std::size_t>(batch.rows()),
                    [&](std::size_t row, std::size_t column) { return row == column || has(batch, row, column); });
}

DenseVector apply_inverse_factors(const SystemBatch& batch, const DenseMatrix& factors, const DenseVector& r) {
  const std::size_t n = r.size();
  DenseMatrix lower(n * n, 0);
  DenseMatrix upper(n * n, 0);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      (column < row ? lower : upper)[row * n + column] = factors[row * n + column];
    }
    lower[row * n + row] = 1;
    upper[row * n + row] = 1;
  }
  DenseVector z = product(
      inverse_on(lower, n,
                 [&](std::size_t row, std::size_t column) { return row == column || (column < row && has(batch, row, column)); }),
      r);
  for (std::size_t row = 0; row < n; ++row) {
    z[row] /= factors[row * n + row];
  }
  return product(
      inverse_on(upper, n,
                 [&](std::size_t row, std::size_t column) { return row == column || (column > row && has(batch, row, column)); }),
      z);
}

DenseVector product(const DenseMatrix& a, const DenseVector& x) {
  const std::size_t n = x.size();
  DenseVector y(n, 0);
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      y[row] += a[row * n + column] * x[column];
    }
  }
  return y;
}

}  // namespace phpc::test
