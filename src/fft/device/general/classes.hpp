#pragma once
#include <iterator>

namespace phpc::fft {

/// The general kernel is compiled in classes by the largest radix of a transform, each for no more registers than that needs (the
/// sources capped_*.cpp): it waits for memory, so teams count more than what one thread could do at once. Tiles of passes, which
/// have steps, twiddles between passes and a scale of their own, need more than rows.
struct GeneralClass {
  int largest;
  int registers;
  int tile_registers;
};

template <class Real>
struct GeneralClasses;

template <>
struct GeneralClasses<float> {
  static constexpr GeneralClass all[] = {{8, 32, 40}, {10, 40, 48}, {15, 48, 56}, {16, 56, 56}, {24, 64, 80}, {32, 80, 96}};
};

template <>
struct GeneralClasses<double> {
  static constexpr GeneralClass all[] = {{5, 40, 48}, {8, 56, 64}, {10, 64, 80}, {16, 96, 112}};
};

/// The classes of convolutions, in which a team is busy with its stages rather than with memory.
template <class Real>
struct ConvolutionClasses;

template <>
struct ConvolutionClasses<float> {
  static constexpr GeneralClass all[] = {{16, 64, 64}, {32, 96, 96}};
};

template <>
struct ConvolutionClasses<double> {
  static constexpr GeneralClass all[] = {{10, 80, 80}, {16, 112, 112}};
};

/// The first of the classes that has this radix, and the last one where none has.
template <class Classes>
constexpr const GeneralClass& class_of(int radix) {
  const GeneralClass* found = std::begin(Classes::all);
  while (found->largest < radix && found + 1 != std::end(Classes::all)) {
    ++found;
  }
  return *found;
}

template <class Real>
constexpr const GeneralClass& general_class(int radix) {
  return class_of<GeneralClasses<Real>>(radix);
}

template <class Real>
constexpr const GeneralClass& convolution_class(int radix) {
  return class_of<ConvolutionClasses<Real>>(radix);
}

}  // namespace phpc::fft
