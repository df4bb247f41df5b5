#include "support/fast_dft.hpp"

#include <cmath>
#include <map>

namespace phpc::test {

namespace {

/// exp(-2 pi i t / n), 0 <= t < n, kept for the next transform.
const std::vector<Wide>& roots(index_t n) {
  static std::map<index_t, std::vector<Wide>> known;
  std::vector<Wide>& values = known[n];
  constexpr long double two_pi = 6.283185307179586476925286766559005768L;
  values.reserve(static_cast<std::size_t>(n));
  for (index_t t = static_cast<index_t>(values.size()); t < n; ++t) {
    const long double angle = two_pi * static_cast<long double>(t) / static_cast<long double>(n);
    values.push_back({std::cos(angle), -std::sin(angle)});
  }
  return values;
}

/// In place, n a power of two; the result in bit-reversed order.
void halves_forward(Wide* x, index_t n) {
  const std::vector<Wide>& root = roots(n);
  for (index_t span = n / 2; span > 0; span /= 2) {
    for (index_t first = 0; first < n; first += 2 * span) {
      for (index_t j = 0; j < span; ++j) {
        Wide& low = x[first + j];
        Wide& high = x[first + j + span];
        const Wide difference = low - high;
        low = low + high;
        high = difference * root[static_cast<std::size_t>(j * (n / 2 / span))];
      }
    }
  }
}

/// The inverse of that, from bit-reversed order, times n.
void halves_backward(Wide* x, index_t n) {
  const std::vector<Wide>& root = roots(n);
  for (index_t span = 1; span < n; span *= 2) {
    for (index_t first = 0; first < n; first += 2 * span) {
      for (index_t j = 0; j < span; ++j) {
        Wide& low = x[first + j];
        Wide& high = x[first + j + span];
        const Wide turned = high * conj(root[static_cast<std::size_t>(j * (n / 2 / span))]);
        high = low - turned;
        low = low + turned;
      }
    }
  }
}

/// Bluestein's way: X[k] = c[k] sum_j (x[j] c[j]) conj(c[k - j]), c[j] = exp(-pi i j^2 / n).
void convolved(const Wide* x, index_t n, index_t stride, Wide* result) {
  index_t padded = 1;
  while (padded < 2 * n) {
    padded *= 2;
  }
  const std::vector<Wide>& root = roots(2 * n);
  std::vector<Wide> signal(static_cast<std::size_t>(padded), Wide{0, 0});
  std::vector<Wide> filter(static_cast<std::size_t>(padded), Wide{0, 0});
  for (index_t j = 0; j < n; ++j) {
    const Wide chirp = root[static_cast<std::size_t>(j * j % (2 * n))];
    signal[static_cast<std::size_t>(j)] = x[j * stride] * chirp;
    filter[static_cast<std::size_t>(j)] = conj(chirp);
    filter[static_cast<std::size_t>((padded - j) % padded)] = conj(chirp);
  }
  halves_forward(signal.data(), padded);
  halves_forward(filter.data(), padded);
  for (std::size_t k = 0; k < signal.size(); ++k) {
    signal[k] = signal[k] * filter[k];
  }
  halves_backward(signal.data(), padded);
  for (index_t k = 0; k < n; ++k) {
    const Wide chirp = root[static_cast<std::size_t>(k * k % (2 * n))];
    result[k] = scaled(signal[static_cast<std::size_t>(k)] * chirp, 1 / static_cast<long double>(padded));
  }
}

void forward(const Wide* x, index_t n, index_t stride, Wide* result) {
  if (n == 1) {
    *result = *x;
    return;
  }
  const index_t p = smallest_prime_factor(n);
  if (p > 13) {
    convolved(x, n, stride, result);
    return;
  }
  const index_t m = n / p;
  for (index_t r = 0; r < p; ++r) {
    forward(x + r * stride, m, stride * p, result + r * m);
  }
  // Elements k, k + m, ... of the result are sums over element k of each part.
  const std::vector<Wide>& root = roots(n);
  Wide parts[13];
  for (index_t k = 0; k < m; ++k) {
    for (index_t r = 0; r < p; ++r) {
      parts[r] = result[r * m + k] * root[static_cast<std::size_t>(r * k)];
    }
    for (index_t q = 0; q < p; ++q) {
      Wide sum = parts[0];
      for (index_t r = 1; r < p; ++r) {
        sum = sum + parts[r] * root[static_cast<std::size_t>(q * r % p * m)];
      }
      result[q * m + k] = sum;
    }
  }
}

}  // namespace

std::vector<Wide> fast_dft(const std::vector<Wide>& x, fft::Direction direction) {
  const auto n = static_cast<index_t>(x.size());
  std::vector<Wide> result(x.size());
  if (direction == fft::Direction::forward) {
    forward(x.data(), n, 1, result.data());
    return result;
  }
  std::vector<Wide> mirrored;
  for (const Wide value : x) {
    mirrored.push_back(conj(value));
  }
  forward(mirrored.data(), n, 1, result.data());
  for (Wide& value : result) {
    value = conj(value);
  }
  return result;
}

}  // namespace phpc::test
