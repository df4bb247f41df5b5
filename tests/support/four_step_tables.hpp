#pragma once
#include <span>
#include <vector>

#include "fft/math/roots.hpp"
#include "phpc/exec/buffer.hpp"

namespace phpc::test {

/// A copy on the device.
template <class Value>
exec::Buffer<Value> kept(exec::Device device, const std::vector<Value>& values) {
  return exec::Buffer<Value>(device, std::span<const Value>(values));
}

template <class Real>
Complex<Real> rounded(Complex<double> value) {
  return {static_cast<Real>(value.re), static_cast<Real>(value.im)};
}

/// The twiddles between both phases of a fused four-step kernel.
template <class Real, class First, class Second>
struct FourStepTwiddles {
  std::vector<Complex<Real>> four_step_twiddles;
  std::vector<Complex<Real>> steps;

  FourStepTwiddles() {
    constexpr index_t columns = Second::length;
    constexpr index_t last = First::radix[First::stages - 1];
    const fft::RootsOfUnity root(First::length * columns);
    for (index_t u = 0; u < First::length / last; ++u) {
      for (index_t column = 0; column < columns; ++column) {
        four_step_twiddles.push_back(rounded<Real>(root(u * column)));
      }
    }
    for (index_t power = 1; power < last; power *= 4) {
      for (index_t column = 0; column < columns; ++column) {
        steps.push_back(rounded<Real>(root(column * power % (columns * last) * (First::length / last))));
      }
    }
  }
};

}  // namespace phpc::test
