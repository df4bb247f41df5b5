#pragma once
#include <vector>

#include "phpc/core/types.hpp"
#include "phpc/fft/descriptor.hpp"

namespace phpc::test {

using Wide = Complex<long double>;

/// The discrete Fourier transform by its definition, in long double: recursive over the smallest prime factor of the length, so
/// plain sums of n products where n is prime. No scale.
std::vector<Wide> dft(const std::vector<Wide>& x, fft::Direction direction);

/// Of n > 1.
index_t smallest_prime_factor(index_t n);

/// The elements of dft(x, direction) at `places`, each as one sum: for lengths whose whole transform would take too long.
std::vector<Wide> dft_at(const std::vector<Wide>& x, const std::vector<index_t>& places, fft::Direction direction);

/// `count` elements, real and imaginary parts uniform in [-1, 1) and exact in float, from a seed.
template <class Real>
std::vector<Complex<Real>> random_signal(index_t count, unsigned seed);

/// Elements [first, first + count) in long double.
template <class Real>
std::vector<Wide> widened(const std::vector<Complex<Real>>& values, index_t first, index_t count);

/// Sums over elements for a relative error in the L2 norm: sqrt(sum |got - expected|^2 / sum |expected|^2).
class RelativeError {
 public:
  template <class Real>
  void add(Complex<Real> got, Wide expected);
  [[nodiscard]] double value() const;

 private:
  long double error_ = 0;
  long double norm_ = 0;
};

/// What a transform of length n may differ from the exact one, as a relative error in the L2 norm on random input:
/// 1e-7 (f32) or 1e-16 (f64) times sqrt(log2 n), and twice that where a prime factor above 13 needs a convolution.
/// The growth is that of the rounding errors of log2 n stages that add up at random; n = 1 counts as 2.
template <class Real>
double tolerance(index_t n);

}  // namespace phpc::test
