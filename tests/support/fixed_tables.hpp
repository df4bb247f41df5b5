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

/// A spectrum in the kernel's precision.
template <class Real>
std::vector<Complex<Real>> rounded(const std::vector<Wide>& spectrum) {
  std::vector<Complex<Real>> values;
  values.reserve(spectrum.size());
  for (const Wide& value : spectrum) {
    values.push_back({static_cast<Real>(value.re), static_cast<Real>(value.im)});
  }
  return values;
}

}  // namespace phpc::test
