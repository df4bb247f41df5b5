#pragma once
#include "fft/device/fixed/shapes/shape.hpp"

namespace phpc::fft {

/// Rows of a long convolution's middle pass (FixedConvolvedRowsKernel), in either precision. Radices of 16 at both ends read and
/// write scratch the fewest times. Their registers are capped (CMakeLists.txt).
template <class Real>
struct FixedConvolvedRows {
  using Shapes = ShapeList<FixedShape<32, 1, 0, 16, 2, 16>,       // 512
                           FixedShape<48, 2, 0, 16, 3, 16>,       // 768
                           FixedShape<64, 1, 0, 16, 4, 16>,       // 1024
                           FixedShape<96, 1, 0, 16, 6, 16>,       // 1536
                           FixedShape<128, 1, 0, 16, 8, 16>,      // 2048
                           FixedShape<160, 1, 0, 16, 10, 16>,     // 2560
                           FixedShape<192, 1, 0, 16, 12, 16>,     // 3072
                           FixedShape<256, 1, 0, 16, 16, 16>,     // 4096
                           FixedShape<320, 1, 0, 16, 20, 16>,     // 5120
                           FixedShape<384, 1, 0, 16, 6, 4, 16>,   // 6144
                           FixedShape<512, 1, 0, 16, 8, 4, 16>>;  // 8192
};

/// Convolutions of Bluestein's algorithm in one kernel, for transforms of up to half the length: those and shorter ones. On an
/// H200, 256 MiB of rows of half a length took 211 to 397 us in f32 and 184 to 465 in f64; 1280, 1792, 2304 and 3584 took as long
/// as the next length here.
template <class Real>
struct FixedConvolutions {
  using Shorter = ShapeList<FixedShape<8, 12, 0, 12, 8>,     // 96
                            FixedShape<8, 8, 0, 16, 8>,      // 128
                            FixedShape<12, 8, 0, 16, 12>,    // 192
                            FixedShape<16, 4, 0, 16, 16>,    // 256
                            FixedShape<48, 2, 0, 8, 6, 8>>;  // 384
  using Shapes = decltype(joined(Shorter{}, typename FixedConvolvedRows<Real>::Shapes{}));
};

/// What a transform by such a kernel takes for each element of the convolution, in the unit of the general kernel's rule, a copy
/// of the transform's memory: what an H200 took, less the factor by which passes by the general kernel's convolutions took it
/// longer than the rule says (1.45, the median of 56 lengths).
template <class Real>
constexpr double fixed_convolution_cost(int stages) {
  if (stages <= 3) {
    return 0.25 * stages;
  }
  return sizeof(Real) == sizeof(float) ? 1.06 : 1.2;
}

/// The same of a row of a long convolution's middle pass, whose memory is read and written too.
template <class Real>
constexpr double fixed_convolved_row_cost(int stages) {
  return 1.2 * fixed_convolution_cost<Real>(stages);
}

}  // namespace phpc::fft
