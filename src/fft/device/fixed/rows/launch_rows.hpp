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

/// Instantiated by one source for each precision and cap.
template <class Real, int Registers>
FixedLaunch<Real> rows_launch(index_t length) {
  FixedLaunch<Real> found = nullptr;
  with_capped_shape<Registers>(length, typename FixedRows<Real>::Shapes{},
                               [&](auto shape) { found = launch_fixed_rows<Real, decltype(shape)>; });
  return found;
}

}  // namespace phpc::fft
