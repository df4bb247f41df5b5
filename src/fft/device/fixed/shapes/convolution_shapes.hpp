#pragma once
#include "fft/device/fixed/shapes/shape.hpp"

namespace phpc::fft {

/// Convolutions of Bluestein's algorithm in one kernel, for transforms of up to half the length.
template <class Real>
struct FixedConvolutions;

template <>
struct FixedConvolutions<float> {
  using Shapes = ShapeList<FixedShape<64, 1, 0, 16, 4, 16>,    // 1024
                           FixedShape<128, 1, 0, 16, 16, 8>>;  // 2048
};

template <>
struct FixedConvolutions<double> {
  using Shapes = ShapeList<FixedShape<64, 1, 0, 8, 8, 8>,      // 512
                           FixedShape<64, 1, 0, 16, 8, 8>,     // 1024
                           FixedShape<128, 1, 0, 16, 8, 16>>;  // 2048
};

}  // namespace phpc::fft
