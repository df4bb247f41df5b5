#pragma once
#include <algorithm>

#include "fft/device/fixed/four_step/four_step.hpp"
#include "fft/device/fixed/launch.hpp"
#include "fft/device/fixed/shapes/four_step_shapes.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

template <class Real, PassForm Form, class Shape>
void launch_fixed_four_step(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                            Complex<Real>* out) {
  using Kernel = FixedFourStepKernel<Real, typename Shape::First, typename Shape::Second, Form>;
  const index_t batch = window.count(pass, window.first);
  const PassLoop& loop = pass.loops[window.first];
  const FourStepTables<Real>& four_step = pass.four_step;
  const int groups =
      Form == PassForm::fused_last_passes ? static_cast<int>(ceil_div(four_step.line_rows, Shape::Second::width)) : 1;
  const int count = static_cast<int>(batch) * groups;
  const typename Kernel::Schedule schedule{four_step.words, count, std::min(four_step.lag, count), four_step.slots};
  exec::launch_on_gpu(device, {.groups = index_t{count} * Kernel::Schedule::tiles_of_all},
                      Kernel{in, out, four_step.ring, pass.fixed_twiddles, four_step.second_twiddles, pass.four_step_twiddles,
                             four_step.four_step_powers, loop.from, loop.to, schedule, pass.store.scale, pass.store.swap_last,
                             four_step.roots, four_step.line_rows});
}

template <class Real, PassForm Form, class Shapes>
FixedLaunch<Real> four_step_launch_of(index_t length) {
  FixedLaunch<Real> found = nullptr;
  with_shape(length, Shapes{}, [&](auto shape) { found = launch_fixed_four_step<Real, Form, decltype(shape)>; });
  return found;
}

// The first of these is instantiated by one source a precision and form, the second by one a form.

template <class Real, PassForm Form>
FixedLaunch<Real> four_step_launch(index_t length) {
  return four_step_launch_of<Real, Form, typename FourStepsOf<Real, Form>::Uncapped>(length);
}

template <class Real, PassForm Form>
FixedLaunch<Real> register_capped_four_step_launch(index_t length) {
  return four_step_launch_of<Real, Form, typename FourStepsOf<Real, Form>::RegisterCapped>(length);
}

}  // namespace phpc::fft
