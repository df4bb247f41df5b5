#include "fft/math/long_double_transform.hpp"

#include "fft/math/roots.hpp"

namespace phpc::fft {

namespace {

using LongDoubleComplex = Complex<long double>;

index_t smallest_factor(index_t n) {
  for (index_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) {
      return p;
    }
  }
  return n;
}

LongDoubleComplex times_minus_i(LongDoubleComplex a) {
  return {a.im, -a.re};
}

/// Combines four transforms of m elements into one of 4 m, by decimation in time, without products by 1, -i, -1 and i.
void combine_four(LongDoubleComplex* out, index_t stride, index_t m, const std::vector<LongDoubleComplex>& root) {
  const LongDoubleComplex* const roots = root.data();
  for (index_t k = 0; k < m; ++k) {
    const LongDoubleComplex a = out[k];
    const LongDoubleComplex b = out[m + k] * roots[k * stride];
    const LongDoubleComplex c = out[2 * m + k] * roots[2 * k * stride];
    const LongDoubleComplex d = out[3 * m + k] * roots[3 * k * stride];
    const LongDoubleComplex even = a + c;
    const LongDoubleComplex odd = b + d;
    const LongDoubleComplex even_difference = a - c;
    const LongDoubleComplex odd_difference = times_minus_i(b - d);
    out[k] = even + odd;
    out[m + k] = even_difference + odd_difference;
    out[2 * m + k] = even - odd;
    out[3 * m + k] = even_difference - odd_difference;
  }
}

/// The same of two.
void combine_two(LongDoubleComplex* out, index_t stride, index_t m, const std::vector<LongDoubleComplex>& root) {
  for (index_t k = 0; k < m; ++k) {
    const LongDoubleComplex a = out[k];
    const LongDoubleComplex b = out[m + k] * root[static_cast<std::size_t>(k * stride)];
    out[k] = a + b;
    out[m + k] = a - b;
  }
}

/// The same of an odd number p. With elements r and p - r in pairs, results q and p - q are even + i odd and even - i odd, of
/// products of complex with real numbers. `pairs` has room for p - 1 numbers.
void combine_odd(LongDoubleComplex* out, index_t stride, index_t m, index_t p, const std::vector<LongDoubleComplex>& root,
                 LongDoubleComplex* pairs) {
  const LongDoubleComplex* const roots = root.data();
  const index_t half = p / 2;
  LongDoubleComplex* const sums = pairs;
  LongDoubleComplex* const differences = pairs + half;
  for (index_t k = 0; k < m; ++k) {
    const LongDoubleComplex first = out[k];
    LongDoubleComplex all = first;
    for (index_t r = 1; r <= half; ++r) {
      const LongDoubleComplex a = out[r * m + k] * roots[r * k * stride];
      const LongDoubleComplex b = out[(p - r) * m + k] * roots[(p - r) * k * stride];
      sums[r - 1] = a + b;
      differences[r - 1] = a - b;
      all = all + sums[r - 1];
    }
    out[k] = all;
    for (index_t q = 1; q <= half; ++q) {
      LongDoubleComplex even = first;
      LongDoubleComplex odd{0, 0};
      index_t turns = 0;  // q r modulo p
      for (index_t r = 0; r < half; ++r) {
        turns += turns + q < p ? q : q - p;
        const LongDoubleComplex w = roots[turns * m * stride];
        even = {even.re + sums[r].re * w.re, even.im + sums[r].im * w.re};
        odd = {odd.re + differences[r].re * w.im, odd.im + differences[r].im * w.im};
      }
      out[q * m + k] = {even.re - odd.im, even.im + odd.re};
      out[(p - q) * m + k] = {even.re + odd.im, even.im - odd.re};
    }
  }
}

/// Writes the transform of in[0], in[stride], ... (n of them) to out[0 .. n); root[t * stride] is the t-th of n roots of unity.
/// Decimation in time by four or the smallest prime factor: the cost is n times the sum of these. `pairs` as combine_odd() has
/// it.
void transform_by_factors(const Complex<double>* in, index_t stride, LongDoubleComplex* out, index_t n,
                          const std::vector<LongDoubleComplex>& root, LongDoubleComplex* pairs) {
  if (n == 1) {
    out[0] = {in[0].re, in[0].im};
    return;
  }
  const index_t p = n % 4 == 0 ? 4 : smallest_factor(n);
  const index_t m = n / p;
  for (index_t r = 0; r < p; ++r) {
    transform_by_factors(in + r * stride, p * stride, out + r * m, m, root, pairs);
  }
  switch (p) {
    case 4:
      combine_four(out, stride, m, root);
      break;
    case 2:
      combine_two(out, stride, m, root);
      break;
    default:
      combine_odd(out, stride, m, p, root, pairs);
      break;
  }
}

}  // namespace

std::vector<Complex<double>> long_double_transform(const std::vector<Complex<double>>& x) {
  const auto n = static_cast<index_t>(x.size());
  const RootsOfUnity roots(n);
  std::vector<LongDoubleComplex> root(x.size());
  for (index_t t = 0; t < n; ++t) {
    root[static_cast<std::size_t>(t)] = roots.in_long_double(t);
  }
  std::vector<LongDoubleComplex> result(x.size());
  std::vector<LongDoubleComplex> pairs(x.size());
  transform_by_factors(x.data(), 1, result.data(), n, root, pairs.data());
  std::vector<Complex<double>> rounded;
  rounded.reserve(x.size());
  for (const LongDoubleComplex value : result) {
    rounded.push_back({static_cast<double>(value.re), static_cast<double>(value.im)});
  }
  return rounded;
}

}  // namespace phpc::fft
