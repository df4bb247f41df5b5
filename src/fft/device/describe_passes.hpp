#pragma once
#include <string>

#include "fft/device/line_passes.hpp"

namespace phpc::fft {

/// Says which kernels the passes take, for the text of Plan::describe(), for arrays whose complex numbers are aligned as a whole;
/// others go by the kernel for any device, and lines of real numbers by other passes.
template <class Real>
std::string describe_passes(const LinePasses<Real>& lines);

}  // namespace phpc::fft
