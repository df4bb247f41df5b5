#pragma once
#include "fft/device/fixed/shapes/shape.hpp"

namespace phpc::fft {

/// Columns: the passes of longer transforms, several side by side.
template <class Real>
struct FixedColumns;

template <>
struct FixedColumns<float> {
  using Uncapped = ShapeList<FixedShape<8, 32, 0, 8, 8>,               // 64
                             FixedShape<16, 16, 0, 10, 10>,            // 100
                             FixedShape<8, 32, 0, 16, 8>,              // 128
                             FixedShape<16, 16, 0, 16, 16>,            // 256
                             FixedShape<20, 8, 0, 20, 20>,             // 400
                             FixedShape<64, 4, 0, 16, 16, 16>>;        // 4096
  using RegisterCapped = ShapeList<FixedShape<32, 16, 0, 16, 4, 8>,    // 512
                                   FixedShape<50, 8, 0, 10, 5, 5, 4>,  // 1000
                                   FixedShape<64, 8, 0, 16, 8, 8>,     // 1024
                                   FixedShape<128, 4, 0, 16, 16, 8>>;  // 2048
  using Shapes = decltype(joined(Uncapped{}, RegisterCapped{}));
};

template <>
struct FixedColumns<double> {
  using Uncapped = ShapeList<FixedShape<8, 16, 0, 8, 8>,                // 64
                             FixedShape<10, 8, 0, 10, 10>,              // 100
                             FixedShape<8, 16, 0, 16, 8>,               // 128
                             FixedShape<16, 8, 0, 16, 16>,              // 256
                             FixedShape<40, 4, 0, 10, 10, 4>,           // 400
                             FixedShape<32, 8, 0, 8, 8, 8>,             // 512
                             FixedShape<128, 2, 0, 16, 16, 16>>;        // 4096
  using RegisterCapped = ShapeList<FixedShape<128, 4, 0, 8, 8, 4, 4>,   // 1024
                                   FixedShape<256, 4, 0, 8, 8, 8, 4>>;  // 2048
  using Shapes = decltype(joined(Uncapped{}, RegisterCapped{}));
};

}  // namespace phpc::fft
