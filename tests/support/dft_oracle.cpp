#include "support/dft_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <type_traits>

namespace phpc::test {

namespace {

/// exp(-+ 2 pi i t / n).
Wide root_of_unity(index_t t, index_t n, fft::Direction direction) {
  constexpr long double two_pi = 6.283185307179586476925286766559005768L;
  const long double sign = direction == fft::Direction::forward ? -1 : 1;
  const long double angle = two_pi * static_cast<long double>(t) / static_cast<long double>(n);
  return {std::cos(angle), sign * std::sin(angle)};
}

/// All n of them, 0 <= t < n.
std::vector<Wide> roots(index_t n, fft::Direction direction) {
  std::vector<Wide> values(static_cast<std::size_t>(n));
  for (index_t t = 0; t < n; ++t) {
    values[static_cast<std::size_t>(t)] = root_of_unity(t, n, direction);
  }
  return values;
}

/// x[offset], x[offset + stride], ... (n of them); root[t * stride] is the t-th of n roots of unity.
std::vector<Wide> strided_dft(const std::vector<Wide>& x, const std::vector<Wide>& root, index_t n, index_t offset,
                              index_t stride) {
  if (n == 1) {
    return {x[static_cast<std::size_t>(offset)]};
  }
  const index_t p = smallest_prime_factor(n);
  const index_t m = n / p;
  std::vector<std::vector<Wide>> parts;
  for (index_t r = 0; r < p; ++r) {
    parts.push_back(strided_dft(x, root, m, offset + r * stride, stride * p));
  }
  std::vector<Wide> result(static_cast<std::size_t>(n), Wide{0, 0});
  for (index_t k = 0; k < n; ++k) {
    for (index_t r = 0; r < p; ++r) {
      result[static_cast<std::size_t>(k)] =
          result[static_cast<std::size_t>(k)] + parts[static_cast<std::size_t>(r)][static_cast<std::size_t>(k % m)] *
                                                    root[static_cast<std::size_t>(r * k % n * stride)];
    }
  }
  return result;
}

}  // namespace

index_t smallest_prime_factor(index_t n) {
  for (index_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) {
      return p;
    }
  }
  return n;
}

std::vector<Wide> dft(const std::vector<Wide>& x, fft::Direction direction) {
  const auto n = static_cast<index_t>(x.size());
  return strided_dft(x, roots(n, direction), n, 0, 1);
}

std::vector<Wide> dft_at(const std::vector<Wide>& x, const std::vector<index_t>& places, fft::Direction direction) {
  const auto n = static_cast<index_t>(x.size());
  // In blocks of about sqrt(n) elements, whose roots are those of the first block times the root of the block's first element.
  const auto block = static_cast<index_t>(std::ceil(std::sqrt(static_cast<double>(n))));
  std::vector<Wide> sums;
  for (const index_t k : places) {
    std::vector<Wide> first_block;
    for (index_t j = 0; j < block; ++j) {
      first_block.push_back(root_of_unity(j * k % n, n, direction));
    }
    Wide sum{0, 0};
    for (index_t first = 0; first < n; first += block) {
      Wide part{0, 0};
      for (index_t j = 0; j < std::min(block, n - first); ++j) {
        part = part + x[static_cast<std::size_t>(first + j)] * first_block[static_cast<std::size_t>(j)];
      }
      sum = sum + part * root_of_unity(first * k % n, n, direction);
    }
    sums.push_back(sum);
  }
  return sums;
}

template <class Real>
std::vector<Complex<Real>> random_signal(index_t count, unsigned seed) {
  std::mt19937 random(seed);
  const auto draw = [&random] {
    return static_cast<Real>(static_cast<double>(random() >> 8) / static_cast<double>(1 << 23) - 1);
  };
  std::vector<Complex<Real>> values(static_cast<std::size_t>(count));
  for (Complex<Real>& value : values) {
    value.re = draw();
    value.im = draw();
  }
  return values;
}

template <class Real>
std::vector<Wide> widened(const std::vector<Complex<Real>>& values, index_t first, index_t count) {
  std::vector<Wide> wide;
  for (index_t i = first; i < first + count; ++i) {
    const Complex<Real> value = values[static_cast<std::size_t>(i)];
    wide.push_back({value.re, value.im});
  }
  return wide;
}

template <class Real>
void RelativeError::add(Complex<Real> got, Wide expected) {
  const Wide difference = Wide{got.re, got.im} - expected;
  error_ += difference.re * difference.re + difference.im * difference.im;
  norm_ += expected.re * expected.re + expected.im * expected.im;
}

double RelativeError::value() const {
  return static_cast<double>(std::sqrt(error_ / norm_));
}

template <class Real>
double tolerance(index_t n) {
  index_t rest = n;
  for (const index_t p : {2, 3, 5, 7, 11, 13}) {
    while (rest % p == 0) {
      rest /= p;
    }
  }
  const double one = std::is_same_v<Real, float> ? 1e-7 : 1e-16;
  const double growth = std::sqrt(std::log2(static_cast<double>(std::max<index_t>(n, 2))));
  return (rest == 1 ? 1 : 2) * one * growth;
}

template std::vector<Complex<float>> random_signal(index_t count, unsigned seed);
template std::vector<Complex<double>> random_signal(index_t count, unsigned seed);
template std::vector<Wide> widened(const std::vector<Complex<float>>& values, index_t first, index_t count);
template std::vector<Wide> widened(const std::vector<Complex<double>>& values, index_t first, index_t count);
template void RelativeError::add(Complex<float> got, Wide expected);
template void RelativeError::add(Complex<double> got, Wide expected);
template double tolerance<float>(index_t n);
template double tolerance<double>(index_t n);

}  // namespace phpc::test
