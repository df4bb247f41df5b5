#pragma once
#include <utility>
#include <vector>

#include "fft/host/memory/crew.hpp"
#include "fft/host/packs/pack.hpp"
#include "phpc/fft/descriptor.hpp"

namespace phpc::fft {

/// The r2c postprocessing and the c2r preprocessing of lines of n real numbers, n even, which are transformed as h = n/2 complex
/// ones z[j] = x[2j] + i x[2j+1] (J. W. Cooley, P. A. W. Lewis, P. D. Welch, "The fast Fourier transform algorithm: programming
/// considerations in the calculation of sine, cosine and Laplace transforms", 1970): with w = exp(-2 pi i / n), forward
///   X[k] = (Z[k] + conj Z[h-k]) / 2 - i w^k (Z[k] - conj Z[h-k]) / 2,
/// and back the transform is that of Z[k] = (X[k] + conj X[h-k]) + i w^-k (X[k] - conj X[h-k]).
template <class Real>
class HostHalves {
 public:
  using Value = PackValue<Real>;

  HostHalves(index_t h, Direction direction);
  [[nodiscard]] std::size_t table_bytes() const { return (twiddle_re_.size() + twiddle_im_.size()) * sizeof(Real); }

  /// Elements 0 ... h of one line of interleaved numbers, from and to; both may be the same. The crew waits at the end.
  void run_line(const Crew& crew, const Real* from, Real* to) const;
  /// The same of a line in each lane.
  void run_lanes(const Value* from, Value* to) const;
  /// -i w^k / 2, or i w^-k, 0 <= k <= h/2.
  [[nodiscard]] Complex<Real> twiddle(index_t k) const {
    return {twiddle_re_[static_cast<std::size_t>(k)], twiddle_im_[static_cast<std::size_t>(k)]};
  }

 private:
  template <class T>
  void ends(const Complex<T>* from, Complex<T>* to) const;
  /// Elements k and h - k from those.
  template <class T, class Twiddle>
  [[gnu::always_inline]] std::pair<Complex<T>, Complex<T>> pair(Complex<T> a, Complex<T> b, Complex<Twiddle> twiddle) const {
    const Complex<T> sum = scaled(a + conj(b), factor_);
    const Complex<T> difference = fused_product(a - conj(b), Complex<T>{twiddle.re - T{}, twiddle.im - T{}});
    return {sum + difference, conj(sum - difference)};
  }

  index_t h_;
  Direction direction_;
  Real factor_;
  std::vector<Real> twiddle_re_;  ///< -i w^k / 2, or i w^-k, 0 <= k <= h/2
  std::vector<Real> twiddle_im_;
};

}  // namespace phpc::fft
