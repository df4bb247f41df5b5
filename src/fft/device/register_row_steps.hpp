#pragma once
#include "fft/device/line_passes.hpp"

namespace phpc::fft {

/// Lets a GPU do the one pass of short rows in registers, where that is the faster way: one directly after the other or not, of
/// complex numbers, or from or to real ones. The kernel that was found before does arrays that are not aligned as a whole.
template <class Real>
void take_register_rows(LinePasses<Real>& lines);

}  // namespace phpc::fft
