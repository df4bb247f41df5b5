#pragma once
#include "fft/device/fixed/convolutions/convolution.hpp"
#include "fft/device/fixed/launch.hpp"
#include "fft/device/fixed/shapes/convolution_shapes.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

template <class Real, class Shape>
void launch_fixed_convolution(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                              Complex<Real>* out) {
  const index_t batch = window.count(pass, window.first);
  const PassLoop& loop = pass.loops[window.first];
  const index_t teams = Shape::teams_per_unit * static_cast<index_t>(device.properties().compute_units);
  exec::launch_on_gpu(
      device, {.groups = ceil_div(batch, Shape::width), .teams = teams},
      FixedConvolutionKernel<Real, Shape>{in, out, pass.fixed_twiddles, pass.load.factors, pass.filter_spectrum, batch, loop.from,
                                          loop.to, static_cast<int>(pass.load.count), pass.store.scale, pass.load.swap});
}

// Instantiated by one source a precision.
template <class Real>
FixedLaunch<Real> convolution_launch(index_t length) {
  FixedLaunch<Real> found = nullptr;
  with_shape(length, typename FixedConvolutions<Real>::Shapes{},
             [&](auto shape) { found = launch_fixed_convolution<Real, decltype(shape)>; });
  return found;
}

}  // namespace phpc::fft
