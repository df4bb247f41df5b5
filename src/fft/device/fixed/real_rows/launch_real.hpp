#pragma once
#include "fft/device/fixed/launch.hpp"
#include "fft/device/fixed/real_rows/real.hpp"
#include "fft/device/fixed/shapes/real_shapes.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

template <class Real, PassForm Form, class Shape>
void launch_fixed_real_rows(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                            Complex<Real>* out) {
  const PassLoop& rows = pass.loops[window.first];
  const index_t count = window.count(pass, window.first);
  const exec::LaunchShape launched{.groups = ceil_div(count, Shape::width),
                                   .teams = Shape::teams_per_unit * static_cast<index_t>(device.properties().compute_units)};
  if constexpr (Form == PassForm::rows_from_real) {
    exec::launch_on_gpu(device, launched,
                        FixedFromRealKernel<Real, Shape>{in, out, pass.fixed_twiddles, pass.store.r2c_roots, count, rows.from,
                                                         rows.to, pass.store.scale});
  } else {
    exec::launch_on_gpu(device, launched,
                        FixedToRealKernel<Real, Shape>{in, out, pass.fixed_twiddles, pass.load.roots, count, rows.from, rows.to,
                                                       pass.store.scale});
  }
}

/// Instantiated by one source for each precision and cap.
template <class Real, PassForm Form, int Registers>
FixedLaunch<Real> real_rows_launch(index_t length) {
  FixedLaunch<Real> found = nullptr;
  with_capped_shape<Registers>(length, RealRowsOf<Real, Form>{},
                               [&](auto shape) { found = launch_fixed_real_rows<Real, Form, decltype(shape)>; });
  return found;
}

}  // namespace phpc::fft
