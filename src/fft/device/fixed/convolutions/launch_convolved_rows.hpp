#pragma once
#include "fft/device/fixed/convolutions/convolved_rows.hpp"
#include "fft/device/fixed/launch.hpp"
#include "fft/device/fixed/shapes/convolution_shapes.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

/// The pass goes from an array to itself.
template <class Real, class Shape>
void launch_fixed_convolved_rows(exec::Device device, const Pass<Real>& pass, const PassWindow& window,
                                 const Complex<Real>* /*in*/, Complex<Real>* out) {
  index_t rows = 1;
  for (int loop = window.first; loop < pass.loop_count; ++loop) {
    rows *= window.count(pass, loop);
  }
  exec::launch_on_gpu(device, {.groups = ceil_div(rows, index_t{Shape::width})},
                      FixedConvolvedRowsKernel<Real, Shape>{out,
                                                            pass.fixed_twiddles,
                                                            pass.filter_spectrum,
                                                            {pass.fine, pass.coarse, pass.fine_shift},
                                                            rows,
                                                            static_cast<int>(window.count(pass, pass.loop_count - 1))});
}

// Instantiated by one source a precision.
template <class Real>
FixedLaunch<Real> convolved_rows_launch(index_t length) {
  FixedLaunch<Real> found = nullptr;
  with_shape(length, typename FixedConvolvedRows<Real>::Shapes{},
             [&](auto shape) { found = launch_fixed_convolved_rows<Real, decltype(shape)>; });
  return found;
}

}  // namespace phpc::fft
