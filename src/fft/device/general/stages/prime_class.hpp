#pragma once
namespace phpc::fft {

/// The largest radix of a stage by its definition (PrimeTiles).
inline constexpr int most_defined_prime = 127;

/// The kernel with such a stage: the largest of its other radices, the pairs of results that a thread makes, and its cap on
/// registers. Beside cuFFT on an H100 the median of 45 lengths to 4096 was best so, of 4, 6 and 8 pairs at 56 to 80 registers in
/// f32, of 4 and 6 at 80 to 112 in f64.
struct PrimeClass {
  int largest;
  unsigned pairs;
  int registers;
  unsigned terms;  ///< of a sum that it adds at a time: two took 5 % less time in f64 and 3 % more in f32
};
template <class Real>
inline constexpr PrimeClass prime_class = sizeof(Real) == sizeof(float) ? PrimeClass{16, 6, 80, 1} : PrimeClass{16, 4, 96, 2};

/// Whether a stage of such a kernel is done by its definition: no smaller primes are.
constexpr bool is_defined(int radix) {
  return radix > 16;
}

}  // namespace phpc::fft
