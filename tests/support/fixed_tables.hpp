#pragma once
#include <vector>

#include "fft/device/fixed/stages/scratch_padding.hpp"
#include "fft/math/roots.hpp"
#include "support/dft_oracle.hpp"

namespace phpc::test {

/// The twiddles of a FixedShape, as Shape::twiddle_offset says.
template <class Real, class Shape>
std::vector<Complex<Real>> fixed_twiddles() {
  std::vector<Complex<Real>> values;
  for (int stage = 0; stage < Shape::stages; ++stage) {
    const fft::RootsOfUnity root(Shape::block(stage));
    for (int power = 1; power < Shape::radix[stage]; power *= 4) {
      for (int j = 0; j < Shape::block(stage) / Shape::radix[stage]; ++j) {
        const Complex<double> value = root(static_cast<index_t>(j) * power);
        values.push_back({static_cast<Real>(value.re), static_cast<Real>(value.im)});
      }
    }
  }
  return values;
}

/// A spectrum as the stages of a FixedShape leave it in scratch.
template <class Real, class Shape>
std::vector<Complex<Real>> digit_reversed(const std::vector<Wide>& spectrum) {
  constexpr int last = Shape::radix[Shape::stages - 1];
  std::vector<Complex<Real>> ordered(spectrum.size());
  for (int k = 0; k < Shape::length; ++k) {
    const Wide value = spectrum[static_cast<std::size_t>(k)];
    const int place = fft::digit_reversed_place<Shape>(k % (Shape::length / last)) + k / (Shape::length / last);
    ordered[static_cast<std::size_t>(place)] = {static_cast<Real>(value.re), static_cast<Real>(value.im)};
  }
  return ordered;
}

}  // namespace phpc::test
