#pragma once
#include "fft/pass.hpp"
#include "phpc/exec/device.hpp"

namespace phpc::fft {

/// Runs one pass on `device` and waits for it. Real is float or double.
template <class Real>
void launch_pass(exec::Device device, const Pass<Real>& pass);

}  // namespace phpc::fft
