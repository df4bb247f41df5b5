#include "fft/host/small_pow2/small_pow2_fft.hpp"

#include <algorithm>

#include "fft/host/small_pow2/small_pow2_fft_impl.hpp"
#include "fft/math/roots.hpp"

namespace phpc::fft {

namespace {

/// What a length is taken apart into: n1 = 1 where it is one butterfly in each lane, n2 = lanes where lines go in groups.
struct SmallPow2Split {
  int n1;
  int n2;
};

template <class Real>
constexpr SmallPow2Split split(index_t length) {
  constexpr int width = lanes<Real>;
  if (length <= width) {
    return {1, static_cast<int>(length)};
  }
  if (length <= width * width) {
    return {static_cast<int>(length / width), width};
  }
  int n1 = width;
  while (2 * n1 * 2 * n1 <= length) {
    n1 *= 2;
  }
  return {n1, static_cast<int>(length / n1)};
}

/// Calls f.operator()<N1, N2, Swapped>() for the split of `length`, of those up to Longest.
template <class Real, index_t Length, index_t Longest, class F>
void with_split(index_t length, bool swapped, const F& f) {
  if constexpr (Length <= Longest) {
    if (length == Length) {
      constexpr SmallPow2Split parts = split<Real>(Length);
      if (swapped) {
        f.template operator()<parts.n1, parts.n2, true>();
      } else {
        f.template operator()<parts.n1, parts.n2, false>();
      }
    } else {
      with_split<Real, 2 * Length, Longest>(length, swapped, f);
    }
  }
}

/// The longest butterfly is 16.
constexpr index_t longest = 256;

template <class Real>
constexpr index_t shortest = std::max(4, lanes<Real> / 2);

}  // namespace

template <class Real>
bool SmallPow2Fft<Real>::fits(index_t length) {
  return lanes<Real> >= 4 && (length & (length - 1)) == 0 && length >= shortest<Real> && length <= longest;
}

template <class Real>
std::vector<int> SmallPow2Fft<Real>::radices(index_t length) {
  const auto [n1, n2] = split<Real>(length);
  return n1 == 1 ? std::vector{n2} : std::vector{n1, n2};
}

template <class Real>
SmallPow2Fft<Real>::SmallPow2Fft(index_t length, bool swapped, double scale)
    : length_(length), swapped_(swapped), scale_(static_cast<Real>(scale)) {
  const auto [n1, n2] = split<Real>(length);
  const RootsOfUnity root(length);
  for (index_t first = 0; n1 > 1 && first < n2; first += lanes<Real>) {
    for (index_t k1 = 0; k1 < n1; ++k1) {
      PackValue<Real> value{};
      for (int lane = 0; lane < lanes<Real>; ++lane) {
        const Complex<double> w = scaled(root(k1 * (first + lane)), scale);
        value.re[lane] = static_cast<Real>(w.re);
        value.im[lane] = static_cast<Real>(w.im);
      }
      twiddles_.push_back(value);
    }
  }
}

template <class Real>
void SmallPow2Fft<Real>::run(const LineRun<Real>& lines) const {
  if constexpr (lanes<Real> >= 4) {
    with_split<Real, shortest<Real>, longest>(length_, swapped_, [&]<int N1, int N2, bool Swapped>() {
      if constexpr (N1 == 1) {
        detail::run_butterflies<N2, Swapped, Real>(scale_, lines);
      } else if constexpr (N1 * N2 <= lanes<Real> * lanes<Real>) {
        detail::run_groups<N1, Swapped, Real>(twiddles_.data(), lines);
      } else {
        detail::run_squares<N1, N2, Swapped, Real>(twiddles_.data(), lines);
      }
    });
  }
}

template class SmallPow2Fft<float>;
template class SmallPow2Fft<double>;

}  // namespace phpc::fft
