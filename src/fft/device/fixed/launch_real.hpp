#pragma once
#include "fft/device/fixed/launch.hpp"
#include "fft/device/fixed/real.hpp"
#include "fft/device/fixed/real_shapes.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

/// One source a precision instantiates this.
template <class Real>
bool launch_fixed_real(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                       Complex<Real>* out) {
  if (pass.loop_count - window.first != 1) {
    return false;
  }
  const PassLoop& rows = pass.loops[window.first];
  const index_t count = window.count(pass, window.first);
  return with_shape(pass.length, typename FixedReals<Real>::Shapes{}, [&](auto shape) {
    using Shape = decltype(shape);
    const exec::LaunchShape launch{.groups = ceil_div(count, Shape::width),
                                   .teams = Shape::teams_per_unit * static_cast<index_t>(device.properties().compute_units)};
    if (pass.store.untangling != nullptr) {
      exec::launch_on_gpu(device, launch,
                          FixedFromRealKernel<Real, Shape>{in, out, pass.fixed_twiddles, pass.store.untangling, count, rows.from,
                                                           rows.to, pass.store.scale});
    } else {
      exec::launch_on_gpu(device, launch,
                          FixedToRealKernel<Real, Shape>{in, out, pass.fixed_twiddles, pass.load.roots, count, rows.from, rows.to,
                                                         pass.store.scale});
    }
  });
}

}  // namespace phpc::fft
