#pragma once
#include "fft/fixed_convolution.hpp"
#include "fft/fixed_launch.hpp"
#include "fft/fixed_pass.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

template <class Real, class Shape, Along Load, Along Store>
void launch_shape(exec::Device device, const Pass<Real>& pass, BatchIndex batch_index, index_t batch, const Complex<Real>* in,
                  Complex<Real>* out) {
  using Kernel = FixedPassKernel<Real, Shape, Load, Store>;
  const bool is_inner = batch_index == BatchIndex::inner;
  const index_t inner_count = is_inner ? batch : pass.inner_count;
  const index_t outer_count = is_inner ? pass.outer_count : batch;
  Kernel kernel{in,
                out,
                pass.fixed_twiddles,
                inner_count,
                Load == Along::inner ? pass.from.element : pass.from.inner,
                Store == Along::inner ? pass.to.element : pass.to.inner,
                pass.store.scale,
                pass.load.swap,
                pass.store.swap_last,
                {}};
  if constexpr (Kernel::has_columns) {
    kernel.columns = {pass.from.outer, pass.from.middle, pass.to.outer, pass.to.middle, pass.middle_count,
                      pass.between,    pass.fine,        pass.coarse,   pass.fine_shift};
  }
  const index_t teams = Shape::teams_per_unit * static_cast<index_t>(device.properties().compute_units);
  exec::launch_on_gpu(device, {.groups = outer_count * pass.middle_count * ceil_div(inner_count, Shape::width), .teams = teams},
                      kernel);
}

/// One source a precision and form instantiates these, so that they compile side by side.
template <class Real>
bool launch_fixed_rows(exec::Device device, const Pass<Real>& pass, BatchIndex batch_index, index_t batch,
                       const Complex<Real>* in, Complex<Real>* out) {
  const auto launch = [&](auto shape) {
    launch_shape<Real, decltype(shape), Along::element, Along::element>(device, pass, batch_index, batch, in, out);
  };
  return with_shape(pass.length, typename FixedRows<Real>::Small{}, launch) ||
         with_shape(pass.length, typename FixedRows<Real>::Large{}, launch);
}

template <class Real>
bool launch_fixed_columns(exec::Device device, const Pass<Real>& pass, BatchIndex batch_index, index_t batch,
                          const Complex<Real>* in, Complex<Real>* out) {
  return with_shape(pass.length, typename FixedColumns<Real>::Shapes{}, [&](auto shape) {
    if (pass.from.element == 1) {
      launch_shape<Real, decltype(shape), Along::element, Along::inner>(device, pass, batch_index, batch, in, out);
    } else {
      launch_shape<Real, decltype(shape), Along::inner, Along::inner>(device, pass, batch_index, batch, in, out);
    }
  });
}

template <class Real>
void launch_fixed_convolution(exec::Device device, const Pass<Real>& pass, index_t batch, const Complex<Real>* in,
                              Complex<Real>* out) {
  with_shape(pass.length, typename FixedConvolutions<Real>::Shapes{}, [&](auto shape) {
    using Shape = decltype(shape);
    const index_t teams = Shape::teams_per_unit * static_cast<index_t>(device.properties().compute_units);
    exec::launch_on_gpu(device, {.groups = ceil_div(batch, Shape::width), .teams = teams},
                        FixedConvolutionKernel<Real, Shape>{in, out, pass.fixed_twiddles, pass.load.factors, pass.between, batch,
                                                            static_cast<int>(pass.load.count), pass.store.scale, pass.load.swap});
  });
}

}  // namespace phpc::fft
