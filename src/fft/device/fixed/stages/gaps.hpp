#pragma once
#include "fft/device/fixed/shapes/shape.hpp"

namespace phpc::fft {

/// Unused places in scratch, which keep neighbouring threads off one memory bank: one after each `first` elements and one more
/// after each `second`; 0 = none.
struct Gaps {
  int first;
  int second;

  [[nodiscard]] constexpr int padded(int e) const { return e + (first > 0 ? e / first : 0) + (second > 0 ? e / second : 0); }
};

/// How the elements of the transforms of a team lie in scratch.
enum class ScratchOrder {
  transforms,  ///< one transform after another, with gaps
  elements     ///< the same element of all transforms together
};

/// In-place stages leave X[k] at the place whose digits are those of k in reverse; this is the place of the k whose last digit is
/// 0, given without it.
template <class Shape>
[[gnu::always_inline]] constexpr int reversed_place(int u) {
  int at = 0;
#pragma unroll
  for (int stage = 0; stage + 1 < Shape::stages; ++stage) {
    at = at * Shape::radix[stage] + u % Shape::radix[stage];
    u /= Shape::radix[stage];
  }
  return at * Shape::radix[Shape::stages - 1];
}

/// Decides between the gaps that suit one shape or another by counting what its stages would cost. `Banks` elements go through
/// memory in one step if no two are a multiple of that apart (128 bytes on NVIDIA GPUs).
template <class Shape, int Banks, ScratchOrder Order>
struct GapChoice {
  static constexpr int pitch(Gaps gaps) { return (gaps.padded(Shape::length - 1) + 1) | 1; }

  static constexpr int place(Gaps gaps, int transform, int e) {
    return Order == ScratchOrder::elements ? gaps.padded(e) * Shape::width + transform : transform * pitch(gaps) + gaps.padded(e);
  }

  /// Steps in which the first warp of a team does one access of a stage, the q-th of a butterfly.
  static constexpr int steps(Gaps gaps, int stage, int q) {
    const int radix = Shape::radix[stage];
    const int lanes = Shape::length / radix;
    const int stride = Shape::block(stage) / radix;
    const int threads = lanes * Shape::width < 32 ? lanes * Shape::width : 32;
    int total = 0;
    for (int begin = 0; begin < threads; begin += Banks) {
      int busy[Banks] = {};
      int most = 0;
      for (int i = begin; i < threads && i < begin + Banks; ++i) {
        const int transform = Order == ScratchOrder::elements ? i % Shape::width : i / lanes;
        const int item = Order == ScratchOrder::elements ? i / Shape::width : i % lanes;
        const int e = stage + 1 == Shape::stages ? reversed_place<Shape>(item) + q
                                                 : item / stride * Shape::block(stage) + item % stride + q * stride;
        const int count = ++busy[place(gaps, transform, e) % Banks];
        most = count > most ? count : most;
      }
      total += most;
    }
    return total;
  }

  /// The same for all accesses of all stages, by a sample of each butterfly.
  static constexpr int cost(Gaps gaps) {
    int total = 0;
    for (int stage = 0; stage < Shape::stages; ++stage) {
      const int weight = stage == 0 || stage + 1 == Shape::stages ? 1 : 2;  // reads and writes
      total += weight * (steps(gaps, stage, 0) + steps(gaps, stage, 1) + steps(gaps, stage, Shape::radix[stage] / 2) +
                         steps(gaps, stage, Shape::radix[stage] - 1));
    }
    return total;
  }

  static constexpr Gaps best() {
    constexpr int outer = Shape::length / Shape::radix[0];
    constexpr int inner = Shape::stages > 1 ? outer / Shape::radix[1 % Shape::stages] : outer;
    constexpr Gaps choices[] = {{0, 0}, {Banks, 0}, {outer, 0}, {inner, 0}, {Banks, 16 * Banks}, {outer, inner}, {Banks, outer}};
    Gaps best = choices[0];
    int least = cost(best);
    for (const Gaps gaps : choices) {
      // More than an eighth of scratch would cost teams.
      if (8 * pitch(gaps) > 9 * Shape::length + 16) {
        continue;
      }
      const int here = cost(gaps);
      if (here < least) {
        best = gaps;
        least = here;
      }
    }
    return best;
  }
};

}  // namespace phpc::fft
