#pragma once
#include <algorithm>

#include "fft/device/fixed/four_step/four_step_convolution.hpp"
#include "fft/device/fixed/launch.hpp"
#include "fft/device/fixed/shapes/four_step_shapes.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

template <class Real, class Shape>
void launch_fixed_four_step_convolution(exec::Device device, const Pass<Real>& pass, const PassWindow& window,
                                        const Complex<Real>* in, Complex<Real>* out) {
  using Kernel = FixedFourStepConvolutionKernel<Real, typename Shape::First, typename Shape::Second>;
  const index_t batch = window.count(pass, window.first);
  const PassLoop& loop = pass.loops[window.first];
  const FourStepTables<Real>& four_step = pass.four_step;
  const int count = static_cast<int>(batch);
  const typename Kernel::Schedule schedule{four_step.words, count, std::min(four_step.lag, count / 2), four_step.slots};
  exec::launch_on_gpu(device, {.groups = batch * Kernel::Schedule::tiles_of_all},
                      Kernel{in, out, four_step.ring, pass.fixed_twiddles, four_step.second_twiddles, pass.four_step_twiddles,
                             four_step.four_step_powers, pass.load.factors, pass.filter_spectrum, loop.from, loop.to, schedule,
                             static_cast<int>(pass.load.count), pass.store.scale, pass.load.swap});
}

// Instantiated by one source a precision.
template <class Real>
FixedLaunch<Real> four_step_convolution_launch(index_t length) {
  FixedLaunch<Real> found = nullptr;
  with_shape(length, typename FixedFourStepConvolutions<Real>::Shapes{},
             [&](auto shape) { found = launch_fixed_four_step_convolution<Real, decltype(shape)>; });
  return found;
}

}  // namespace phpc::fft
