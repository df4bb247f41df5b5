#pragma once
#include <algorithm>

#include "fft/device/fixed/four_step/four_step.hpp"
#include "fft/device/fixed/launch.hpp"
#include "fft/device/fixed/shapes/four_step_shapes.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

template <class Real, PassForm Form, class Shapes>
bool launch_four_step(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                      Complex<Real>* out) {
  const index_t batch = window.count(pass, window.first);
  const PassLoop& loop = pass.loops[window.first];
  const FourStepTables<Real>& four_step = pass.four_step;
  return with_shape(pass.length, Shapes{}, [&](auto shape) {
    using Shape = decltype(shape);
    using Kernel = FixedFourStepKernel<Real, typename Shape::First, typename Shape::Second, Form>;
    const int count = static_cast<int>(batch);
    const typename Kernel::Schedule schedule{four_step.words, count, std::min(four_step.lag, count), four_step.slots};
    exec::launch_on_gpu(
        device, {.groups = batch * Kernel::Schedule::tiles_of_all},
        Kernel{in, out, four_step.ring, pass.fixed_twiddles, four_step.second_twiddles, pass.four_step_twiddles,
               four_step.four_step_powers, loop.from, loop.to, schedule, pass.store.scale, pass.load.swap, four_step.roots});
  });
}

// The first of these is instantiated by one source a precision and form, the second by one a form.

template <class Real, PassForm Form>
bool launch_fixed_four_step(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                            Complex<Real>* out) {
  return launch_four_step<Real, Form, typename FourStepsOf<Real, Form>::Uncapped>(device, pass, window, in, out);
}

template <class Real, PassForm Form>
bool launch_fixed_register_capped_four_step(exec::Device device, const Pass<Real>& pass, const PassWindow& window,
                                            const Complex<Real>* in, Complex<Real>* out) {
  return launch_four_step<Real, Form, typename FourStepsOf<Real, Form>::RegisterCapped>(device, pass, window, in, out);
}

}  // namespace phpc::fft
