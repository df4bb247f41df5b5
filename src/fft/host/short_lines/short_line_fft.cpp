#include "fft/host/short_lines/short_line_fft.hpp"

#include "fft/host/short_lines/short_line_fft_impl.hpp"
#include "fft/math/roots.hpp"

namespace phpc::fft {

namespace {

/// What a length is taken apart into: n1 = 1 where it is one butterfly in each lane, n2 = lanes where lines go in groups.
struct ShortLineSplit {
  int n1;
  int n2;
};

template <class Real>
constexpr ShortLineSplit split(index_t length) {
  constexpr int width = lanes<Real>;
  if (ShortLineFft<Real>::is_one_butterfly(length)) {
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

/// The longest power of two.
constexpr index_t longest = 256;

/// Calls f.operator()<N1, N2, Swapped>() for the split of `length`, a power of two from `Length` on that is no single butterfly.
template <class Real, index_t Length, class F>
void with_split(index_t length, bool swapped, const F& f) {
  if constexpr (Length <= longest) {
    if (length == Length) {
      constexpr ShortLineSplit parts = split<Real>(Length);
      if (swapped) {
        f.template operator()<parts.n1, parts.n2, true>();
      } else {
        f.template operator()<parts.n1, parts.n2, false>();
      }
    } else {
      with_split<Real, 2 * Length>(length, swapped, f);
    }
  }
}

/// Runs lines that are one butterfly each.
template <class Real, int... Lengths>
void run_one_butterfly(index_t length, bool swapped, Real scale, const LineRun<Real>& lines,
                       std::integer_sequence<int, Lengths...> /*list*/) {
  const auto run = [&]<int R>() {
    if constexpr (ShortLineFft<Real>::is_one_butterfly(R)) {
      swapped ? detail::run_butterflies<R, true, Real>(scale, lines) : detail::run_butterflies<R, false, Real>(scale, lines);
    }
  };
  static_cast<void>(((length == Lengths && (run.template operator()<Lengths>(), true)) || ...));
}

}  // namespace

template <class Real>
bool ShortLineFft<Real>::fits(index_t length) {
  return lanes<Real> >= 4 && (is_one_butterfly(length) || ((length & (length - 1)) == 0 && length > 1 && length <= longest));
}

template <class Real>
std::vector<int> ShortLineFft<Real>::radices(index_t length) {
  const auto [n1, n2] = split<Real>(length);
  return n1 == 1 ? std::vector{n2} : std::vector{n1, n2};
}

template <class Real>
ShortLineFft<Real>::ShortLineFft(index_t length, bool swapped, double scale)
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
void ShortLineFft<Real>::run(const LineRun<Real>& lines) const {
  if constexpr (lanes<Real> >= 4) {
    if (is_one_butterfly(length_)) {
      run_one_butterfly(length_, swapped_, scale_, lines, OneButterflyLengths{});
      return;
    }
    with_split<Real, 2 * longest_butterfly>(length_, swapped_, [&]<int N1, int N2, bool Swapped>() {
      if constexpr (N1 * N2 <= lanes<Real> * lanes<Real>) {
        detail::run_groups<N1, Swapped, Real>(twiddles_.data(), lines);
      } else {
        detail::run_squares<N1, N2, Swapped, Real>(twiddles_.data(), lines);
      }
    });
  }
}

template class ShortLineFft<float>;
template class ShortLineFft<double>;

}  // namespace phpc::fft
