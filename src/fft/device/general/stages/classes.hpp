#pragma once
#include <iterator>

#include "fft/device/general/stages/stage.hpp"

namespace phpc::fft {

/// A class of the general kernel, which is compiled once for each of several largest radices, with a cap on its registers (the
/// sources classes/capped_*.cpp): it waits for memory, so that more teams on a multiprocessor are worth more than more registers
/// a thread. Tiles of passes, which have steps, twiddles between passes and a scale of their own, need more than rows. Large
/// primes (stage.hpp) have a class of their own, with composite radices up to `most_beside_primes`: what they spill costs more
/// than teams do (rows of 775 in f64, an H100: 492 us at 168 registers, 231 at 208).
struct GeneralClass {
  int largest;
  int registers;
  int tile_registers;
  bool has_primes = false;
};
inline constexpr int most_beside_primes = 16;

template <class Real>
struct GeneralClasses;

template <>
struct GeneralClasses<float> {
  static constexpr GeneralClass all[] = {{8, 32, 40},  {10, 40, 48}, {15, 48, 56},       {16, 56, 56},
                                         {24, 64, 80}, {32, 80, 96}, {31, 96, 112, true}};
};

template <>
struct GeneralClasses<double> {
  static constexpr GeneralClass all[] = {{5, 40, 48}, {8, 56, 64}, {10, 64, 80}, {16, 96, 112}, {31, 208, 208, true}};
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

/// The `Largest` of a kernel with all radices, which is of no class; for tests.
inline constexpr int all_radices = 33;

/// Whether a kernel of the class up to `largest` has a radix.
template <class Classes>
constexpr bool has_radix(int radix, int largest) {
  bool has_primes = largest == all_radices;
  for (const GeneralClass& its : Classes::all) {
    has_primes = has_primes || (its.largest == largest && its.has_primes);
  }
  if (is_large_prime(radix)) {
    return has_primes && radix <= largest;
  }
  return radix <= (has_primes && largest != all_radices ? most_beside_primes : largest);
}

/// The largest radix that is no large prime.
template <class Real>
constexpr int most_composite() {
  int most = 0;
  for (const GeneralClass& its : GeneralClasses<Real>::all) {
    most = its.has_primes || its.largest < most ? most : its.largest;
  }
  return most;
}

/// Returns the first of the classes that has this radix, or the last one where none has it.
template <class Classes>
constexpr const GeneralClass& class_of(int radix) {
  const GeneralClass* found = std::begin(Classes::all);
  while (!has_radix<Classes>(radix, found->largest) && found + 1 != std::end(Classes::all)) {
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
