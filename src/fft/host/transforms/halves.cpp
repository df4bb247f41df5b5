#include "fft/host/transforms/halves.hpp"

#include "fft/math/roots.hpp"

namespace phpc::fft {

template <class Real>
HostHalves<Real>::HostHalves(index_t h, Direction direction)
    : h_(h), direction_(direction), factor_(direction == Direction::forward ? Real{0.5} : Real{1}) {
  const RootsOfUnity root(2 * h);
  const double factor = direction == Direction::forward ? 0.5 : 1;
  const double sign = direction == Direction::forward ? -1 : 1;
  for (index_t k = 0; k <= h / 2; ++k) {
    const Complex<double> w = root(k);
    twiddle_re_.push_back(static_cast<Real>(factor * w.im));
    twiddle_im_.push_back(static_cast<Real>(sign * factor * w.re));
  }
}

/// Elements 0 and h, with the imaginary parts that they have in exact arithmetic.
template <class Real>
template <class T>
void HostHalves<Real>::ends(const Complex<T>* from, Complex<T>* to) const {
  if (direction_ == Direction::forward) {
    const Complex<T> z = from[0];
    to[0] = {z.re + z.im, T{}};
    to[h_] = {z.re - z.im, T{}};
  } else {
    const T x0 = from[0].re;
    const T xh = from[h_].re;
    to[0] = {x0 + xh, x0 - xh};
  }
}

template <class Real>
void HostHalves<Real>::run_line(const Crew& crew, const Real* from, Real* to) const {
  const auto* const in = reinterpret_cast<const Complex<Real>*>(from);
  auto* const out = reinterpret_cast<Complex<Real>*>(to);
  if (crew.rank == 0) {
    ends(in, out);
  }
  const auto [begin, end] = crew.share(h_ / 2);
  index_t k = begin + 1;
  // While neither the packs from both ends of the line meet nor this thread's part ends.
  for (; k + lanes<Real> <= end + 1 && k + lanes<Real> <= h_ - k - lanes<Real> + 1; k += lanes<Real>) {
    const index_t opposite = h_ - k - lanes<Real> + 1;
    const Value b = load_interleaved(from + 2 * opposite);
    const auto [low, high] =
        pair<Pack<Real>, Pack<Real>>(load_interleaved(from + 2 * k), {reversed<Real>(b.re), reversed<Real>(b.im)},
                                     {load_pack(twiddle_re_.data() + k), load_pack(twiddle_im_.data() + k)});
    store_interleaved(to + 2 * k, low);
    store_interleaved(to + 2 * opposite, {reversed<Real>(high.re), reversed<Real>(high.im)});
  }
  for (; k <= end; ++k) {
    const auto [low, high] = pair<Real, Real>(in[k], in[h_ - k], twiddle(k));
    out[k] = low;
    out[h_ - k] = high;
  }
  crew.wait();
}

template <class Real>
void HostHalves<Real>::run_lanes(const Value* from, Value* to) const {
  ends(from, to);
  for (index_t k = 1; k <= h_ / 2; ++k) {
    const auto [low, high] = pair<Pack<Real>, Real>(from[k], from[h_ - k], twiddle(k));
    to[k] = low;
    to[h_ - k] = high;
  }
}

template class HostHalves<float>;
template class HostHalves<double>;

}  // namespace phpc::fft
