#include "fft/wide_transform.hpp"

#include "fft/roots.hpp"

namespace phpc::fft {

namespace {

using Wide = Complex<long double>;

/// Writes the transform of in[0], in[stride], ... (n of them) to out[0 .. n); root[t * stride] is the t-th of n roots of unity.
void transform_by_halves(const Complex<double>* in, index_t stride, Wide* out, index_t n, const std::vector<Wide>& root) {
  const auto root_at = [&](index_t t) { return root[static_cast<std::size_t>(t * stride)]; };
  if (n % 2 == 1) {
    for (index_t k = 0; k < n; ++k) {
      out[k] = {0, 0};
      for (index_t j = 0; j < n; ++j) {
        out[k] = out[k] + root_at(j * k % n) * Wide{in[j * stride].re, in[j * stride].im};
      }
    }
    return;
  }
  const index_t half = n / 2;
  transform_by_halves(in, 2 * stride, out, half, root);
  transform_by_halves(in + stride, 2 * stride, out + half, half, root);
  for (index_t k = 0; k < half; ++k) {
    const Wide odd = out[half + k] * root_at(k);
    out[half + k] = out[k] - odd;
    out[k] = out[k] + odd;
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
  transform_by_halves(x.data(), 1, result.data(), n, root);
  std::vector<Complex<double>> rounded;
  rounded.reserve(x.size());
  for (const Wide value : result) {
    rounded.push_back({static_cast<double>(value.re), static_cast<double>(value.im)});
  }
  return rounded;
}

}  // namespace phpc::fft
