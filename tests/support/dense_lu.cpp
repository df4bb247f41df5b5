#include "support/dense_lu.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace phpc::test {

namespace {

/// Overwrites the columns of b, an n x m matrix by rows, with the solutions of a x = b; false where a is singular.
bool eliminate(DenseMatrix a, DenseMatrix& b, std::size_t n, std::size_t m) {
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t row = k + 1; row < n; ++row) {
      if (std::fabs(a[row * n + k]) > std::fabs(a[pivot * n + k])) {
        pivot = row;
      }
    }
    if (a[pivot * n + k] == 0) {
      return false;
    }
    for (std::size_t column = 0; column < n; ++column) {
      std::swap(a[k * n + column], a[pivot * n + column]);
    }
    for (std::size_t column = 0; column < m; ++column) {
      std::swap(b[k * m + column], b[pivot * m + column]);
    }
    for (std::size_t row = k + 1; row < n; ++row) {
      const long double factor = a[row * n + k] / a[k * n + k];
      for (std::size_t column = k; column < n; ++column) {
        a[row * n + column] -= factor * a[k * n + column];
      }
      for (std::size_t column = 0; column < m; ++column) {
        b[row * m + column] -= factor * b[k * m + column];
      }
    }
  }
  for (std::size_t row = n; row-- > 0;) {
    for (std::size_t other = row + 1; other < n; ++other) {
      for (std::size_t column = 0; column < m; ++column) {
        b[row * m + column] -= a[row * n + other] * b[other * m + column];
      }
    }
    for (std::size_t column = 0; column < m; ++column) {
      b[row * m + column] /= a[row * n + row];
    }
  }
  return true;
}

}  // namespace

std::optional<DenseVector> lu_solve(const DenseMatrix& a, DenseVector b) {
  if (!eliminate(a, b, b.size(), 1)) {
    return std::nullopt;
  }
  return b;
}

DenseVector residual(const DenseMatrix& a, const DenseVector& x, const DenseVector& b) {
  const std::size_t n = b.size();
  DenseVector r = b;
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      r[row] -= a[row * n + column] * x[column];
    }
  }
  return r;
}

long double norm(const DenseVector& vector) {
  long double sum = 0;
  for (const long double value : vector) {
    sum += value * value;
  }
  return std::sqrt(sum);
}

long double inverse_norm(const DenseMatrix& a) {
  const auto n = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(a.size()))));
  DenseMatrix inverse(n * n, 0);
  for (std::size_t row = 0; row < n; ++row) {
    inverse[row * n + row] = 1;
  }
  if (!eliminate(a, inverse, n, n)) {
    return std::numeric_limits<long double>::infinity();
  }
  return norm(inverse);
}

}  // namespace phpc::test
