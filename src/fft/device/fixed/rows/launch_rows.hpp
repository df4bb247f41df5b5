#pragma once
#include "fft/device/fixed/launch_impl.hpp"
#include "fft/device/fixed/rows/prime.hpp"
#include "fft/device/fixed/shapes/row_shapes.hpp"

namespace phpc::fft {

template <class Real, class Shapes>
bool launch_rows(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                 Complex<Real>* out) {
  FixedLoops loops;
  if (!are_fixed_rows(pass, window, loops)) {
    return false;
  }
  return with_shape(pass.length, Shapes{}, [&](auto shape) {
    using Shape = decltype(shape);
    if constexpr (is_direct_prime<Shape>) {
      exec::launch_on_gpu(device, {.groups = ceil_div(loops.inner.count, Shape::width)},
                          FixedPrimeKernel<Real, Shape>{in, out, loops.inner.count, loops.inner.from, loops.inner.to,
                                                        pass.store.scale, pass.load.swap, pass.store.swap_last});
    } else {
      launch_shape<Real, Shape, Along::element, Along::element>(device, pass, loops, in, out);
    }
  });
}

// Each is instantiated by one source a precision, the register-capped ones by one for both, so that they compile side by side.

template <class Real>
bool launch_fixed_rows(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                       Complex<Real>* out) {
  return launch_rows<Real, typename FixedRows<Real>::Small>(device, pass, window, in, out) ||
         launch_rows<Real, typename FixedRows<Real>::Large>(device, pass, window, in, out);
}

template <class Real>
bool launch_fixed_register_capped_rows(exec::Device device, const Pass<Real>& pass, const PassWindow& window,
                                       const Complex<Real>* in, Complex<Real>* out) {
  return launch_rows<Real, typename FixedRows<Real>::RegisterCapped>(device, pass, window, in, out);
}

}  // namespace phpc::fft
