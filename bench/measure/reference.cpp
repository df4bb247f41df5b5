#include "measure/reference.hpp"

#include <cmath>
#include <numbers>

namespace phpc::bench {

namespace {

using Wide = Complex<long double>;
using WideArray = std::vector<Wide>;

constexpr index_t largest_direct_factor = 31;

Wide root_of_unity(index_t numerator, index_t denominator) {
  const long double angle =
      -2 * std::numbers::pi_v<long double> * static_cast<long double>(numerator) / static_cast<long double>(denominator);
  return {std::cos(angle), std::sin(angle)};
}

index_t smallest_factor(index_t n) {
  for (index_t factor = 2; factor * factor <= n; ++factor) {
    if (n % factor == 0) {
      return factor;
    }
  }
  return n;
}

WideArray roots_of_unity(index_t n) {
  WideArray roots(static_cast<std::size_t>(n));
  for (index_t t = 0; t < n; ++t) {
    roots[static_cast<std::size_t>(t)] = root_of_unity(t, n);
  }
  return roots;
}

WideArray by_convolution(const WideArray& x);

/// The transform of x[0], x[stride], ..., n of them; roots[t * stride] is the t-th of n roots.
WideArray by_factors(const WideArray& x, index_t first, index_t stride, index_t n, const WideArray& roots) {
  if (n == 1) {
    return {x[static_cast<std::size_t>(first)]};
  }
  const index_t p = smallest_factor(n);
  if (p > largest_direct_factor) {
    WideArray part(static_cast<std::size_t>(n));
    for (index_t j = 0; j < n; ++j) {
      part[static_cast<std::size_t>(j)] = x[static_cast<std::size_t>(first + j * stride)];
    }
    return by_convolution(part);
  }
  const index_t m = n / p;
  WideArray result(static_cast<std::size_t>(n), Wide{0, 0});
  for (index_t r = 0; r < p; ++r) {
    const WideArray part = by_factors(x, first + r * stride, p * stride, m, roots);
    for (index_t k = 0; k < n; ++k) {
      const Wide root = roots[static_cast<std::size_t>(r * k % n * stride)];
      result[static_cast<std::size_t>(k)] = result[static_cast<std::size_t>(k)] + part[static_cast<std::size_t>(k % m)] * root;
    }
  }
  return result;
}

/// j k = (j^2 + k^2 - (k - j)^2) / 2 makes the sum a convolution with a chirp, done with transforms of a power of two.
WideArray by_convolution(const WideArray& x) {
  const auto n = static_cast<index_t>(x.size());
  index_t m = 1;
  while (m < 2 * n - 1) {
    m *= 2;
  }
  const WideArray roots = roots_of_unity(m);
  WideArray chirp(x.size());
  WideArray a(static_cast<std::size_t>(m), Wide{0, 0});
  WideArray b(static_cast<std::size_t>(m), Wide{0, 0});
  for (index_t j = 0; j < n; ++j) {
    const auto at = static_cast<std::size_t>(j);
    chirp[at] = root_of_unity(j * j % (2 * n), 2 * n);
    a[at] = x[at] * chirp[at];
    b[at] = conj(chirp[at]);
    b[static_cast<std::size_t>((m - j) % m)] = b[at];
  }
  const WideArray of_a = by_factors(a, 0, 1, m, roots);
  const WideArray of_b = by_factors(b, 0, 1, m, roots);
  // The inverse transform as the conjugate of the forward transform of the conjugate.
  WideArray product(static_cast<std::size_t>(m));
  for (std::size_t k = 0; k < product.size(); ++k) {
    product[k] = conj(of_a[k] * of_b[k]);
  }
  const WideArray convolved = by_factors(product, 0, 1, m, roots);
  WideArray result(x.size());
  for (std::size_t k = 0; k < result.size(); ++k) {
    result[k] = scaled(conj(convolved[k]) * chirp[k], 1 / static_cast<long double>(m));
  }
  return result;
}

}  // namespace

std::vector<Complex<long double>> reference_transform(const std::vector<Complex<long double>>& x) {
  const auto n = static_cast<index_t>(x.size());
  return by_factors(x, 0, 1, n, roots_of_unity(n));
}

}  // namespace phpc::bench
