#pragma once
#include <algorithm>
#include <numeric>
#include <vector>

#include "fft/device/general/stages/limits.hpp"
#include "phpc/core/types.hpp"

/// What the rules of passes and of convolutions have in common.
namespace phpc::fft {

inline constexpr index_t line_bytes = 128;         ///< of memory
inline constexpr index_t least_pass = 16;          ///< no pass of several is shorter
inline constexpr index_t many_neighbours = 65536;  ///< more than any tile is wide

/// Returns the factor by which reading or writing rows of so many bytes is slower than whole lines of memory. Rows begin at
/// multiples of `step` bytes; half of what they share with others in sectors of memory is paid.
inline double cost_of_segments(index_t bytes, index_t step) {
  const index_t begins = std::gcd(std::gcd(step, bytes), sector_bytes);
  const double shared = static_cast<double>(sector_bytes - begins) / static_cast<double>(bytes);
  const double parted = bytes >= line_bytes ? 1 : bytes >= 64 ? 1.06 : bytes >= 32 ? 1.35 : bytes >= 16 ? 2.2 : 4;
  return parted * (1 + 0.5 * shared);
}

/// Returns the bytes of scratch of a team, with room for padding.
template <class Real>
index_t bytes_of(index_t elements) {
  return (elements + elements / 8 + 32) * static_cast<index_t>(sizeof(Complex<Real>)) + place_bytes;
}

/// Returns the divisors d of n from `least` to `most` for which n / d is at least `least` too, ascending.
inline std::vector<index_t> divisors_of(index_t n, index_t most, index_t least = least_pass) {
  const index_t last = std::min(n / least, most);
  std::vector<index_t> found;
  std::vector<index_t> large;
  for (index_t d = least; d <= n / d; ++d) {
    if (n % d == 0) {
      if (d <= last) {
        found.push_back(d);
      }
      if (n / d > d && n / d <= last) {
        large.push_back(n / d);
      }
    }
  }
  found.insert(found.end(), large.rbegin(), large.rend());
  return found;
}

}  // namespace phpc::fft
