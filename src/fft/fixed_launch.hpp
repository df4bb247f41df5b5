#pragma once
#include "fft/pass.hpp"
#include "phpc/exec/device.hpp"

namespace phpc::fft {

/// Runs a pass that has fixed_twiddles on a GPU, with the kernel of its length (fixed_shapes.hpp), which knows nothing of the
/// factors and ends of hooks. False when there is no such kernel.
template <class Real>
bool launch_fixed_rows(exec::Device device, const Pass<Real>& pass, BatchIndex batch_index, index_t batch,
                       const Complex<Real>* in, Complex<Real>* out);
template <class Real>
bool launch_fixed_columns(exec::Device device, const Pass<Real>& pass, BatchIndex batch_index, index_t batch,
                          const Complex<Real>* in, Complex<Real>* out);

/// Runs a pass of the form PassForm::convolution, for which there is always a kernel.
template <class Real>
void launch_fixed_convolution(exec::Device device, const Pass<Real>& pass, index_t batch, const Complex<Real>* in,
                              Complex<Real>* out);

}  // namespace phpc::fft
