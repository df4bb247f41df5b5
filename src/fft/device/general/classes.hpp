#pragma once
#include <iterator>

namespace phpc::fft {

/// The general kernel is compiled in classes by the largest radix of a transform, each for no more registers than that needs (the
/// sources capped_*.cpp): it waits for memory, so teams count more than what one thread could do at once.
struct GeneralClass {
  int largest;
  int registers;
};

template <class Real>
struct GeneralClasses;

template <>
struct GeneralClasses<float> {
  static constexpr GeneralClass all[] = {{8, 32}, {10, 40}, {15, 48}, {16, 56}, {24, 64}, {32, 80}};
};

template <>
struct GeneralClasses<double> {
  static constexpr GeneralClass all[] = {{5, 40}, {8, 56}, {10, 64}, {16, 96}};
};

/// The first class that has this radix, and the last one where none has.
template <class Real>
constexpr const GeneralClass& general_class(int radix) {
  const GeneralClass* found = std::begin(GeneralClasses<Real>::all);
  while (found->largest < radix && found + 1 != std::end(GeneralClasses<Real>::all)) {
    ++found;
  }
  return *found;
}

}  // namespace phpc::fft
