#include "fft/math/roots.hpp"

#include <cmath>

#include "phpc/core/error.hpp"

namespace phpc::fft {

namespace {

/// Returns exp(i pi/4 r/n) for 0 <= r <= n.
Complex<long double> first_octant(index_t r, index_t n) {
  constexpr long double quarter_pi = 0.7853981633974483096156608458198757L;
  const long double angle = quarter_pi * static_cast<long double>(r) / static_cast<long double>(n);
  return {std::cos(angle), std::sin(angle)};
}

}  // namespace

RootsOfUnity::RootsOfUnity(index_t n) : n_(n) {
  while (index_t{1} << 2 * fine_bits_ < n) {
    ++fine_bits_;
  }
  const index_t fine_count = index_t{1} << fine_bits_;
  for (index_t r = 0; r < fine_count && r <= n; ++r) {
    fine_.push_back(first_octant(r, n));
  }
  for (index_t r = 0; r <= n; r += fine_count) {
    coarse_.push_back(first_octant(r, n));
  }
}

Complex<long double> RootsOfUnity::in_long_double(index_t t) const {
  PHPC_EXPECT(t >= 0 && t < n_);
  const index_t octant = 8 * t / n_;
  const index_t within = 8 * t - octant * n_;
  const index_t r = octant % 2 == 0 ? within : n_ - within;
  const auto [c, s] =
      coarse_[static_cast<std::size_t>(r >> fine_bits_)] * fine_[static_cast<std::size_t>(r & ((index_t{1} << fine_bits_) - 1))];
  switch (octant) {
    case 0:
      return {c, -s};
    case 1:
      return {s, -c};
    case 2:
      return {-s, -c};
    case 3:
      return {-c, -s};
    case 4:
      return {-c, s};
    case 5:
      return {-s, c};
    case 6:
      return {s, c};
    default:
      return {c, s};
  }
}

Complex<double> RootsOfUnity::operator()(index_t t) const {
  const Complex<long double> root = in_long_double(t);
  return {static_cast<double>(root.re), static_cast<double>(root.im)};
}

}  // namespace phpc::fft
