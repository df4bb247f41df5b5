#pragma once
#include <vector>

#include "phpc/core/types.hpp"

/// Rader's algorithm: for a prime p and a primitive root g of it, X[g^-k] - x[0] is the cyclic convolution, of length p - 1, of
/// x[g^j] with exp(-2 pi i g^-j / p) (Rader, "Discrete Fourier transforms when the number of data samples is prime", 1968).
namespace phpc::fft {

[[nodiscard]] bool is_prime(index_t n);

/// Returns 1, g, g^2, ... modulo an odd prime, p - 1 of them, for its smallest primitive root g.
[[nodiscard]] std::vector<index_t> primitive_powers(index_t prime);

/// Returns the filter of Rader's convolution: exp(-2 pi i g^-j / p) / (p - 1) for 0 <= j < p - 1, of primitive_powers(p).
[[nodiscard]] std::vector<Complex<double>> rader_filter(const std::vector<index_t>& powers);

}  // namespace phpc::fft
