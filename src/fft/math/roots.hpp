#pragma once
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::fft {

/// The n-th roots of unity exp(-2 pi i t / n), 0 <= t < n, correctly rounded to double but for rare last bits.
///
/// The angle is folded into the first octant in integers, so that symmetric roots are bit for bit symmetric and the exact ones
/// (1, -i, -1, i) exact. Within the octant the root is one product in long double of two table entries, each straight from the
/// sine and cosine: fast for millions of roots, and nothing accumulates.
class RootsOfUnity {
 public:
  /// 1 <= n < 2^59.
  explicit RootsOfUnity(index_t n);
  /// Root t, 0 <= t < n.
  [[nodiscard]] Complex<double> operator()(index_t t) const;
  /// Root t before it is rounded to double.
  [[nodiscard]] Complex<long double> in_long_double(index_t t) const;

 private:
  [[nodiscard]] Complex<long double> at(index_t t) const;

  index_t n_;
  int unit_bits_ = 0;                         ///< angles are multiples of unit = 2^unit_bits in eighths of 1/n: gcd(n, 8)
  int fine_bits_ = 0;                         ///< fine_count = 2^fine_bits: two divisions less a root
  std::vector<Complex<long double>> fine_;    ///< exp(i pi/4 r unit / n), r < fine_count
  std::vector<Complex<long double>> coarse_;  ///< exp(i pi/4 r unit fine_count / n)
};

/// Returns all n-th roots of unity, root t at place t: the numbers of RootsOfUnity(n), of which an octant, or for lengths that
/// are no multiples of 4 a quarter or half of them, is computed, and the others are its mirror images. Tables that take most
/// roots more than once are made from it, a few times as fast. Memory: 16 n bytes.
std::vector<Complex<double>> all_roots_of_unity(index_t n);

}  // namespace phpc::fft
