#pragma once
#include "fft/pass.hpp"
#include "phpc/exec/device.hpp"

namespace phpc::fft {

/// Runs a pass over `batch` transforms on `device` and waits for it. `on_device` is `pass` in the device's memory. Real is float
/// or double.
template <class Real>
void launch_pass(exec::Device device, const Pass<Real>& pass, const Pass<Real>* on_device, BatchIndex batch_index, index_t batch,
                 const Complex<Real>* in, Complex<Real>* out);

}  // namespace phpc::fft
