#include "fft/wide_transform.hpp"

#include "fft/roots.hpp"

namespace phpc::fft {

namespace {

using Wide = Complex<long double>;

index_t smallest_factor(index_t n) {
  for (index_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) {
      return p;
    }
  }
  return n;
}

/// Writes the transform of in[0], in[stride], ... (n of them) to out[0 .. n); root[t * stride] is the t-th of n roots of unity.
/// Decimation in time by the smallest prime factor: the cost is n times the sum of these.
void transform_by_factors(const Complex<double>* in, index_t stride, Wide* out, index_t n, const std::vector<Wide>& root) {
  if (n == 1) {
    out[0] = {in[0].re, in[0].im};
    return;
  }
  const auto root_at = [&](index_t t) { return root[static_cast<std::size_t>(t % n * stride)]; };
  const index_t p = smallest_factor(n);
  const index_t m = n / p;
  for (index_t r = 0; r < p; ++r) {
    transform_by_factors(in + r * stride, p * stride, out + r * m, m, root);
  }
  std::vector<Wide> part(static_cast<std::size_t>(p));
  for (index_t k = 0; k < m; ++k) {
    for (index_t r = 0; r < p; ++r) {
      part[static_cast<std::size_t>(r)] = out[r * m + k] * root_at(r * k);
    }
    for (index_t q = 0; q < p; ++q) {
      Wide sum = part[0];
      for (index_t r = 1; r < p; ++r) {
        sum = sum + part[static_cast<std::size_t>(r)] * root_at(r * q * m);
      }
      out[k + q * m] = sum;
    }
  }
}

}  // namespace

std::vector<Complex<double>> wide_transform(const std::vector<Complex<double>>& x) {
  const auto n = static_cast<index_t>(x.size());
  const RootsOfUnity roots(n);
  std::vector<Wide> root(x.size());
  for (index_t t = 0; t < n; ++t) {
    root[static_cast<std::size_t>(t)] = roots.wide(t);
  }
  std::vector<Wide> result(x.size());
  transform_by_factors(x.data(), 1, result.data(), n, root);
  std::vector<Complex<double>> rounded;
  rounded.reserve(x.size());
  for (const Wide value : result) {
    rounded.push_back({static_cast<double>(value.re), static_cast<double>(value.im)});
  }
  return rounded;
}

}  // namespace phpc::fft
