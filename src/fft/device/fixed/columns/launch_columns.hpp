#pragma once
#include "fft/device/fixed/launch_impl.hpp"
#include "fft/device/fixed/shapes/column_shapes.hpp"

namespace phpc::fft {

template <class Real, class Shape, Along Load>
void launch_fixed_columns(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                          Complex<Real>* out) {
  launch_shape<Real, Shape, Load, Along::inner>(device, pass, fixed_loops(pass, window), in, out);
}

template <class Real, class Shapes>
FixedLaunch<Real> columns_launch_of(index_t length, bool reads_columns) {
  FixedLaunch<Real> found = nullptr;
  with_shape(length, Shapes{}, [&](auto shape) {
    using Shape = decltype(shape);
    found = reads_columns ? launch_fixed_columns<Real, Shape, Along::inner> : launch_fixed_columns<Real, Shape, Along::element>;
  });
  return found;
}

template <class Real>
FixedLaunch<Real> columns_launch(index_t length, bool reads_columns) {
  return columns_launch_of<Real, typename FixedColumns<Real>::Uncapped>(length, reads_columns);
}

template <class Real>
FixedLaunch<Real> register_capped_columns_launch(index_t length, bool reads_columns) {
  return columns_launch_of<Real, typename FixedColumns<Real>::RegisterCapped>(length, reads_columns);
}

}  // namespace phpc::fft
