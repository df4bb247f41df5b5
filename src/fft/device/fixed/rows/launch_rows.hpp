#pragma once
#include "fft/device/fixed/launch_impl.hpp"
#include "fft/device/fixed/rows/prime.hpp"
#include "fft/device/fixed/shapes/row_shapes.hpp"

namespace phpc::fft {

template <class Real, class Shape>
void launch_fixed_rows(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                       Complex<Real>* out) {
  const FixedLoops loops = fixed_loops(pass, window);
  if constexpr (is_direct_prime<Shape>) {
    exec::launch_on_gpu(device, {.groups = ceil_div(loops.inner.count, Shape::width)},
                        FixedPrimeKernel<Real, Shape>{in, out, loops.inner.count, loops.inner.from, loops.inner.to,
                                                      pass.store.scale, pass.load.swap, pass.store.swap_last});
  } else {
    launch_shape<Real, Shape, Along::element, Along::element>(device, pass, loops, in, out);
  }
}

template <class Real, class Shapes>
FixedLaunch<Real> rows_launch_of(index_t length) {
  FixedLaunch<Real> found = nullptr;
  with_shape(length, Shapes{}, [&](auto shape) { found = launch_fixed_rows<Real, decltype(shape)>; });
  return found;
}

// Each is instantiated by one source a precision, the register-capped ones by one for both, so that they compile side by side.

template <class Real>
FixedLaunch<Real> rows_launch(index_t length) {
  const FixedLaunch<Real> small = rows_launch_of<Real, typename FixedRows<Real>::Small>(length);
  return small != nullptr ? small : rows_launch_of<Real, typename FixedRows<Real>::Large>(length);
}

template <class Real>
FixedLaunch<Real> register_capped_rows_launch(index_t length) {
  return rows_launch_of<Real, typename FixedRows<Real>::RegisterCapped>(length);
}

}  // namespace phpc::fft
