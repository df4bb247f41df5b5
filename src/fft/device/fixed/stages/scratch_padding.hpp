#pragma once
#include "fft/device/fixed/shapes/shape.hpp"

namespace phpc::fft {

/// Padding of scratch: unused places, which keep neighbouring threads off one memory bank: one after each `first` elements and
/// one more after each `second`; 0 = none.
struct ScratchPadding {
  int first;
  int second;

  [[nodiscard]] constexpr int padded(int e) const { return e + (first > 0 ? e / first : 0) + (second > 0 ? e / second : 0); }
};

/// How the elements of the transforms of a team lie in scratch.
enum class ScratchOrder {
  transforms,  ///< one transform after another, with padding
  elements     ///< the same element of all transforms together
};

/// The digit-reversed place of u. In-place stages leave X[k] at the place whose digits, in the mixed radices of the stages, are
/// those of k in reverse; u is k without its last digit, and that digit 0.
template <class Shape>
[[gnu::always_inline]] constexpr int digit_reversed_place(int u) {
  int at = 0;
#pragma unroll
  for (int stage = 0; stage + 1 < Shape::stages; ++stage) {
    at = at * Shape::radix[stage] + u % Shape::radix[stage];
    u /= Shape::radix[stage];
  }
  return at * Shape::radix[Shape::stages - 1];
}

/// Chooses the padding of a shape, by a count of the bank conflicts of its stages. `Banks` elements go through memory in one step
/// if no two are a multiple of that apart (128 bytes on NVIDIA GPUs).
template <class Shape, int Banks, ScratchOrder Order>
struct PaddingChoice {
  static constexpr int pitch(ScratchPadding padding) { return (padding.padded(Shape::length - 1) + 1) | 1; }

  static constexpr int place(ScratchPadding padding, int transform, int e) {
    return Order == ScratchOrder::elements ? padding.padded(e) * Shape::width + transform
                                           : transform * pitch(padding) + padding.padded(e);
  }

  /// Steps in which the first warp of a team does one access of a stage, the q-th of a butterfly.
  static constexpr int steps(ScratchPadding padding, int stage, int q) {
    const int radix = Shape::radix[stage];
    const int butterflies = Shape::length / radix;
    const int stride = Shape::block(stage) / radix;
    const int threads = butterflies * Shape::width < 32 ? butterflies * Shape::width : 32;
    int total = 0;
    for (int begin = 0; begin < threads; begin += Banks) {
      int busy[Banks] = {};
      int most = 0;
      for (int i = begin; i < threads && i < begin + Banks; ++i) {
        const int transform = Order == ScratchOrder::elements ? i % Shape::width : i / butterflies;
        const int item = Order == ScratchOrder::elements ? i / Shape::width : i % butterflies;
        const int e = stage + 1 == Shape::stages ? digit_reversed_place<Shape>(item) + q
                                                 : item / stride * Shape::block(stage) + item % stride + q * stride;
        const int count = ++busy[place(padding, transform, e) % Banks];
        most = count > most ? count : most;
      }
      total += most;
    }
    return total;
  }

  /// The same for all accesses of all stages, by a sample of each butterfly.
  static constexpr int cost(ScratchPadding padding) {
    int total = 0;
    for (int stage = 0; stage < Shape::stages; ++stage) {
      const int weight = stage == 0 || stage + 1 == Shape::stages ? 1 : 2;  // reads and writes
      total += weight * (steps(padding, stage, 0) + steps(padding, stage, 1) + steps(padding, stage, Shape::radix[stage] / 2) +
                         steps(padding, stage, Shape::radix[stage] - 1));
    }
    return total;
  }

  static constexpr ScratchPadding best() {
    constexpr int outer = Shape::length / Shape::radix[0];
    constexpr int inner = Shape::stages > 1 ? outer / Shape::radix[1 % Shape::stages] : outer;
    constexpr ScratchPadding choices[] = {{0, 0},         {Banks, 0},    {outer, 0}, {inner, 0}, {Banks, 16 * Banks},
                                          {outer, inner}, {Banks, outer}};
    ScratchPadding best = choices[0];
    int least = cost(best);
    for (const ScratchPadding padding : choices) {
      // More than an eighth of scratch would cost teams.
      if (8 * pitch(padding) > 9 * Shape::length + 16) {
        continue;
      }
      const int here = cost(padding);
      if (here < least) {
        best = padding;
        least = here;
      }
    }
    return best;
  }
};

}  // namespace phpc::fft
