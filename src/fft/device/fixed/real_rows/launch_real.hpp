#pragma once
#include "fft/device/fixed/launch.hpp"
#include "fft/device/fixed/real_rows/real.hpp"
#include "fft/device/fixed/shapes/real_shapes.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

// Instantiated by one source a precision.
template <class Real>
bool launch_fixed_real(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                       Complex<Real>* out) {
  if (pass.loop_count - window.first != 1) {
    return false;
  }
  const PassLoop& rows = pass.loops[window.first];
  const index_t count = window.count(pass, window.first);
  const auto launch_of = [&](const auto& shape) {
    return exec::LaunchShape{.groups = ceil_div(count, shape.width),
                             .teams = shape.teams_per_unit * static_cast<index_t>(device.properties().compute_units)};
  };
  if (pass.form == PassForm::rows_from_real) {
    return with_shape(pass.length, RealRowsOf<Real, PassForm::rows_from_real>{}, [&](auto shape) {
      exec::launch_on_gpu(device, launch_of(shape),
                          FixedFromRealKernel<Real, decltype(shape)>{in, out, pass.fixed_twiddles, pass.store.r2c_roots, count,
                                                                     rows.from, rows.to, pass.store.scale});
    });
  }
  return with_shape(pass.length, RealRowsOf<Real, PassForm::rows_to_real>{}, [&](auto shape) {
    exec::launch_on_gpu(device, launch_of(shape),
                        FixedToRealKernel<Real, decltype(shape)>{in, out, pass.fixed_twiddles, pass.load.roots, count, rows.from,
                                                                 rows.to, pass.store.scale});
  });
}

}  // namespace phpc::fft
