#pragma once
#include "fft/device/fixed/shape.hpp"

namespace phpc::fft {

/// Rows of real numbers, to or from their spectra: by half their length.
template <class Real>
struct FixedReals;

template <>
struct FixedReals<float> {
  using Shapes = ShapeList<FixedShape<2, 64, 0, 4, 2>,          // 8
                           FixedShape<4, 32, 0, 4, 4>,          // 16
                           FixedShape<8, 16, 0, 8, 4>,          // 32
                           FixedShape<10, 16, 0, 10, 5>,        // 50
                           FixedShape<16, 16, 0, 8, 8>,         // 64
                           FixedShape<16, 16, 0, 16, 8>,        // 128
                           FixedShape<16, 8, 0, 16, 16>,        // 256
                           FixedShape<50, 4, 0, 10, 10, 5>,     // 500
                           FixedShape<64, 1, 0, 8, 8, 8>,       // 512
                           FixedShape<100, 2, 0, 10, 10, 10>,   // 1000
                           FixedShape<64, 1, 0, 16, 4, 16>,     // 1024
                           FixedShape<128, 1, 0, 16, 16, 8>,    // 2048
                           FixedShape<256, 1, 0, 16, 16, 16>,   // 4096
                           FixedShape<250, 1, 0, 25, 10, 20>,   // 5000
                           FixedShape<256, 1, 0, 32, 16, 16>>;  // 8192
};

template <>
struct FixedReals<double> {
  using Shapes = ShapeList<FixedShape<2, 32, 0, 4, 2>,           // 8
                           FixedShape<4, 32, 0, 4, 4>,           // 16
                           FixedShape<4, 32, 0, 8, 4>,           // 32
                           FixedShape<10, 16, 0, 10, 5>,         // 50
                           FixedShape<8, 16, 0, 8, 8>,           // 64
                           FixedShape<16, 8, 0, 16, 8>,          // 128
                           FixedShape<32, 4, 0, 16, 16>,         // 256
                           FixedShape<50, 2, 0, 10, 10, 5>,      // 500
                           FixedShape<64, 2, 0, 8, 8, 8>,        // 512
                           FixedShape<100, 1, 0, 10, 10, 10>,    // 1000
                           FixedShape<64, 1, 0, 16, 8, 8>,       // 1024
                           FixedShape<128, 1, 0, 16, 8, 16>,     // 2048
                           FixedShape<256, 1, 0, 16, 16, 16>,    // 4096
                           FixedShape<256, 1, 8, 16, 8, 8, 8>>;  // 8192
};

}  // namespace phpc::fft
