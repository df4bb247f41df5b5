#pragma once
#include <type_traits>

#include "fft/device/fixed/shapes/shape.hpp"
#include "fft/device/pass/pass_form.hpp"

namespace phpc::fft {

/// Rows of real numbers to their spectra, by half their length. On an H200, 256 MiB, lines of 1024 to 32768 numbers in f32 take
/// 0.67 to 0.94 of the time that the general kernel does, lines of 10000 0.81 of what their kernel took before it made results of
/// pairs in registers.
template <class Real>
struct FixedFromReals;

template <>
struct FixedFromReals<float> {
  using Shapes = ShapeList<Capped<64, FixedShape<16, 8, 0, 16, 8>>,          // 128
                           Capped<64, FixedShape<32, 8, 0, 8, 8, 4>>,        // 256
                           Capped<64, FixedShape<50, 4, 0, 10, 10, 5>>,      // 500
                           Capped<64, FixedShape<64, 2, 0, 8, 8, 8>>,        // 512
                           Capped<64, FixedShape<100, 1, 0, 10, 10, 10>>,    // 1000
                           Capped<64, FixedShape<64, 2, 0, 16, 16, 4>>,      // 1024
                           Capped<64, FixedShape<128, 1, 0, 16, 16, 8>>,     // 2048
                           Capped<64, FixedShape<256, 1, 0, 16, 8, 4, 8>>,   // 4096
                           Capped<80, FixedShape<250, 1, 0, 25, 20, 10>>,    // 5000
                           Capped<128, FixedShape<256, 1, 0, 32, 32, 8>>,    // 8192
                           Capped<128, FixedShape<512, 1, 0, 32, 32, 16>>>;  // 16384
};

template <>
struct FixedFromReals<double> {
  using Shapes = ShapeList<Capped<96, FixedShape<5, 16, 0, 10, 5>>,            // 50
                           Capped<128, FixedShape<16, 8, 0, 16, 8>>,           // 128
                           Capped<96, FixedShape<16, 8, 0, 8, 8, 4>>,          // 256
                           Capped<128, FixedShape<50, 2, 0, 10, 10, 5>>,       // 500
                           Capped<128, FixedShape<64, 1, 0, 8, 8, 8>>,         // 512
                           Capped<128, FixedShape<100, 1, 0, 10, 10, 10>>,     // 1000
                           Capped<128, FixedShape<128, 1, 0, 16, 8, 8>>,       // 1024
                           Capped<96, FixedShape<256, 1, 0, 8, 8, 8, 4>>,      // 2048
                           Capped<96, FixedShape<256, 1, 0, 16, 8, 8, 4>>,     // 4096
                           Capped<128, FixedShape<250, 1, 0, 10, 10, 10, 5>>,  // 5000
                           Capped<128, FixedShape<512, 1, 0, 16, 8, 8, 8>>>;   // 8192
};

/// The same of spectra to real numbers.
template <class Real>
struct FixedToReals;

template <>
struct FixedToReals<float> {
  using Shapes = ShapeList<Capped<64, FixedShape<10, 16, 0, 5, 10>>,         // 50
                           Capped<64, FixedShape<16, 16, 0, 8, 8>>,          // 64
                           Capped<64, FixedShape<16, 8, 0, 8, 16>>,          // 128
                           Capped<64, FixedShape<32, 8, 0, 4, 8, 8>>,        // 256
                           Capped<64, FixedShape<50, 4, 0, 5, 10, 10>>,      // 500
                           Capped<64, FixedShape<32, 4, 0, 8, 8, 8>>,        // 512
                           Capped<64, FixedShape<100, 1, 0, 10, 10, 10>>,    // 1000
                           Capped<64, FixedShape<64, 2, 0, 8, 8, 16>>,       // 1024
                           Capped<64, FixedShape<128, 1, 0, 8, 16, 16>>,     // 2048
                           Capped<96, FixedShape<128, 1, 0, 16, 16, 16>>,    // 4096
                           Capped<80, FixedShape<250, 1, 0, 10, 20, 25>>,    // 5000
                           Capped<128, FixedShape<256, 1, 0, 16, 16, 32>>,   // 8192
                           Capped<128, FixedShape<512, 1, 0, 16, 32, 32>>>;  // 16384
};

template <>
struct FixedToReals<double> {
  using Shapes = ShapeList<Capped<96, FixedShape<10, 16, 0, 5, 10>>,           // 50
                           Capped<96, FixedShape<8, 16, 0, 8, 8>>,             // 64
                           Capped<128, FixedShape<8, 16, 0, 8, 16>>,           // 128
                           Capped<96, FixedShape<16, 8, 0, 4, 8, 8>>,          // 256
                           Capped<128, FixedShape<50, 2, 0, 5, 10, 10>>,       // 500
                           Capped<128, FixedShape<64, 1, 0, 8, 8, 8>>,         // 512
                           Capped<128, FixedShape<100, 1, 0, 10, 10, 10>>,     // 1000
                           Capped<128, FixedShape<128, 1, 0, 8, 8, 16>>,       // 1024
                           Capped<128, FixedShape<128, 1, 0, 8, 16, 16>>,      // 2048
                           Capped<128, FixedShape<256, 1, 0, 4, 16, 4, 16>>,   // 4096
                           Capped<128, FixedShape<250, 1, 0, 5, 10, 10, 10>>,  // 5000
                           Capped<128, FixedShape<512, 1, 0, 8, 8, 8, 16>>>;   // 8192
};

/// Those of a form, PassForm::rows_from_real or rows_to_real.
template <class Real, PassForm Form>
using RealRowsOf =
    typename std::conditional_t<Form == PassForm::rows_from_real, FixedFromReals<Real>, FixedToReals<Real>>::Shapes;

/// The caps of both.
template <class Real>
using RealRowCaps = std::conditional_t<sizeof(Real) == sizeof(float), CapList<64, 80, 96, 128>, CapList<96, 128>>;
static_assert(has_all_caps(RealRowCaps<float>{}, FixedFromReals<float>::Shapes{}) &&
              has_all_caps(RealRowCaps<float>{}, FixedToReals<float>::Shapes{}) &&
              has_all_caps(RealRowCaps<double>{}, FixedFromReals<double>::Shapes{}) &&
              has_all_caps(RealRowCaps<double>{}, FixedToReals<double>::Shapes{}));

}  // namespace phpc::fft
