#pragma once
#include "fft/device/fixed/launch_impl.hpp"
#include "fft/device/fixed/shapes/column_shapes.hpp"

namespace phpc::fft {

template <class Real, class Shape, Along Load>
void launch_fixed_columns(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                          Complex<Real>* out) {
  launch_shape<Real, Shape, Load, Along::inner>(device, pass, fixed_loops(pass, window), in, out);
}

/// Instantiated by one source for each precision and cap.
template <class Real, int Registers>
FixedLaunch<Real> columns_launch(index_t length, index_t neighbours, bool reads_columns) {
  FixedLaunch<Real> found = nullptr;
  with_capped_shape<Registers>(length, typename FixedColumns<Real>::Shapes{}, [&](auto shape) {
    using Shape = decltype(shape);
    if (Shape::share > 0 && 2 * neighbours < Shape::width) {  // the general kernel has narrower teams
      return;
    }
    found = reads_columns ? launch_fixed_columns<Real, Shape, Along::inner> : launch_fixed_columns<Real, Shape, Along::element>;
  });
  return found;
}

}  // namespace phpc::fft
