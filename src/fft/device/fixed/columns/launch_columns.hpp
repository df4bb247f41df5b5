#pragma once
#include "fft/device/fixed/launch_impl.hpp"
#include "fft/device/fixed/shapes/column_shapes.hpp"

namespace phpc::fft {

template <class Real, class Shapes>
bool launch_columns(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                    Complex<Real>* out) {
  FixedLoops loops;
  if (!are_fixed_columns(pass, window, loops)) {
    return false;
  }
  return with_shape(pass.length, Shapes{}, [&](auto shape) {
    if (loops.inner.from == 1) {
      launch_shape<Real, decltype(shape), Along::inner, Along::inner>(device, pass, loops, in, out);
    } else {
      launch_shape<Real, decltype(shape), Along::element, Along::inner>(device, pass, loops, in, out);
    }
  });
}

template <class Real>
bool launch_fixed_columns(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                          Complex<Real>* out) {
  return launch_columns<Real, typename FixedColumns<Real>::Uncapped>(device, pass, window, in, out);
}

template <class Real>
bool launch_fixed_register_capped_columns(exec::Device device, const Pass<Real>& pass, const PassWindow& window,
                                          const Complex<Real>* in, Complex<Real>* out) {
  return launch_columns<Real, typename FixedColumns<Real>::RegisterCapped>(device, pass, window, in, out);
}

}  // namespace phpc::fft
