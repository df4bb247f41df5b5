#include "fft/math/rader.hpp"

#include "fft/math/roots.hpp"

namespace phpc::fft {

bool is_prime(index_t n) {
  for (index_t divisor = 2; divisor * divisor <= n; ++divisor) {
    if (n % divisor == 0) {
      return false;
    }
  }
  return n > 1;
}

std::vector<index_t> primitive_powers(index_t prime) {
  for (index_t root = 2;; ++root) {
    std::vector<index_t> powers{1};
    for (index_t value = root; value != 1; value = value * root % prime) {
      powers.push_back(value);
    }
    if (static_cast<index_t>(powers.size()) == prime - 1) {
      return powers;
    }
  }
}

std::vector<Complex<double>> rader_filter(const std::vector<index_t>& powers) {
  const std::size_t count = powers.size();
  const RootsOfUnity root(static_cast<index_t>(count) + 1);
  std::vector<Complex<double>> filter(count);
  for (std::size_t j = 0; j < count; ++j) {
    filter[j] = scaled(root(powers[(count - j) % count]), 1 / static_cast<double>(count));
  }
  return filter;
}

}  // namespace phpc::fft
