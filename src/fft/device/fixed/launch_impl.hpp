#pragma once
#include "fft/device/fixed/launch.hpp"
#include "fft/device/fixed/loops.hpp"
#include "fft/device/fixed/pass.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

template <class Real, class Shape, Along Load, Along Store>
void launch_shape(exec::Device device, const Pass<Real>& pass, const FixedLoops& loops, const Complex<Real>* in,
                  Complex<Real>* out) {
  using Kernel = FixedPassKernel<Real, Shape, Load, Store>;
  Kernel kernel{in,
                out,
                pass.fixed_twiddles,
                loops.inner.count,
                Load == Along::inner ? pass.from_step : loops.inner.from,
                Store == Along::inner ? pass.to_step : loops.inner.to,
                pass.store.scale,
                pass.load.swap,
                pass.store.swap_last,
                {}};
  if constexpr (Kernel::has_columns) {
    kernel.columns = {loops.outer.from, loops.middle.from,  loops.outer.to,
                      loops.middle.to,  loops.middle.count, {pass.fine, pass.coarse, pass.fine_shift}};
  }
  const index_t teams = Shape::teams_per_unit * static_cast<index_t>(device.properties().compute_units);
  const index_t groups = loops.outer.count * loops.middle.count * ceil_div(loops.inner.count, Shape::width);
  exec::launch_on_gpu(device, {.groups = groups, .teams = teams}, kernel);
}

}  // namespace phpc::fft
