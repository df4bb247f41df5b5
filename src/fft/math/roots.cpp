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
  while (unit_bits_ < 3 && (n >> unit_bits_) % 2 == 0) {
    ++unit_bits_;
  }
  const index_t units = n >> unit_bits_;  // of an octant
  while (index_t{1} << 2 * fine_bits_ < units) {
    ++fine_bits_;
  }
  const index_t fine_count = index_t{1} << fine_bits_;
  for (index_t r = 0; r < fine_count && r <= units; ++r) {
    fine_.push_back(first_octant(r, units));
  }
  for (index_t r = 0; r <= units; r += fine_count) {
    coarse_.push_back(first_octant(r, units));
  }
}

/// Part of both functions that return it: a call of its own, with numbers of 80 bits in memory, took 1.6 and 2.7 times as long in
/// two runs on a busy processor.
[[gnu::always_inline]] inline Complex<long double> RootsOfUnity::at(index_t t) const {
  PHPC_EXPECT(t >= 0 && t < n_);
  // 8 t = octant * n + within, without a division.
  index_t within = 8 * t;
  int octant = 0;
  for (const int octants : {4, 2, 1}) {
    if (within >= octants * n_) {
      within -= octants * n_;
      octant += octants;
    }
  }
  const index_t r = (octant % 2 == 0 ? within : n_ - within) >> unit_bits_;
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

Complex<long double> RootsOfUnity::in_long_double(index_t t) const {
  return at(t);
}

Complex<double> RootsOfUnity::operator()(index_t t) const {
  const Complex<long double> root = at(t);
  return {static_cast<double>(root.re), static_cast<double>(root.im)};
}

std::vector<Complex<double>> all_roots_of_unity(index_t n) {
  const RootsOfUnity root(n);
  std::vector<Complex<double>> roots(static_cast<std::size_t>(n));
  const auto at = [&roots](index_t t) -> Complex<double>& { return roots[static_cast<std::size_t>(t)]; };
  // Roots 0 ... n/8, n/4 or n/2, then the others up to n/2 or, of an odd n, up to (n - 1)/2.
  const index_t computed = n % 4 == 0 ? n / 8 : n % 2 == 0 ? n / 4 : n / 2;
  for (index_t t = 0; t <= computed; ++t) {
    at(t) = root(t);
  }
  if (n % 4 == 0) {
    for (index_t t = computed + 1; t < n / 4; ++t) {
      at(t) = {-at(n / 4 - t).im, -at(n / 4 - t).re};
    }
    for (index_t t = n / 4; t < n / 2; ++t) {
      at(t) = {at(t - n / 4).im, -at(t - n / 4).re};
    }
  } else if (n % 2 == 0) {
    for (index_t t = computed + 1; t < n / 2; ++t) {
      at(t) = {-at(n / 2 - t).re, at(n / 2 - t).im};
    }
  }
  if (n % 2 == 0) {
    for (index_t t = n / 2; t < n; ++t) {
      at(t) = -at(t - n / 2);
    }
  } else {
    for (index_t t = n / 2 + 1; t < n; ++t) {
      at(t) = conj(at(n - t));
    }
  }
  return roots;
}

}  // namespace phpc::fft
