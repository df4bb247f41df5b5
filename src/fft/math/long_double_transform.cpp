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

/// Writes the transform of in[0], in[stride], ... (n of them) to out[0 .. n); root[t * stride] is the t-th of n roots of unity.
/// Decimation in time by four or the smallest prime factor: the cost is n times the sum of these.
void transform_by_factors(const Complex<double>* in, index_t stride, LongDoubleComplex* out, index_t n,
                          const std::vector<LongDoubleComplex>& root) {
  if (n == 1) {
    out[0] = {in[0].re, in[0].im};
    return;
  }
  if (n % 4 == 0) {
    for (index_t r = 0; r < 4; ++r) {
      transform_by_factors(in + r * stride, 4 * stride, out + r * (n / 4), n / 4, root);
    }
    combine_four(out, stride, n / 4, root);
    return;
  }
  const auto root_at = [&](index_t t) { return root[static_cast<std::size_t>(t % n * stride)]; };
  const index_t p = smallest_factor(n);
  const index_t m = n / p;
  for (index_t r = 0; r < p; ++r) {
    transform_by_factors(in + r * stride, p * stride, out + r * m, m, root);
  }
  std::vector<LongDoubleComplex> part(static_cast<std::size_t>(p));
  for (index_t k = 0; k < m; ++k) {
    for (index_t r = 0; r < p; ++r) {
      part[static_cast<std::size_t>(r)] = out[r * m + k] * root_at(r * k);
    }
    for (index_t q = 0; q < p; ++q) {
      LongDoubleComplex sum = part[0];
      for (index_t r = 1; r < p; ++r) {
        sum = sum + part[static_cast<std::size_t>(r)] * root_at(r * q * m);
      }
      out[k + q * m] = sum;
    }
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
  transform_by_factors(x.data(), 1, result.data(), n, root);
  std::vector<Complex<double>> rounded;
  rounded.reserve(x.size());
  for (const LongDoubleComplex value : result) {
    rounded.push_back({static_cast<double>(value.re), static_cast<double>(value.im)});
  }
  return rounded;
}

}  // namespace phpc::fft
