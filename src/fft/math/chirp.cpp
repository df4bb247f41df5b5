#include "fft/math/chirp.hpp"

#include "fft/math/roots.hpp"

namespace phpc::fft {

std::vector<Complex<double>> chirp(index_t n) {
  // exp(-pi i j^2/n) is the (j^2 mod 2n)-th of 2n roots of unity: reduced from one square to the next.
  const RootsOfUnity root(2 * n);
  std::vector<Complex<double>> values(static_cast<std::size_t>(n));
  index_t square = 0;
  for (index_t j = 0; j < n; ++j) {
    values[static_cast<std::size_t>(j)] = root(square);
    square += 2 * j + 1;  // less than 4 n
    square -= square >= 2 * n ? 2 * n : 0;
  }
  return values;
}

std::vector<Complex<double>> bluestein_filter(const std::vector<Complex<double>>& chirp, index_t padded,
                                              const ChirpExtents& extents) {
  std::vector<Complex<double>> filter(static_cast<std::size_t>(padded), Complex<double>{0, 0});
  const double scale = 1 / static_cast<double>(padded);
  for (std::size_t k = 0; k < static_cast<std::size_t>(extents.results); ++k) {
    filter[k] = scaled(conj(chirp[k]), scale);
  }
  for (std::size_t j = 1; j < static_cast<std::size_t>(extents.elements); ++j) {
    filter[filter.size() - j] = scaled(conj(chirp[j]), scale);
  }
  return filter;
}

}  // namespace phpc::fft
