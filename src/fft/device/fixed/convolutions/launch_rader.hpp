#pragma once
#include "fft/device/fixed/convolutions/rader.hpp"
#include "fft/device/fixed/launch.hpp"
#include "fft/device/fixed/shapes/rader_shapes.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

template <class Real, class Shape>
void launch_fixed_rader(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                        Complex<Real>* out) {
  const index_t batch = window.count(pass, window.first);
  const PassLoop& loop = pass.loops[window.first];
  const index_t teams = Shape::teams_per_unit * static_cast<index_t>(device.properties().compute_units);
  exec::launch_on_gpu(
      device, {.groups = ceil_div(batch, Shape::width), .teams = teams},
      FixedRaderKernel<Real, Shape>{in, out, pass.fixed_twiddles, pass.filter_spectrum, pass.logs, pass.logs + Shape::length,
                                    batch, loop.from, loop.to, pass.store.scale, pass.load.swap});
}

// Instantiated by one source a precision.
template <class Real>
FixedLaunch<Real> rader_launch(index_t length) {
  FixedLaunch<Real> found = nullptr;
  with_shape(length, typename FixedRaders<Real>::Shapes{},
             [&](auto shape) { found = launch_fixed_rader<Real, decltype(shape)>; });
  return found;
}

}  // namespace phpc::fft
