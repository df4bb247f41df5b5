#pragma once
#include <type_traits>

#include "fft/device/fixed/shapes/shape.hpp"
#include "fft/device/pass/pass_form.hpp"

namespace phpc::fft {

/// Rows of real numbers to their spectra, by half their length: what beats the general kernel by a twentieth on an H100. In f32
/// the general one takes lines of 32, 4096, 8192 and 16384 numbers 1.27, 1.06, 1.14 and 1.16 times as fast as their own did.
template <class Real>
struct FixedFromReals;

template <>
struct FixedFromReals<float> {
  using Shapes = ShapeList<FixedShape<50, 4, 0, 10, 10, 5>,     // 500
                           FixedShape<64, 1, 0, 8, 8, 8>,       // 512
                           FixedShape<100, 2, 0, 10, 10, 10>,   // 1000
                           FixedShape<250, 1, 0, 25, 10, 20>>;  // 5000
};

template <>
struct FixedFromReals<double> {
  using Shapes = ShapeList<FixedShape<10, 16, 0, 10, 5>,        // 50
                           FixedShape<16, 8, 0, 16, 8>,         // 128
                           FixedShape<50, 2, 0, 10, 10, 5>,     // 500
                           FixedShape<256, 1, 0, 16, 16, 16>>;  // 4096
};

/// The same of spectra to real numbers.
template <class Real>
struct FixedToReals;

template <>
struct FixedToReals<float> {
  using Shapes = ShapeList<FixedShape<2, 64, 0, 4, 2>,          // 8
                           FixedShape<4, 32, 0, 4, 4>,          // 16
                           FixedShape<8, 16, 0, 8, 4>,          // 32
                           FixedShape<10, 16, 0, 10, 5>,        // 50
                           FixedShape<16, 16, 0, 8, 8>,         // 64
                           FixedShape<16, 16, 0, 16, 8>,        // 128
                           FixedShape<50, 4, 0, 10, 10, 5>,     // 500
                           FixedShape<64, 1, 0, 8, 8, 8>,       // 512
                           FixedShape<100, 2, 0, 10, 10, 10>,   // 1000
                           FixedShape<250, 1, 0, 25, 10, 20>>;  // 5000
};

template <>
struct FixedToReals<double> {
  using Shapes = ShapeList<FixedShape<2, 32, 0, 4, 2>,       // 8
                           FixedShape<4, 32, 0, 4, 4>,       // 16
                           FixedShape<4, 32, 0, 8, 4>,       // 32
                           FixedShape<10, 16, 0, 10, 5>,     // 50
                           FixedShape<8, 16, 0, 8, 8>,       // 64
                           FixedShape<16, 8, 0, 16, 8>,      // 128
                           FixedShape<32, 4, 0, 16, 16>,     // 256
                           FixedShape<50, 2, 0, 10, 10, 5>,  // 500
                           FixedShape<64, 2, 0, 8, 8, 8>>;   // 512
};

/// Those of a form, PassForm::rows_from_real or rows_to_real.
template <class Real, PassForm Form>
using RealRowsOf =
    typename std::conditional_t<Form == PassForm::rows_from_real, FixedFromReals<Real>, FixedToReals<Real>>::Shapes;

}  // namespace phpc::fft
