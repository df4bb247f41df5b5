#pragma once
#include "fft/device/fixed/convolutions/convolution.hpp"
#include "fft/device/fixed/launch.hpp"
#include "fft/device/fixed/shapes/convolution_shapes.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

template <class Real, class Shape, RowKind Kind>
void launch_fixed_convolution(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                              Complex<Real>* out) {
  using Kernel = FixedConvolutionKernel<Real, Shape, Kind>;
  const index_t batch = window.count(pass, window.first);
  const PassLoop& loop = pass.loops[window.first];
  const index_t n = Kind == RowKind::to_reals ? pass.store.count : pass.load.count;
  exec::launch_on_gpu(device, {.groups = ceil_div(batch, Shape::width)},
                      Kernel{reinterpret_cast<const typename Kernel::From*>(in), reinterpret_cast<typename Kernel::To*>(out),
                             pass.fixed_twiddles, pass.load.factors, pass.store.factors, pass.filter_spectrum, batch, loop.from,
                             loop.to, static_cast<int>(n), pass.store.scale, pass.load.swap});
}

// Instantiated by one source for each precision and kind.
template <class Real, RowKind Kind>
FixedLaunch<Real> convolution_launch(index_t length) {
  FixedLaunch<Real> found = nullptr;
  with_shape(length, typename FixedConvolutions<Real>::Shapes{},
             [&](auto shape) { found = launch_fixed_convolution<Real, decltype(shape), Kind>; });
  return found;
}

}  // namespace phpc::fft
