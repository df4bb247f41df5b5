#pragma once
#include <type_traits>

#include "fft/device/fixed/shapes/shape.hpp"
#include "fft/device/pass/pass_form.hpp"

/// Lengths beyond the scratch of one team that have a fused four-step kernel: both passes in one launch.
namespace phpc::fft {

/// The shape of a fused four-step kernel: columns of the first shape, rows of the second.
template <class FirstShape, class SecondShape>
struct FourStepShape {
  using First = FirstShape;
  using Second = SecondShape;
  static constexpr int length = First::length * Second::length;
};

template <class Real>
struct FixedFourSteps;

template <>
struct FixedFourSteps<float> {
  using By128 = FixedShape<8, 32, 0, 16, 8>;
  using By256 = FixedShape<16, 16, 0, 16, 16>;
  using By512 = FixedShape<32, 16, 0, 16, 4, 8>;
  using By1024 = FixedShape<64, 8, 0, 16, 8, 8>;
  using By1000 = FixedShape<50, 8, 0, 10, 10, 10>;
  using Uncapped = ShapeList<FourStepShape<By256, By128>,                                                    // 2^15
                             FourStepShape<By256, By256>,                                                    // 2^16
                             FourStepShape<FixedShape<20, 10, 0, 20, 20>, FixedShape<25, 8, 0, 10, 5, 5>>>;  // 100000
  using RegisterCapped = ShapeList<FourStepShape<By512, FixedShape<16, 32, 0, 16, 16>>,                      // 2^17
                                   FourStepShape<By512, By512>,                                              // 2^18
                                   FourStepShape<By1024, By512>,                                             // 2^19
                                   FourStepShape<By1024, By1024>,                                            // 2^20
                                   FourStepShape<By1000, By1000>>;                                           // 1000000
  using Shapes = decltype(joined(Uncapped{}, RegisterCapped{}));
};

template <>
struct FixedFourSteps<double> {
  using By128 = FixedShape<8, 16, 0, 16, 8>;
  using By256 = FixedShape<16, 8, 0, 16, 16>;
  using By256Wide = FixedShape<32, 8, 0, 8, 8, 4>;
  using By512 = FixedShape<32, 8, 0, 8, 8, 8>;
  using By1024 = FixedShape<64, 4, 0, 16, 8, 8>;
  using By125 = FixedShape<25, 8, 0, 5, 5, 5>;
  using By1000 = FixedShape<50, 4, 0, 10, 10, 10>;
  using Uncapped = ShapeList<FourStepShape<By128, By128>,      // 2^14
                             FourStepShape<By256, By128>,      // 2^15
                             FourStepShape<By256, By256>,      // 2^16
                             FourStepShape<By512, By256Wide>,  // 2^17
                             FourStepShape<By512, By512>,      // 2^18
                             FourStepShape<By1024, By512>,     // 2^19
                             FourStepShape<By1024, By1024>,    // 2^20
                             FourStepShape<By125, By125>,      // 15625
                             FourStepShape<By1000, By1000>>;   // 1000000
  using RegisterCapped = ShapeList<>;
  using Shapes = Uncapped;
};

/// The same from real numbers, by half the length of their lines. The butterflies of the last stage come in pairs
/// (ConjugateButterflies), so that the last radix of the second shape is at most half as large as the registers allow for one;
/// the second shape's width is even and divides the first one's length.
template <class Real>
struct FixedFromRealFourSteps;

template <>
struct FixedFromRealFourSteps<float> {
  using By128 = FixedShape<8, 32, 0, 16, 8>;
  using By256 = FixedShape<16, 16, 0, 16, 16>;
  using By512 = FixedShape<32, 16, 0, 16, 4, 8>;
  using By1024 = FixedShape<64, 8, 0, 16, 8, 8>;
  using By1024Wide = FixedShape<64, 16, 0, 16, 8, 8>;
  using By1000 = FixedShape<50, 8, 0, 10, 10, 10>;
  using Uncapped = ShapeList<FourStepShape<By256, By128>,                                                    // 2^15
                             FourStepShape<By256, FixedShape<16, 16, 0, 8, 4, 8>>,                           // 2^16
                             FourStepShape<FixedShape<20, 10, 0, 20, 20>, FixedShape<25, 8, 0, 10, 5, 5>>>;  // 100000
  using RegisterCapped = ShapeList<FourStepShape<By512, FixedShape<16, 32, 0, 8, 4, 8>>,                     // 2^17
                                   FourStepShape<By512, By512>,                                              // 2^18
                                   FourStepShape<By1024, By512>,                                             // 2^19
                                   FourStepShape<By1024Wide, By1024Wide>,                                    // 2^20
                                   FourStepShape<By1000, By1000>>;                                           // 1000000
  using Shapes = decltype(joined(Uncapped{}, RegisterCapped{}));
};

template <>
struct FixedFromRealFourSteps<double> {
  using By128 = FixedShape<8, 16, 0, 16, 8>;
  using By512 = FixedShape<32, 8, 0, 8, 8, 8>;
  using By1024 = FixedShape<64, 4, 0, 16, 8, 8>;
  using Uncapped = ShapeList<FourStepShape<By128, By128>,                          // 2^14
                             FourStepShape<FixedShape<16, 8, 0, 16, 16>, By128>,   // 2^15
                             FourStepShape<By512, FixedShape<16, 16, 0, 16, 8>>,   // 2^16
                             FourStepShape<By512, FixedShape<32, 8, 0, 8, 8, 4>>,  // 2^17
                             FourStepShape<By512, By512>,                          // 2^18
                             FourStepShape<By1024, By512>>;                        // 2^19
  using RegisterCapped = ShapeList<>;
  using Shapes = Uncapped;
};

/// The same to real numbers. Here the pairs of butterflies are those of the first stage: the first radix of the first shape is at
/// most half as large, and the first shape's width is even and divides the second one's length. Half of that width lies in a row
/// of memory, so that of two unequal shapes the shorter one, whose teams are wider, comes first.
template <class Real>
struct FixedToRealFourSteps;

template <>
struct FixedToRealFourSteps<float> {
  using By128 = FixedShape<8, 32, 0, 8, 16>;
  using By512 = FixedShape<32, 16, 0, 16, 4, 8>;
  using First512 = FixedShape<32, 16, 0, 8, 8, 8>;
  using First1024 = FixedShape<64, 16, 0, 8, 8, 16>;
  using By1000 = FixedShape<50, 8, 0, 10, 10, 10>;
  using Uncapped = ShapeList<FourStepShape<By128, FixedShape<16, 16, 0, 16, 16>>,                            // 2^15
                             FourStepShape<FixedShape<25, 8, 0, 10, 5, 5>, FixedShape<20, 10, 0, 20, 20>>>;  // 100000
  using RegisterCapped = ShapeList<FourStepShape<FixedShape<16, 32, 0, 8, 16>, By512>,                       // 2^16
                                   FourStepShape<FixedShape<16, 32, 0, 8, 4, 8>, By512>,                     // 2^17
                                   FourStepShape<First512, By512>,                                           // 2^18
                                   FourStepShape<First512, FixedShape<64, 8, 0, 16, 8, 8>>,                  // 2^19
                                   FourStepShape<First1024, FixedShape<64, 16, 0, 16, 8, 8>>,                // 2^20
                                   FourStepShape<First1024, FixedShape<128, 8, 0, 16, 16, 8>>,               // 2^21
                                   FourStepShape<By1000, By1000>>;                                           // 1000000
  using Shapes = decltype(joined(Uncapped{}, RegisterCapped{}));
};

template <>
struct FixedToRealFourSteps<double> {
  using By128 = FixedShape<8, 16, 0, 8, 16>;
  using By512 = FixedShape<32, 8, 0, 8, 8, 8>;
  using By1024 = FixedShape<64, 4, 0, 16, 8, 8>;
  using By1000 = FixedShape<50, 4, 0, 10, 10, 10>;
  using Uncapped = ShapeList<FourStepShape<By128, By128>,                            // 2^14
                             FourStepShape<By128, FixedShape<16, 8, 0, 16, 16>>,     // 2^15
                             FourStepShape<FixedShape<16, 16, 0, 8, 16>, By512>,     // 2^16
                             FourStepShape<FixedShape<32, 8, 0, 8, 8, 4>, By512>,    // 2^17
                             FourStepShape<By512, By512>,                            // 2^18
                             FourStepShape<By512, By1024>,                           // 2^19
                             FourStepShape<FixedShape<64, 4, 0, 8, 8, 16>, By1024>,  // 2^20
                             FourStepShape<By1000, By1000>>;                         // 1000000
  using RegisterCapped = ShapeList<>;
  using Shapes = Uncapped;
};

/// The last two of three passes over a longer line, whose results are written in rows of the second shape's width. Of lengths
/// that cost the same the first one is taken.
template <class Real>
struct FixedLastPasses;

template <>
struct FixedLastPasses<float> {
  using By128 = FixedShape<8, 32, 0, 16, 8>;
  using By256 = FixedShape<16, 16, 0, 16, 16>;
  using Uncapped = ShapeList<FourStepShape<By256, By256>,   // 2^16
                             FourStepShape<By256, By128>,   // 2^15
                             FourStepShape<By128, By128>>;  // 2^14
  using RegisterCapped = ShapeList<>;
  using Shapes = Uncapped;
};

template <>
struct FixedLastPasses<double> {
  using By128 = FixedShape<8, 16, 0, 16, 8>;
  using By256 = FixedShape<16, 8, 0, 16, 16>;
  using Uncapped = ShapeList<FourStepShape<By256, By256>,   // 2^16
                             FourStepShape<By256, By128>,   // 2^15
                             FourStepShape<By128, By128>>;  // 2^14
  using RegisterCapped = ShapeList<>;
  using Shapes = Uncapped;
};

/// Bluestein's transforms of up to half the length in one launch. The first shape's first and last radix are equal: one table of
/// twiddles serves the way there and back.
template <class Real>
struct FixedFourStepConvolutions;

template <>
struct FixedFourStepConvolutions<float> {
  using Shapes = ShapeList<FourStepShape<FixedShape<16, 16, 0, 16, 16>, FixedShape<16, 16, 0, 16, 16>>,  // 65536
                           FourStepShape<FixedShape<16, 16, 0, 16, 16>, FixedShape<32, 8, 0, 21, 25>>>;  // 134400
};

template <>
struct FixedFourStepConvolutions<double> {
  using By144 = FixedShape<12, 16, 0, 12, 12>;
  using Shapes = ShapeList<FourStepShape<By144, By144>,                                                 // 20736
                           FourStepShape<FixedShape<16, 8, 0, 16, 16>, FixedShape<16, 8, 0, 16, 16>>>;  // 65536
};

/// The fused four-step kernels of a form.
template <class Real, PassForm Form>
using FourStepsOf =
    std::conditional_t<Form == PassForm::fused_four_step, FixedFourSteps<Real>,
                       std::conditional_t<Form == PassForm::fused_last_passes, FixedLastPasses<Real>,
                                          std::conditional_t<Form == PassForm::fused_four_step_from_real,
                                                             FixedFromRealFourSteps<Real>, FixedToRealFourSteps<Real>>>>;

/// Calls action(shape) for the fused four-step kernel of that form and length; false when there is none.
template <class Real, class Action>
bool with_four_step(PassForm form, index_t length, Action action) {
  switch (form) {
    case PassForm::fused_four_step:
      return with_shape(length, typename FourStepsOf<Real, PassForm::fused_four_step>::Shapes{}, action);
    case PassForm::fused_four_step_from_real:
      return with_shape(length, typename FourStepsOf<Real, PassForm::fused_four_step_from_real>::Shapes{}, action);
    case PassForm::fused_four_step_to_real:
      return with_shape(length, typename FourStepsOf<Real, PassForm::fused_four_step_to_real>::Shapes{}, action);
    case PassForm::fused_last_passes:
      return with_shape(length, typename FourStepsOf<Real, PassForm::fused_last_passes>::Shapes{}, action);
    default:
      return false;
  }
}

}  // namespace phpc::fft
