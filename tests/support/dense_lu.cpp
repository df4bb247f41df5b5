#include "support/dense_lu.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace phpc::test {

std::optional<DenseVector> lu_solve(DenseMatrix a, DenseVector b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t row = k + 1; row < n; ++row) {
      if (std::fabs(a[row * n + k]) > std::fabs(a[pivot * n + k])) {
        pivot = row;
      }
    }
    if (a[pivot * n + k] == 0) {
      return std::nullopt;
    }
    std::swap(b[k], b[pivot]);
    for (std::size_t column = 0; column < n; ++column) {
      std::swap(a[k * n + column], a[pivot * n + column]);
    }
    for (std::size_t row = k + 1; row < n; ++row) {
      const long double factor = a[row * n + k] / a[k * n + k];
      for (std::size_t column = k; column < n; ++column) {
        a[row * n + column] -= factor * a[k * n + column];
      }
      b[row] -= factor * b[k];
    }
  }
  for (std::size_t row = n; row-- > 0;) {
    for (std::size_t column = row + 1; column < n; ++column) {
      b[row] -= a[row * n + column] * b[column];
    }
    b[row] /= a[row * n + row];
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
  long double sum = 0;
  for (std::size_t column = 0; column < n; ++column) {
    DenseVector unit(n, 0);
    unit[column] = 1;
    const std::optional<DenseVector> inverse_column = lu_solve(a, unit);
    if (!inverse_column) {
      return std::numeric_limits<long double>::infinity();
    }
    const long double length = norm(*inverse_column);
    sum += length * length;
  }
  return std::sqrt(sum);
}

}  // namespace phpc::test
