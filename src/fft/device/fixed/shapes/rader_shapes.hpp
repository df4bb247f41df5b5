#pragma once
#include "fft/device/fixed/shapes/shape.hpp"

namespace phpc::fft {

/// Rader's transforms in one kernel: of the length given here and one more, a prime.
template <class Real>
struct FixedRaders;

template <>
struct FixedRaders<float> {
  using Shapes = ShapeList<FixedShape<6, 32, 0, 10, 6>,           // 61
                           FixedShape<14, 16, 0, 14, 9>,          // 127
                           FixedShape<50, 4, 0, 10, 5, 5>,        // 251
                           FixedShape<63, 1, 0, 16, 9, 7>,        // 1009
                           FixedShape<256, 1, 0, 10, 9, 7, 13>>;  // 8191
};

template <>
struct FixedRaders<double> {
  using Shapes = ShapeList<FixedShape<10, 8, 0, 10, 6>,      // 61
                           FixedShape<14, 8, 0, 14, 9>,      // 127
                           FixedShape<50, 2, 0, 10, 5, 5>,   // 251
                           FixedShape<63, 1, 0, 16, 9, 7>>;  // 1009
};

}  // namespace phpc::fft
