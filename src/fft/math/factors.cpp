#include "fft/math/factors.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>

namespace phpc::fft {

namespace {

constexpr int small_primes[] = {2, 3, 5, 7, 11, 13};

int power_of(index_t& n, int prime) {
  int power = 0;
  while (n % prime == 0) {
    n /= prime;
    ++power;
  }
  return power;
}

/// Returns the shortest of `odd` times powers of two and of the odd primes up to small_primes[last] that is at least n, if it is
/// below `best`.
index_t shortest_multiple(index_t odd, std::size_t last, index_t n, index_t best) {
  if (last == 0) {
    while (odd < n) {
      odd *= 2;
    }
    return std::min(odd, best);
  }
  for (index_t product = odd;; product *= small_primes[last]) {
    best = shortest_multiple(product, last - 1, n, best);
    if (product >= n) {
      return best;
    }
  }
}

/// Returns all divisors of a smooth n up to `limit`, ascending.
std::vector<index_t> divisors(index_t n, index_t limit) {
  std::vector<index_t> found{1};
  for (const int prime : small_primes) {
    index_t rest = n;
    const int power = power_of(rest, prime);
    const std::size_t before = found.size();
    index_t factor = 1;
    for (int exponent = 1; exponent <= power; ++exponent) {
      factor *= prime;
      for (std::size_t i = 0; i < before; ++i) {
        if (found[i] <= limit / factor) {
          found.push_back(found[i] * factor);
        }
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Returns the two factors of n, both at most `limit`, that are nearest to each other; the larger first.
std::optional<std::pair<index_t, index_t>> two_factors(index_t n, index_t limit) {
  for (const index_t divisor : divisors(n, std::min(limit, n))) {
    if (divisor >= n / divisor) {  // the smallest divisor from the square root on
      return std::pair{divisor, n / divisor};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<int>> stage_radices(index_t n) {
  std::vector<int> radices;
  for (const int prime : {13, 11, 7, 5}) {
    radices.insert(radices.end(), static_cast<std::size_t>(power_of(n, prime)), prime);
  }
  const int threes = power_of(n, 3);
  radices.insert(radices.end(), static_cast<std::size_t>(threes / 2), 9);
  radices.insert(radices.end(), static_cast<std::size_t>(threes % 2), 3);
  // Twos in the fewest stages, spread evenly: 32 is 8 * 4, not 16 * 2.
  const int twos = power_of(n, 2);
  const int stages = (twos + 3) / 4;  // a stage has at most 16
  for (int stage = 0; stage < stages; ++stage) {
    radices.push_back(1 << (twos / stages + (stage < twos % stages ? 1 : 0)));
  }
  if (n != 1) {
    return std::nullopt;
  }
  std::sort(radices.begin(), radices.end(), std::greater<>());
  return radices;
}

bool is_smooth(index_t n) {
  for (const int prime : small_primes) {
    power_of(n, prime);
  }
  return n == 1;
}

std::optional<std::vector<index_t>> pass_lengths(index_t n, index_t limit) {
  if (n <= limit) {
    return std::vector{n};
  }
  if (const auto two = two_factors(n, limit)) {
    return std::vector{two->first, two->second};
  }
  // The first factor nearest to the cube root from which the rest splits in two.
  std::vector<index_t> firsts = divisors(n, limit);
  const double root = std::cbrt(static_cast<double>(n));
  std::sort(firsts.begin(), firsts.end(), [root](index_t a, index_t b) {
    return std::abs(std::log(static_cast<double>(a) / root)) < std::abs(std::log(static_cast<double>(b) / root));
  });
  for (const index_t first : firsts) {
    if (const auto two = two_factors(n / first, limit)) {
      return std::vector{first, two->first, two->second};
    }
  }
  return std::nullopt;
}

index_t smooth_length(index_t n) {
  return shortest_multiple(1, std::size(small_primes) - 1, n, std::numeric_limits<index_t>::max());
}

index_t padded_length(index_t n) {
  index_t best = std::numeric_limits<index_t>::max();
  for (const index_t odd : {1, 3, 5, 7, 9, 15}) {
    index_t length = odd;
    while (length < n) {
      length *= 2;
    }
    best = std::min(best, length);
  }
  return best;
}

}  // namespace phpc::fft
